package front_test

import (
	"encoding/json"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"dudo.example/mcpserver/front"
)

// A wire is one request and all that must come back.
type wire struct {
	name   string
	verb   string   // POST if empty
	path   string   // /mcp if empty
	fields []string // header fields as name, value pairs; "-" takes a default away
	body   string

	status int
	header map[string]string // fields of the reply; "" means absent
	reply  string            // the whole body, or
	has    []string          // parts of it
}

// Header fields and members of the stateless era.
const (
	v0728    = "2026-07-28"
	metaPair = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`
	meta     = `"_meta":{` + metaPair + `}`
)

func modern(method string, more ...string) []string {
	return append([]string{"MCP-Protocol-Version", v0728, "Mcp-Method", method}, more...)
}

func version(v string) []string { return []string{"MCP-Protocol-Version", v} }

func call(tool, args string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
}

func textReply(id, text string) string {
	quoted, _ := json.Marshal(text)
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":` + string(quoted) + `}]}}`
}

func errorReply(id, code, text string) string {
	quoted, _ := json.Marshal(text)
	return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + code + `,"message":` + string(quoted) + `}}`
}

// Fields that every reply with a body has.
var always = map[string]string{
	"Content-Type":           "application/json",
	"Cache-Control":          "no-store",
	"X-Content-Type-Options": "nosniff",
	"Mcp-Session-Id":         "",
}

func TestWire(t *testing.T) {
	s := serve(t, front.Config{
		Hosts:          []string{"dudo.example", "Play.Example:443"},
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")},
	})
	tests := slices.Concat(verbCases(), hostCases(), corsCases(), contentCases(), memberCases(), idCases(),
		legacyCases(), statelessCases(), versionCases(), batchCases(), notificationCases(), toolCases())
	if len(tests) < 90 {
		t.Errorf("only %d requests, want at least 90", len(tests))
	}
	seen := map[string]bool{}
	for _, tt := range tests {
		if seen[tt.name] {
			t.Errorf("two cases are named %q", tt.name)
		}
		seen[tt.name] = true
		t.Run(tt.name, func(t *testing.T) { tt.check(t, s) })
	}
	for _, r := range s.observed() {
		if strings.ContainsAny(r.Method+r.Tool+r.Era, "<>{}") || r.Status == 0 {
			t.Errorf("Observe was given %+v", r)
		}
	}
}

func (tt wire) check(t *testing.T, s *site) {
	verb, path := "POST", "/mcp"
	if tt.verb != "" {
		verb = tt.verb
	}
	if tt.path != "" {
		path = tt.path
	}
	resp, body := send(t, verb, "http://"+s.addr+path, tt.body, tt.fields...)
	if resp.StatusCode != tt.status {
		t.Errorf("status = %d, want %d; body %s", resp.StatusCode, tt.status, body)
	}
	want := map[string]string{}
	if body != "" && path == "/mcp" {
		maps.Copy(want, always)
	}
	maps.Copy(want, tt.header)
	for name, value := range want {
		got := resp.Header.Get(name)
		if name == "Connection" && resp.Close { // the client takes the field away
			got = "close"
		}
		if got != value {
			t.Errorf("%s = %q, want %q", name, got, value)
		}
	}
	if len(resp.Header.Get("X-Request-Id")) != 13 && path != "/nowhere" {
		t.Errorf("X-Request-Id = %q, want 13 characters", resp.Header.Get("X-Request-Id"))
	}
	if len(tt.has) == 0 && body != tt.reply {
		t.Errorf("body = %s\nwant   %s", body, tt.reply)
	}
	for _, part := range tt.has {
		if !strings.Contains(body, part) {
			t.Errorf("body = %s\nwants  %s", body, part)
		}
	}
	if body != "" && path == "/mcp" && !json.Valid([]byte(body)) {
		t.Errorf("body is not JSON: %s", body)
	}
}
