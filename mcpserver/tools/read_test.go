package tools_test

import (
	"encoding/json"
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"testing"

	"dudo.example/mcpserver/tools"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// handlers are the tools without the front, as any transport may call them.
func handlers(t testing.TB, l tools.Lobby, log *slog.Logger) map[string]server.ToolHandlerFunc {
	t.Helper()
	s, err := tools.New(l, tools.Options{Log: log})
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]server.ToolHandlerFunc{}
	for name, tool := range s.ListTools() {
		m[name] = tool.Handler
	}
	return m
}

// request has arguments as they come from the wire, if they are a json.RawMessage, or as a Go program passes them.
func request(args any) mcp.CallToolRequest {
	var r mcp.CallToolRequest
	if raw, ok := args.(json.RawMessage); ok {
		r.Params.RawArguments = raw
	} else {
		r.Params.Arguments = args
	}
	return r
}

func textOf(t testing.TB, r *mcp.CallToolResult) string {
	t.Helper()
	if len(r.Content) != 1 {
		t.Fatalf("%d blocks, want one", len(r.Content))
	}
	text, ok := r.Content[0].(mcp.TextContent)
	if !ok {
		t.Fatalf("%T, want text", r.Content[0])
	}
	return text.Text
}

func TestArgumentsThatAreNoObject(t *testing.T) {
	const object = "The arguments must be a JSON object."
	tests := []struct {
		args any
		want string
	}{
		{json.RawMessage(`[]`), object},
		{json.RawMessage(`"secret"`), object},
		{json.RawMessage(`7`), object},
		{json.RawMessage(`{"token":`), object},
		{json.RawMessage(`{} {}`), object},
		{[]int{1}, object},
		{make(chan int), object},
		{json.RawMessage(`{"token":"T","since":1e999}`), "since must be an integer of 0 or more."},
		{json.RawMessage(`{"token":"T","since":"1e999"}`), "since must be an integer of 0 or more."},
		{json.RawMessage(`{"token":"T","since":1e18}`), "since must be an integer of 0 or more."}, // no float keeps it
		{map[string]any{"token": 7}, "token must be the token that join_table gave you."},
		{map[string]any{"token": "T", "since": 3.0}, `{"call":"state invalid IP {Token:T Table: Wait:0s Since:3 Nonce: Stop:<nil>} stop=false"}`},
		{nil, "get_state needs token, or table to watch a game without a seat."},
	}
	call := handlers(t, both(), nil)["get_state"]
	for _, tt := range tests {
		r, err := call(t.Context(), request(tt.args))
		if err != nil {
			t.Errorf("%v: %v", tt.args, err)
		} else if got := textOf(t, r); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.args, got, tt.want)
		}
	}
}

// refused is what a sentence about arguments can be: words of ours around names of ours.
var refused = regexp.MustCompile(`^(The arguments must be a JSON object\.|[a-z_]+ takes (no arguments|only [a-z_, ]+)\.` +
	`|[a-z_]+ needs [a-z_]+: [a-zA-Z0-9/,:;'._ -]+\.|[a-z_]+ must be [a-zA-Z0-9/,:;'._ -]+\.|get_state needs token, or table to watch a game without a seat\.` +
	`|(The options of )?[a-z/-]+(, with their defaults, are [a-z0-9_(), ]+| has no options)\.)$`)

// FuzzArguments sends anything to every tool: it calls the lobby, or refuses in words of its own.
func FuzzArguments(f *testing.F) {
	l := both()
	calls := handlers(f, l, nil)
	names := slices.Sorted(maps.Keys(calls))
	for i := range names {
		for _, seed := range []string{
			``, `null`, `{}`, `[]`, `{"token":"T","quantity":"2","face":2.0,"say":"hi","on":3}`, `{"token":"T","bots":["croupier"]}`,
			`{"token":"T","bots":"croupier,mybot"}`, `{"token":"T","since":1e3,"wait_seconds":20}`, `{"rules":"liars-dice/perudo","public":"true"}`,
			`{"name":"ann","table":"ZCLP","nonce":"n"}`, `{"token":{"a":[1,{}]}}`, `{"quantity":-0}`, `{"a":"\ud800"}`, `{"bots":""}`, `{"bots":"\u0000"}`,
		} {
			f.Add(uint8(i), []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, args []byte) {
		name := names[int(which)%len(names)]
		before := len(l.calls)
		r, err := calls[name](t.Context(), request(json.RawMessage(args)))
		if err != nil {
			t.Fatal(err)
		}
		text := textOf(t, r)
		switch {
		case r.IsError && !refused.MatchString(text):
			t.Errorf("%s %q: %s", name, args, text)
		case r.IsError && len(l.calls) != before:
			t.Errorf("%s %q: refused, but the lobby was asked", name, args)
		case !r.IsError && (len(l.calls) != before+1 || !json.Valid([]byte(text))):
			t.Errorf("%s %q: %d calls, result %s", name, args, len(l.calls)-before, text)
		}
	})
}
