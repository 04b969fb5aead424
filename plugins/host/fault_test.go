package host_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dudo.example/plugins/host"
)

// A bot that hangs in one seat plays the others, and so do other bots.
func TestHangHoldsUpNobody(t *testing.T) {
	o := quick()
	o.DecideTimeout = time.Minute
	h, _ := newHost(t, o, "hang", "good")
	stuck, same, other := open(t, h, "hang", 1), open(t, h, "hang", 2), open(t, h, "good", 0)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := stuck.Decide(ctx, view)
		ended <- err
	}()
	var longest time.Duration
	for range 100 {
		for _, s := range []*host.Seat{same, other} {
			begin := time.Now()
			if _, err := s.Decide(t.Context(), view); err != nil {
				t.Fatal(err)
			}
			longest = max(longest, time.Since(begin))
		}
	}
	t.Logf("longest of 200 calls beside a hung one: %v", longest)
	select {
	case err := <-ended:
		t.Fatalf("the hung call ended with %v", err)
	default:
	}
	cancel()
	if got := host.OutcomeOf(<-ended); got != host.Canceled {
		t.Errorf("outcome %q, want %q", got, host.Canceled)
	}
}

// A stopped process costs one call; then there is a new one.
func TestStopped(t *testing.T) {
	h, _ := newHost(t, quick(), "stop")
	s := open(t, h, "stop", 0)
	if _, err := s.Decide(t.Context(), view); host.OutcomeOf(err) != host.Timeout {
		t.Fatalf("Decide() = %v, want a timeout", err)
	}
	for {
		_, err := s.Decide(t.Context(), view)
		if err == nil {
			return
		}
		if o := host.OutcomeOf(err); o != host.Timeout && o != host.Unavailable {
			t.Fatalf("Decide() = %v", err)
		}
	}
}

// A process that leaves call after call unanswered is replaced although it still
// says who it is.
func TestHungSeat(t *testing.T) {
	h, log := newHost(t, quick(), "hang")
	s := open(t, h, "hang", 1)
	for range 3 {
		if _, err := s.Decide(t.Context(), view); host.OutcomeOf(err) != host.Timeout {
			t.Fatalf("Decide() = %v, want a timeout", err)
		}
	}
	if _, err := open(t, h, "hang", 0).Decide(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "too many calls unanswered") {
		t.Error("the log does not say that the process was killed")
	}
}

// A bot that fails again and again has a rest, and comes back.
func TestRest(t *testing.T) {
	o := quick()
	o.Failures, o.Rest = 3, 200*time.Millisecond
	h, _ := newHost(t, o, "error", "good")
	s := open(t, h, "error", 0)
	for range 3 {
		if _, err := s.Decide(t.Context(), view); host.OutcomeOf(err) != host.Failed {
			t.Fatalf("Decide() = %v, want failed", err)
		}
	}
	if _, err := s.Decide(t.Context(), view); host.OutcomeOf(err) != host.Unavailable {
		t.Errorf("Decide() = %v, want unavailable", err)
	}
	if _, err := open(t, h, "good", 0).Decide(t.Context(), view); err != nil {
		t.Errorf("another bot's Decide() = %v", err)
	}
	for {
		_, err := s.Decide(t.Context(), view)
		if host.OutcomeOf(err) == host.Failed {
			return
		}
		if host.OutcomeOf(err) != host.Unavailable {
			t.Fatalf("Decide() = %v", err)
		}
	}
}

// Between two starts of a bot that crashes the host waits longer and longer.
func TestBackoff(t *testing.T) {
	o := quick()
	o.RestartMin, o.RestartMax = 40*time.Millisecond, time.Second
	h, _ := newHost(t, o, "crash-start")
	begin := time.Now()
	for range 5 {
		if _, err := h.Start(t.Context(), "crash-start"); host.OutcomeOf(err) != host.Crashed {
			t.Fatalf("Start() = %v, want crashed", err)
		}
	}
	// 40+80+160+320 ms, each more or less by half.
	if took := time.Since(begin); took < 300*time.Millisecond {
		t.Errorf("five starts took %v, want 300 ms at least", took)
	}
}

// Calls of all seats survive a crash that one of them causes.
func TestCrashBesideOthers(t *testing.T) {
	o := quick()
	o.DecideTimeout = 10 * time.Second
	h, _ := newHost(t, o, "crash-once")
	var wg sync.WaitGroup
	for i := range 4 {
		s := open(t, h, "crash-once", i)
		wg.Go(func() {
			if _, err := s.Decide(t.Context(), view); err != nil {
				t.Errorf("Decide() = %v", err)
			}
		})
	}
	wg.Wait()
}

func TestObserve(t *testing.T) {
	h, _ := newHost(t, host.Options{}, "watcher", "good")
	s := open(t, h, "watcher", 0)
	open(t, h, "good", 0).Observe(view) // does not want it
	s.Observe([]byte(`{"n":1}`))
	s.Observe([]byte(`{"n":2}`))
	s.Observe([]byte(`{"n":40}`))
	deadline := time.Now().Add(5 * time.Second)
	for {
		m, err := s.Decide(t.Context(), view)
		if err != nil {
			t.Fatal(err)
		}
		if m.Args["n"] == 40 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the bot saw %d, want 40", m.Args["n"])
		}
	}
}

// A bot gets nothing of the host's environment.
func TestEnvironment(t *testing.T) {
	t.Setenv("DUDO_SECRET", secret)
	t.Setenv("PATH", "/"+secret+":"+os.Getenv("PATH"))
	h, _ := newHost(t, host.Options{}, "environ")
	if _, err := open(t, h, "environ", 0).Decide(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	paths, _ := filepath.Glob(filepath.Join(host.Dir(h), "*", "environ"))
	if len(paths) != 1 {
		t.Fatalf("files %v, want one", paths)
	}
	data, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), secret) {
		t.Errorf("the bot's environment has the secret: %q", data)
	}
	for _, kv := range strings.Split(string(data), "\x00") {
		switch name, _, _ := strings.Cut(kv, "="); name {
		case "PATH", "DUDO_BOT", "PLUGIN_PROTOCOL_VERSIONS", "PLUGIN_UNIX_SOCKET_DIR", "PLUGIN_CLIENT_CERT",
			"PLUGIN_MIN_PORT", "PLUGIN_MAX_PORT":
		case "PWD": // Go's own, of the directory that the host chose
		default:
			t.Errorf("the bot's environment has %q", name)
		}
	}
}

// What a bot prints does not fill the log.
func TestNoise(t *testing.T) {
	o := quick()
	o.DecideTimeout = 10 * time.Second
	h, log := newHost(t, o, "noisy")
	if _, err := open(t, h, "noisy", 0).Decide(t.Context(), view); err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(log.String()); n > 1<<18 {
		t.Errorf("the log has %d bytes of about 6 MB printed", n)
	}
	for _, want := range []string{"hello, I am a bot", "lines_dropped"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not have %q", want)
		}
	}
}

// Once the two are connected there is no socket.
func TestNoSocket(t *testing.T) {
	h, _ := newHost(t, host.Options{}, "good")
	s := open(t, h, "good", 0)
	err := filepath.Walk(host.Dir(h), func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode()&os.ModeSocket != 0 {
			t.Errorf("there is a socket %s", path)
		}
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others may enter %s: %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Decide(t.Context(), view); err != nil {
		t.Fatal(err)
	}
}

// Close ends calls that wait.
func TestCloseInFlight(t *testing.T) {
	o := quick()
	o.DecideTimeout = time.Minute
	h, _ := newHost(t, o, "hang", "slow")
	s := open(t, h, "hang", 1)
	ended := make(chan error, 2)
	go func() {
		_, err := s.Decide(t.Context(), view)
		ended <- err
	}()
	go func() {
		_, err := h.Start(t.Context(), "slow")
		ended <- err
	}()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := <-ended; host.OutcomeOf(err) != host.Canceled {
			t.Errorf("the call ended with %v, want canceled", err)
		}
	}
	if _, err := h.Open(t.Context(), "hang", host.SeatInfo{}); host.OutcomeOf(err) != host.Canceled {
		t.Errorf("Open() after Close() = %v, want canceled", err)
	}
}

func TestSeatClose(t *testing.T) {
	o := quick()
	o.DecideTimeout = time.Minute
	h, _ := newHost(t, o, "hang")
	s := open(t, h, "hang", 1)
	ended := make(chan error)
	go func() {
		_, err := s.Decide(t.Context(), view)
		ended <- err
	}()
	s.Close()
	if err := <-ended; host.OutcomeOf(err) != host.Canceled {
		t.Errorf("the call ended with %v, want canceled", err)
	}
	var e *host.Error
	if _, err := s.Decide(t.Context(), view); !errors.As(err, &e) || e.Bot != "hang" || e.Outcome != host.Canceled {
		t.Errorf("Decide() after Close() = %v, want canceled", err)
	}
}

// Whatever other bots do, a good one answers in time.
func TestFaultsDelayNobody(t *testing.T) {
	o := host.Options{Failures: 1000} // no rest
	faulty := []string{"crash", "stop", "noisy", "huge", "fork", "panic"}
	h, _ := newHost(t, o, append(faulty, "good")...)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for i, name := range faulty {
		wg.Go(func() {
			for ctx.Err() == nil {
				s, err := h.Open(ctx, name, host.SeatInfo{GID: "TEST-0", Seat: i})
				if err != nil {
					continue
				}
				call, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
				_, _ = s.Decide(call, view)
				cancel()
				s.Close()
			}
		})
	}
	s := open(t, h, "good", 0)
	var took []time.Duration
	for begin := time.Now(); time.Since(begin) < 2*time.Second; {
		called := time.Now()
		if _, err := s.Decide(t.Context(), view); err != nil {
			t.Errorf("Decide() = %v", err)
			break
		}
		took = append(took, time.Since(called))
	}
	cancel()
	wg.Wait()
	slices.Sort(took)
	t.Logf("%d calls beside faulty bots: half within %v, 99 of 100 within %v, all within %v",
		len(took), took[len(took)/2], took[len(took)*99/100], took[len(took)-1])
	if half := took[len(took)/2]; half > 50*time.Millisecond {
		t.Errorf("half of the calls took %v or more, want 50 ms", half)
	}
}
