package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"dudo.example/mcpserver/front"
	"dudo.example/mcpserver/tools"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// golden compares with a file in testdata, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// A site is the tools behind the real front, on a loopback port.
type site struct {
	url string
	log *lockedBuffer

	mu      sync.Mutex
	results []front.Result
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func serve(t testing.TB, l tools.Lobby) *site {
	t.Helper()
	s := &site{log: &lockedBuffer{}}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	mcp, err := tools.New(l, tools.Options{Version: "1.2.3", Log: log})
	if err != nil {
		t.Fatal(err)
	}
	srv := front.NewServer("", front.New(front.Config{RequestsPerMinute: -1, Log: log, Observe: func(r front.Result) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.results = append(s.results, r)
	}}, mcp))
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.url = "http://" + ln.Addr().String() + "/mcp"
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ln) }()
	t.Cleanup(func() {
		if err := srv.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		<-done
		http.DefaultClient.CloseIdleConnections()
	})
	return s
}

// refusals are the codes that the front was told.
func (s *site) refusals() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var codes []string
	for _, r := range s.results {
		codes = append(codes, r.Refusal)
	}
	return codes
}

// post sends a JSON-RPC request and gives its result.
func (s *site) post(ctx context.Context, t testing.TB, method string, params any) (json.RawMessage, error) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Result json.RawMessage
		Error  json.RawMessage
	}
	if err := json.Unmarshal(text, &reply); err != nil || reply.Error != nil {
		t.Fatalf("%s: status %d: %s (%v)", method, resp.StatusCode, text, err)
	}
	return reply.Result, nil
}

// outcome is a tool's result as a client reads it.
type outcome struct {
	text    string
	isError bool
	code    string
	raw     string
}

// call calls a tool with arguments as JSON text; "" leaves them out.
func (s *site) call(t testing.TB, tool, args string) outcome {
	t.Helper()
	params := map[string]any{"name": tool}
	if args != "" {
		params["arguments"] = json.RawMessage(args)
	}
	raw, err := s.post(t.Context(), t, "tools/call", params)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Content []struct{ Type, Text string }
		IsError bool
		Meta    struct{ Code string } `json:"_meta"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Content) != 1 || r.Content[0].Type != "text" || strings.Contains(string(raw), "structuredContent") {
		t.Fatalf("%s %s: %s, want one block of text and nothing else", tool, args, raw)
	}
	return outcome{r.Content[0].Text, r.IsError, r.Meta.Code, string(raw)}
}
