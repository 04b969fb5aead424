package mcpserver_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"dudo.example/core/record"
	"dudo.example/mcpserver"
	"dudo.example/mcpserver/client"
	"dudo.example/mcpserver/front"
	"dudo.example/mcpserver/metrics"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve runs a server on a loopback address until the test ends.
func serve(t *testing.T, ready func() error) (address string, admin http.Handler, logs *bytes.Buffer) {
	t.Helper()
	logs = &bytes.Buffer{}
	log := slog.New(mcpserver.WithRequest(slog.NewTextHandler(logs, nil)))
	counts := metrics.New()
	address, lobby, s := serveLobby(t, mcpserver.Config{Ready: ready, Log: log, Front: front.Config{Log: log, Observe: counts.Request}}, counts)
	counts.Watch(lobby)
	return address, s.Admin(counts.Handler()), logs
}

// serveLobby runs a server as it is configured, on a lobby that offers what ships.
func serveLobby(t *testing.T, cfg mcpserver.Config, observe ...tables.Observer) (address string, lobby *tables.Lobby, s *mcpserver.Server) {
	t.Helper()
	files, err := rulebook.Offer(nil)
	if err != nil {
		t.Fatal(err)
	}
	lobbyConfig := tables.Config{
		Store: record.NewMemory(time.Now), Rules: rulebook.Rulesets(files), Origin: "dudo.example", Log: cfg.Log, LoadRules: rulebook.Load,
		Key: ed25519.NewKeyFromSeed([]byte("a server's key for tests, 32 B. ")),
	}
	if len(observe) > 0 {
		lobbyConfig.Observe = observe[0]
	}
	if lobby, err = tables.New(t.Context(), lobbyConfig); err != nil {
		t.Fatal(err)
	}
	cfg.Lobby, cfg.Version, cfg.Front.RequestsPerMinute = lobby, "test", -1
	if s, err = mcpserver.New(cfg); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, ln) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-done, lobby.Close(context.Background())); err != nil {
			t.Error(err)
		}
	})
	return "http://" + ln.Addr().String(), lobby, s
}

func get(t *testing.T, url string) (int, http.Header, string) {
	t.Helper()
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(body)
}

func TestRoutes(t *testing.T) {
	address, _, _ := serve(t, nil)
	tests := []struct {
		path, kind string
		status     int
		body       string // a part of it
	}{
		{"/healthz", "application/json", 200, `"status":"ok"`},
		{"/readyz", "application/json", 200, `"status":"ready"`},
		{"/", "text/plain; charset=utf-8", 200, "claude mcp add --transport http dudo " + address + "/mcp"},
		{"/record/ZZZZ", "application/json", 404, "There is no such table"},
		{"/record/..%2f..%2fetc%2fpasswd", "application/json", 404, "There is no such table"},
		{"/record/", "application/json", 404, "/record/{table}"},
		{"/favicon.ico", "application/json", 404, "nothing here"},
		{"/metrics", "application/json", 404, "nothing here"},
		{"/mcp", "application/json", 405, ""},
	}
	for _, tt := range tests {
		status, header, body := get(t, address+tt.path)
		if status != tt.status || header.Get("Content-Type") != tt.kind || !strings.Contains(body, tt.body) {
			t.Errorf("GET %s: %d %s %.200s, want %d %s with %q", tt.path, status, header.Get("Content-Type"), body, tt.status, tt.kind, tt.body)
		}
	}
}

func TestNotReady(t *testing.T) {
	address, admin, _ := serve(t, func() error { return errors.New("the disk is full") })
	if status, _, body := get(t, address+"/readyz"); status != 503 || !strings.Contains(body, "not ready") || strings.Contains(body, "disk") {
		t.Errorf("readyz: %d %s", status, body)
	}
	if status, _, _ := get(t, address+"/healthz"); status != 200 {
		t.Errorf("healthz: %d", status)
	}
	w := httptest.NewRecorder()
	admin.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	if w.Code != 503 || !strings.Contains(w.Body.String(), "the disk is full") {
		t.Errorf("the admin's readyz: %d %s", w.Code, w.Body)
	}
}

// What an operator sees counts what happened, and holds no secret.
func TestMetricsAndLogs(t *testing.T) {
	address, admin, logs := serve(t, nil)
	c := client.New(address, 1)
	defer c.Close()
	call := func(tool string, args map[string]any) map[string]any {
		t.Helper()
		var out map[string]any
		if err := c.Call(t.Context(), tool, args, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	table := call("create_table", map[string]any{"public": false, "dice": 1})["table"]
	ann := call("join_table", map[string]any{"name": "ann", "table": table})["token"]
	bob := call("join_table", map[string]any{"name": "bob", "table": table})["token"]
	call("start_game", map[string]any{"token": ann})
	var refusal *client.Refusal
	if err := c.Call(t.Context(), "challenge", map[string]any{"token": ann}, nil); !errors.As(err, &refusal) || refusal.Code != "illegal_move" {
		t.Errorf("challenge without a bid: %v", err)
	}
	call("bid", map[string]any{"token": ann, "quantity": 2, "face": 6, "say": "a secret plan"})
	call("get_state", map[string]any{"token": bob, "wait_seconds": 1})
	end := call("challenge", map[string]any{"token": bob})
	text, err := c.Record(t.Context(), table.(string))
	if err != nil || !bytes.Contains(text, []byte(`"type":"end"`)) {
		t.Errorf("the record is %s (%v)", text, err)
	}

	w := httptest.NewRecorder()
	admin.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, want := range []string{
		`dudo_moves_total{action="bid"} 1`,
		`dudo_moves_total{action="challenge"} 1`,
		`dudo_refusals_total{code="illegal_move"} 1`,
		`dudo_open_tables 0`,
		`dudo_kept_tables 1`,
		`dudo_tool_seconds_count{tool="get_state"} 1`,
		`process_open_fds`,
		`go_goroutines`,
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the metrics have no line %s", want)
		}
	}
	for _, want := range []string{"msg=\"game started\"", "request=", "table=" + table.(string)[:4]} {
		if !strings.Contains(logs.String(), want) {
			t.Errorf("the log has no %s:\n%s", want, logs)
		}
	}
	hands, _ := json.Marshal(end["last_showdown"])
	for what, secret := range map[string]string{
		"a token": ann.(string), "the other token": bob.(string), "the seed": end["seed"].(string), "the table's code": table.(string),
		"talk": "a secret plan", "the hands": string(hands),
	} {
		if strings.Contains(w.Body.String(), secret) {
			t.Errorf("the metrics hold %s", what)
		}
		if strings.Contains(logs.String(), secret) {
			t.Errorf("the log holds %s", what)
		}
	}
}
