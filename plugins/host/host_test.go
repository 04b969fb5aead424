package host_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"dudo.example/plugins/host"
)

// secret stands in the environment of the host and must not get into a bot's.
const secret = "swordfish"

// The test binary is also every bot of the tests, and a host to be killed.
func TestMain(m *testing.M) {
	if name := botName(); name != "" {
		bots[name]()
		return
	}
	if dir := os.Getenv("DUDO_TEST_HOST"); dir != "" {
		doomedHost(dir)
		return
	}
	goleak.VerifyTestMain(m)
}

// view is a position in which the seat is to move.
var view = []byte(`{"gid":"TEST-0", "n":17, "your_turn":true, "legal":{"bid":{"1":[3,5],"5":[2,5]},"challenge":{}}}`)

// plugins makes a plugins folder with bots of the tests.
func plugins(t testing.TB, names ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range names {
		to := filepath.Join(dir, "dudo-bot-"+name)
		if os.Link(self, to) == nil {
			continue
		}
		data, err := os.ReadFile(self)
		if err == nil {
			err = os.WriteFile(to, data, 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// log is a place for log lines that may be written at any time.
type log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// newHost makes a host and checks at the end of the test that nothing is left of it.
func newHost(t *testing.T, o host.Options, names ...string) (*host.Host, *log) {
	t.Helper()
	written := new(log)
	temp := shortDir(t)
	o.Dir, o.TempDir = plugins(t, names...), temp
	o.Log = slog.New(slog.NewTextHandler(written, &slog.HandlerOptions{Level: slog.LevelDebug}))
	h, err := host.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("the host has left %v, %v", left, err)
		}
		if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); !errors.Is(err, syscall.ECHILD) {
			t.Errorf("the host has left a process: %d, %v", pid, err)
		}
		if t.Failed() {
			t.Logf("log:\n%.5000s", written)
		}
	})
	return h, written
}

// shortDir is a directory whose path leaves room for a socket's name.
func shortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "dudo-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// quick are options for bots that misbehave.
func quick() host.Options {
	return host.Options{
		StartTimeout: 5 * time.Second, DecideTimeout: 300 * time.Millisecond, CallTimeout: 300 * time.Millisecond,
		RestartMin: time.Millisecond, RestartMax: 10 * time.Millisecond,
	}
}

func open(t testing.TB, h *host.Host, name string, seat int) *host.Seat {
	t.Helper()
	s, err := h.Open(t.Context(), name, host.SeatInfo{GID: "TEST-0", Game: "liars-dice/standard", Seats: 4, Seat: seat, Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDecide(t *testing.T) {
	h, _ := newHost(t, host.Options{}, "echo")
	s, err := h.Open(t.Context(), "echo", host.SeatInfo{
		GID: "TEST-0", Game: "liars-dice/standard", RulesText: "rules", Options: map[string]int64{"dice": 3},
		Actions: map[string][]string{"bid": {"quantity", "face"}}, Seats: 4, Seat: 2, Name: "Eco",
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Decide(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	delete(got.Args, "pid")
	want := host.Move{
		Action: "seat",
		Args:   map[string]int64{"seat": 2, "seats": 4, "dice": 3, "n": 17, "rules": 5},
		Say:    "TEST-0 Eco liars-dice/standard quantity,face",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Decide() (-want +got):\n%s", diff)
	}
	info, ok := h.Lookup("echo")
	if !ok || info.Version != "1.2" {
		t.Errorf("Lookup(echo) = %+v, %v, want version 1.2", info, ok)
	}
}

// One process has all the seats of a bot.
func TestOneProcess(t *testing.T) {
	h, _ := newHost(t, host.Options{}, "echo")
	seats := []*host.Seat{open(t, h, "echo", 0), open(t, h, "echo", 1), open(t, h, "echo", 2)}
	pids := make(map[int64]bool)
	for i, s := range seats {
		m, err := s.Decide(t.Context(), view)
		if err != nil || m.Args["seat"] != int64(i) {
			t.Errorf("Decide() in seat %d = %v, %v", i, m, err)
		}
		pids[m.Args["pid"]] = true
	}
	if len(pids) != 1 {
		t.Errorf("the seats are in processes %v, want one", pids)
	}
}

// A player has one call at a time, and is closed with its seat.
func TestPlayerCalls(t *testing.T) {
	h, _ := newHost(t, host.Options{}, "serial")
	s := open(t, h, "serial", 0)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if m, err := s.Decide(t.Context(), view); err != nil || m.Args["inside"] != 1 {
				t.Errorf("Decide() = %v, %v, want one call inside", m, err)
			}
		})
	}
	wg.Wait()
	other := open(t, h, "serial", 1)
	s.Close()
	for {
		m, err := other.Decide(t.Context(), view)
		if err != nil {
			t.Fatal(err)
		}
		if m.Args["closed"] == 1 {
			return
		}
	}
}

// A bot that uses the SDK ends by itself when the host lets it go.
func TestLeavesByItself(t *testing.T) {
	h, _ := newHost(t, host.Options{StopGrace: time.Hour}, "good")
	open(t, h, "good", 0)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
}

// A bot that somebody starts by hand says what to do instead.
func TestStartedByHand(t *testing.T) {
	cmd := exec.Command(filepath.Join(plugins(t, "good"), "dudo-bot-good"))
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 || !bytes.Contains(out, []byte("plugins folder")) {
		t.Errorf("status %v, output %q", err, out)
	}
}

func TestOutcomes(t *testing.T) {
	tests := []struct {
		bot  string
		want host.Outcome
	}{
		{"good", host.OK},
		{"edge", host.OK},
		{"noisy", host.OK},
		{"crash-start", host.Crashed},
		{"crash", host.Crashed},
		{"crash-once", host.OK},
		{"panic", host.Failed},
		{"error", host.Failed},
		{"stop", host.Timeout},
		{"version2", host.Version},
		{"liar", host.Version},
		{"silent", host.Version},
		{"garbage", host.SlowStart},
		{"mute", host.SlowStart},
		{"slow", host.SlowStart},
		{"nocert", host.Handshake},
		{"outside", host.Handshake},
		{"patterns", host.BadReply},
		{"picky", host.Unsupported},
		{"unwilling", host.Unsupported},
		{"empty", host.BadReply},
		{"longname", host.BadReply},
		{"longarg", host.BadReply},
		{"manyargs", host.BadReply},
		{"longsay", host.BadReply},
		{"badutf8", host.BadReply},
		{"huge", host.Oversize},
		{"nobody", host.NotFound},
	}
	for _, test := range tests {
		t.Run(test.bot, func(t *testing.T) {
			o := quick()
			if test.want == host.SlowStart {
				o.StartTimeout, o.CallTimeout = 500*time.Millisecond, 10*time.Second
			} else if test.want == host.OK || test.want == host.Crashed {
				o.DecideTimeout = 10 * time.Second
			}
			var names []string
			if test.want != host.NotFound {
				names = []string{test.bot}
			}
			h, _ := newHost(t, o, names...)
			s, err := h.Open(t.Context(), test.bot, host.SeatInfo{GID: "TEST-0", Game: "liars-dice/standard", Seats: 2})
			if err == nil {
				_, err = s.Decide(t.Context(), view)
			}
			if got := host.OutcomeOf(err); got != test.want {
				t.Errorf("outcome %q (%v), want %q", got, err, test.want)
			}
			if n := len(fmt.Sprint(err)); n > 600 {
				t.Errorf("the error has %d bytes", n)
			}
		})
	}
}

// The file of a bot must stay as it was.
func TestChecksum(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "dudo-bot-good")
	copyFile(t, self, path)
	h, err := host.New(host.Options{Dir: dir, TempDir: shortDir(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = h.Start(t.Context(), "good")
	if got := host.OutcomeOf(err); got != host.Checksum {
		t.Errorf("outcome %q (%v), want %q", got, err, host.Checksum)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
