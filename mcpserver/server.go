// Package mcpserver puts a lobby of tables on the network: the MCP tools behind the strict front, records for download, and
// health for whoever watches the server.
//
//	POST /mcp              the tools
//	GET  /record/{table}   a table's log with a receipt; of a finished table, its record
//	GET  /healthz          the process answers; degraded, with 200 all the same, while a rule file is not right
//	GET  /readyz           and its store takes moves
//	GET  /                 how to play, in plain text
package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"dudo.example/mcpserver/front"
	"dudo.example/mcpserver/tables"
	"dudo.example/mcpserver/tools"
)

// Config is what a server is made of.
type Config struct {
	Lobby   *tables.Lobby
	Front   front.Config
	Version string
	Ready   func() error   // why moves cannot be taken; nil for never
	Faults  func() []Fault // of rule files; nil for none
	Log     *slog.Logger
}

// Fault is what keeps a rule file, or a new version of it, from being on offer.
type Fault struct {
	File  string `json:"file"`  // its name, without folders
	Error string `json:"error"` // where and why
}

// Server is the HTTP server of a lobby. It does not own the lobby.
type Server struct {
	cfg   Config
	front *front.Front
	http  *http.Server
}

// New makes the server of a lobby. The error is of a rule file that cannot become tools.
func New(cfg Config) (*Server, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	mcp, err := tools.New(cfg.Lobby, tools.Options{Version: cfg.Version, Log: cfg.Log})
	if err != nil {
		return nil, err
	}
	f := front.New(cfg.Front, mcp)
	s := &Server{cfg: cfg, front: f}
	mux := http.NewServeMux()
	mux.Handle("/mcp", f)
	mux.Handle("/record/{table}", f.Guard(http.HandlerFunc(s.record)))
	mux.Handle("/healthz", f.Guard(http.HandlerFunc(s.health)))
	mux.Handle("/readyz", f.Guard(s.ready(false)))
	mux.Handle("/{$}", f.Guard(http.HandlerFunc(s.welcome)))
	mux.Handle("/", f.Guard(http.HandlerFunc(notFound)))
	s.http = front.NewServer("", mux)
	s.http.ErrorLog = slog.NewLogLogger(cfg.Log.Handler(), slog.LevelWarn)
	f.Bound(s.http)
	return s, nil
}

// Refresh makes the tools anew, all at once, after the rules on offer or those that are played have changed. After an error they are
// as they were.
func (s *Server) Refresh() error {
	mcp, err := tools.New(s.cfg.Lobby, tools.Options{Version: s.cfg.Version, Log: s.cfg.Log})
	if err != nil {
		return err
	}
	s.front.Swap(mcp)
	return nil
}

// Admin is what is served to the operator only: health and the metrics.
func (s *Server) Admin(metrics http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	mux.HandleFunc("GET /healthz", s.health)
	mux.HandleFunc("GET /readyz", s.ready(true))
	return mux
}

// Serve answers on the listener until ctx ends. Then it lets calls in progress finish, the waiting ones at once, and
// returns.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	done := make(chan error, 1)
	go func() { done <- s.http.Serve(ln) }()
	select {
	case err := <-done:
		return fmt.Errorf("serve on %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	if err := s.http.Shutdown(drain); err != nil {
		return fmt.Errorf("shut down: %w", errors.Join(err, s.http.Close()))
	}
	return nil
}

// drainTime is how long calls in progress have to finish.
const drainTime = 10 * time.Second
