package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"dudo.example/mcpserver/front"
	"dudo.example/mcpserver/tables"
)

func (s *Server) record(w http.ResponseWriter, r *http.Request) {
	file, err := s.cfg.Lobby.Record(r.Context(), r.PathValue("table"))
	var refusal *tables.Refusal
	switch {
	case errors.As(err, &refusal):
		answer(w, http.StatusNotFound, "There is no such table, or its record has expired.")
		return
	case err != nil:
		s.cfg.Log.ErrorContext(r.Context(), "a record could not be read", "error", err)
		answer(w, http.StatusInternalServerError, "Internal error, reference "+front.RequestID(r.Context())+".")
		return
	}
	var b bytes.Buffer
	if err := file.Write(&b); err != nil {
		panic(err) // a buffer takes everything
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	_, _ = w.Write(b.Bytes())
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	answer := map[string]any{"status": "ok", "version": s.cfg.Version}
	if s.cfg.Faults != nil {
		if faults := s.cfg.Faults(); len(faults) > 0 {
			answer["status"], answer["rules"] = "degraded", faults
		}
	}
	writeJSON(w, http.StatusOK, answer)
}

// ready says whether moves are taken. Why they are not is for the operator only.
func (s *Server) ready(reason bool) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if s.cfg.Ready != nil {
			if err := s.cfg.Ready(); err != nil {
				answer := map[string]any{"status": "not ready"}
				if reason {
					answer["reason"] = err.Error()
				}
				writeJSON(w, http.StatusServiceUnavailable, answer)
				return
			}
		}
		writeJSON(w, http.StatusOK, map[string]any{"status": "ready"})
	}
}

func (s *Server) welcome(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	rules := s.cfg.Lobby.Rules()[0]
	_, _ = fmt.Fprintf(w, "%s\n\n%s\n\nThis is an MCP server for agents. Add it to a client, with no key and no sign-up:\n\n  %s\n\nor ask it with curl:\n\n  %s\n",
		rules.Title, rules.About, ClientLine("http://"+r.Host), CurlLine("http://"+r.Host))
}

// ClientLine is the command that adds the server at an address to Claude Code.
func ClientLine(address string) string {
	return "claude mcp add --transport http dudo " + address + "/mcp"
}

// CurlLine is the command that asks the server at an address for its tables.
func CurlLine(address string) string {
	return "curl -s " + address + `/mcp -H 'content-type: application/json' ` +
		`-d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tables","arguments":{}}}'`
}

func notFound(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusNotFound, "There is nothing here; agents talk to /mcp, records are at /record/{table}.")
}

func answer(w http.ResponseWriter, status int, sentence string) {
	writeJSON(w, status, map[string]any{"error": sentence})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
