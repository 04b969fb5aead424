package load_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dudo.example/core/record"
	"dudo.example/mcpserver"
	"dudo.example/mcpserver/front"
	"dudo.example/mcpserver/load"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
)

// serve runs a server in the test's own process, on a log in memory, and gives its address.
func serve(t *testing.T, limits tables.Limits, perMinute int) string {
	t.Helper()
	library, err := rulebook.Offer(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	lobby, err := tables.New(t.Context(), tables.Config{
		Store: record.NewMemory(time.Now), Rules: rulebook.Rulesets(library), LoadRules: rulebook.Load, Key: key, Origin: "dudo.example", Limits: limits,
	})
	if err != nil {
		t.Fatal(err)
	}
	srv, err := mcpserver.New(mcpserver.Config{Lobby: lobby, Front: front.Config{RequestsPerMinute: perMinute}})
	if err != nil {
		t.Fatal(err)
	}
	ln := listen(t)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error)
	go func() { done <- srv.Serve(ctx, ln) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := lobby.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return "http://" + ln.Addr().String()
}

var wide = tables.Limits{NewPerAddr: 1000, AddrWaiters: 1000}

func TestRun(t *testing.T) {
	tests := []struct {
		name     string
		limits   tables.Limits
		options  load.Options
		refusals string // a code that must be among them
	}{
		{name: "until the time is up", limits: wide, options: load.Options{Tables: 6, Duration: 2 * time.Second}},
		{name: "so many games", limits: wide, options: load.Options{Tables: 4, Games: 5, Dice: 1, Duration: time.Minute}},
		{name: "with time to think", limits: wide, options: load.Options{Tables: 2, Games: 2, Dice: 1, Seats: 2, Think: time.Millisecond, Duration: time.Minute}},
		{
			name: "as a stranger", limits: tables.Limits{NewPerAddr: 100, AddrWaiters: 2}, refusals: "too_many_waiters",
			options: load.Options{Tables: 12, Seats: 2, Games: 12, Dice: 1, Think: 20 * time.Millisecond, Duration: time.Minute},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := tt.options
			o.URL = serve(t, tt.limits, -1)
			var phases atomic.Int64
			o.Progress = func(load.Progress) { phases.Add(1) }
			r, err := load.Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Err(); err != nil {
				t.Error(err)
			}
			switch {
			case r.Records.Verified != r.Games || r.Games == 0 || (o.Games > 0 && r.Games != int64(o.Games)):
				t.Errorf("%d games, %d records verified", r.Games, r.Records.Verified)
			case r.Move.Count != r.Moves || r.Moves == 0 || r.Records.Receipts <= r.Moves:
				t.Errorf("%d moves, %d timed, %d receipts", r.Moves, r.Move.Count, r.Records.Receipts)
			case r.Wake.Count == 0 && tt.refusals == "":
				t.Error("no wake was timed")
			case phases.Load() == 0:
				t.Error("no progress was told")
			case tt.refusals == "" && len(r.Refusals) > 0, tt.refusals != "" && r.Refusals[tt.refusals] == 0:
				t.Errorf("refusals %v, want %q", r.Refusals, tt.refusals)
			}
			var text bytes.Buffer
			if err := r.Write(&text); err != nil || !strings.Contains(text.String(), "a second") {
				t.Errorf("Write: %v\n%s", err, &text)
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error(err)
			}
		})
	}
}

// A server that changes one event of one record is found out.
func TestRunFindsAnotherHistory(t *testing.T) {
	target, err := url.Parse(serve(t, wide, -1))
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	var records atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/record/") || records.Add(1) != 2 {
			proxy.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		proxy.ServeHTTP(answer, r)
		_, _ = w.Write(bytes.Replace(answer.Body.Bytes(), []byte(`"action":"challenge"`), []byte(`"action":"Challenge"`), 1))
	}))
	defer srv.Close()
	r, err := load.Run(t.Context(), load.Options{URL: srv.URL, Tables: 2, Games: 4, Dice: 1, Duration: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Err(); err == nil || r.Records.Failed != 1 || r.Records.Verified != r.Games-1 || len(r.Records.Failures) != 1 {
		t.Errorf("a changed record: %v, %+v", err, r.Records)
	}
}

func TestRunWithoutServer(t *testing.T) {
	ln := listen(t)
	_ = ln.Close()
	_, err := load.Run(t.Context(), load.Options{URL: "http://" + ln.Addr().String(), Tables: 1, Duration: time.Second})
	if err == nil || !strings.Contains(err.Error(), "is a server running at") {
		t.Errorf("Run without a server: %v", err)
	}
}

func TestReadMetrics(t *testing.T) {
	text := "# TYPE go_goroutines gauge\ngo_goroutines 12\n# TYPE a_total counter\na_total 3.5\n" +
		"# TYPE by_code counter\nby_code{code=\"x\"} 1\nby_code{code=\"y\"} 2\n"
	status := http.StatusOK
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
	}))
	defer srv.Close()
	got, err := load.ReadMetrics(t.Context(), srv.URL)
	if err != nil || len(got) != 2 || got["go_goroutines"] != 12 || got["a_total"] != 3.5 {
		t.Errorf("ReadMetrics = %v, %v", got, err)
	}
	for what, change := range map[string]func(){
		"not metrics":      func() { text = "<html>" },
		"another status":   func() { status = http.StatusNotFound },
		"no server at all": srv.Close,
	} {
		change()
		if _, err := load.ReadMetrics(t.Context(), srv.URL); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	_, err = load.Run(t.Context(), load.Options{URL: serve(t, wide, -1), Tables: 1, Duration: time.Second, Metrics: srv.URL})
	if err == nil || !strings.Contains(err.Error(), "the metrics") {
		t.Errorf("Run without metrics: %v", err)
	}
}

func TestDrift(t *testing.T) {
	tests := []struct {
		name string
		of   func(i int) load.Sample
		want string // in the error; none if empty
	}{
		{"flat", func(int) load.Sample { return load.Sample{Heap: 50e6, Resident: 90e6, Goroutines: 500, Files: 80} }, ""},
		{"it only fills at first", func(i int) load.Sample { return load.Sample{Heap: 1e6 * float64(min(i, 10)) * 20, Goroutines: 100} }, ""},
		{"small and doubled", func(i int) load.Sample { return load.Sample{Heap: 1e6 * float64(1+i/20), Goroutines: float64(10 + i)} }, ""},
		{"one compaction", func(i int) load.Sample { return load.Sample{Heap: 50e6 + float64(i/39)*400e6} }, ""},
		{"heap", func(i int) load.Sample { return load.Sample{Heap: 50e6 + 1e6*float64(i)} }, "heap"},
		{"resident", func(i int) load.Sample { return load.Sample{Resident: 90e6 + 4e6*float64(i)} }, "resident memory"},
		{"goroutines", func(i int) load.Sample { return load.Sample{Goroutines: float64(100 + 10*i)} }, "goroutines"},
		{"files", func(i int) load.Sample { return load.Sample{Files: float64(100 + 5*i)} }, "open files"},
	}
	for _, tt := range tests {
		var samples []load.Sample
		for i := range 40 {
			samples = append(samples, tt.of(i))
		}
		r := &load.Report{Seconds: 1800, Drift: load.DriftOf(samples), Records: load.Records{Verified: 1}}
		err := r.Err()
		if (err == nil) != (tt.want == "") || (err != nil && !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	short := &load.Report{Seconds: 60, Drift: &load.Drift{Heap: load.Change{Early: 1, Late: 1e9}}, Records: load.Records{Verified: 1}}
	if err := short.Err(); err != nil {
		t.Errorf("growth in a minute: %v", err)
	}
	if d := load.DriftOf(make([]load.Sample, 7)); d != nil {
		t.Errorf("drift of 7 samples: %+v", d)
	}
}
