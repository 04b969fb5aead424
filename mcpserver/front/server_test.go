package front_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"dudo.example/mcpserver/front"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// A site is a front on a loopback port, with tools of its own.
type site struct {
	url     string // of the MCP path
	addr    string
	srv     *http.Server
	waiting chan struct{} // a wait tool has begun
	ended   chan error    // the context's error of a wait that ended by it
	release chan struct{} // ends a wait

	mu      sync.Mutex
	results []front.Result
	log     bytes.Buffer
}

func (s *site) observed() []front.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]front.Result(nil), s.results...)
}

func (s *site) logged() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

type lockedWriter struct{ s *site }

func (w lockedWriter) Write(p []byte) (int, error) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	return w.s.log.Write(p)
}

// serve starts a site that ends with the test.
func serve(t testing.TB, cfg front.Config, tweaks ...func(*http.Server)) *site {
	t.Helper()
	s := &site{
		waiting: make(chan struct{}, 64),
		ended:   make(chan error, 64),
		release: make(chan struct{}),
	}
	cfg.Log = slog.New(slog.NewTextHandler(lockedWriter{s}, nil))
	cfg.Observe = func(r front.Result) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.results = append(s.results, r)
	}
	if cfg.RequestsPerMinute == 0 {
		cfg.RequestsPerMinute = -1
	}
	f := front.New(cfg, tools(s))
	mux := http.NewServeMux()
	mux.Handle("/mcp", f)
	mux.Handle("/healthz", f.Guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, front.ClientAddr(r.Context()).String())
	})))
	mux.Handle("/panic", f.Guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("seed 42") })))
	mux.HandleFunc("/", front.NotFound)
	s.srv = front.NewServer("", mux)
	f.Bound(s.srv)
	for _, tweak := range tweaks {
		tweak(s.srv)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = l.Addr().String()
	s.url = "http://" + s.addr + "/mcp"
	served := make(chan error, 1)
	go func() { served <- s.srv.Serve(l) }()
	t.Cleanup(func() {
		_ = s.srv.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Errorf("Serve = %v", err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	return s
}

// tools returns a server with the tools of the tests.
func tools(s *site) *server.MCPServer {
	m := front.NewMCP("test", "1.0.0", "Say something to echo.")
	m.AddTool(mcp.NewTool("echo", mcp.WithDescription("answers with its arguments, byte for byte")),
		func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			raw, _ := req.GetRawArguments().(json.RawMessage)
			return mcp.NewToolResultText(string(raw)), nil
		})
	m.AddTool(mcp.NewTool("secret", mcp.WithDescription("the tool that nobody should reach by accident")),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("secret"), nil
		})
	m.AddTool(mcp.NewTool("who", mcp.WithDescription("answers with the client's address and the fields it sees")),
		func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if front.RequestID(ctx) == "" {
				return nil, errors.New("no request id")
			}
			var seen []string
			for field := range req.Header {
				seen = append(seen, strings.ToLower(field))
			}
			return mcp.NewToolResultText(front.ClientAddr(ctx).String() + " " + strings.Join(seen, " ")), nil
		})
	m.AddTool(mcp.NewTool("refuse", mcp.WithDescription("refuses")),
		func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			front.Refused(ctx, "not_your_turn")
			return mcp.NewToolResultError("It is not your turn."), nil
		})
	m.AddTool(mcp.NewTool("fail", mcp.WithDescription("returns an error")),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, errors.New("disk on fire at /var/lib")
		})
	m.AddTool(mcp.NewTool("panic", mcp.WithDescription("panics")),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("seed 42") })
	m.AddTool(mcp.NewTool("wait", mcp.WithDescription("waits until released, drained or left")),
		func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s.waiting <- struct{}{}
			select {
			case <-s.release:
				return mcp.NewToolResultText("released"), nil
			case <-front.Draining(ctx):
				return mcp.NewToolResultText("drained"), nil
			case <-ctx.Done():
				s.ended <- ctx.Err()
				return nil, ctx.Err()
			}
		})
	m.AddTool(mcp.NewTool("nap", mcp.WithDescription("takes a second")),
		func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			select {
			case <-time.After(time.Second):
				return mcp.NewToolResultText("rested"), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		})
	return m
}

// post sends a body with the header fields given as name, value pairs.
func post(t testing.TB, s *site, body string, fields ...string) (*http.Response, string) {
	t.Helper()
	return send(t, http.MethodPost, s.url, body, fields...)
}

func send(t testing.TB, verb, url, body string, fields ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(verb, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if verb == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	seen := map[string]bool{}
	for i := 0; i < len(fields); i += 2 {
		name := http.CanonicalHeaderKey(fields[i])
		switch {
		case name == "Host":
			req.Host = fields[i+1]
		case fields[i+1] == "-":
			req.Header.Del(name)
		case seen[name]:
			req.Header.Add(name, fields[i+1])
		default:
			req.Header.Set(name, fields[i+1])
			seen[name] = true
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, strings.TrimSpace(string(b))
}
