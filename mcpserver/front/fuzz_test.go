package front_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"dudo.example/core/record/corpus"
	"dudo.example/mcpserver/front"
	"github.com/mark3labs/mcp-go/mcp"
)

// FuzzBody holds the walk to its word: what it accepts keeps its value, has one
// form, and reads the same to mcp-go as it did to the checks.
func FuzzBody(f *testing.F) {
	for _, tt := range append(append(memberCases(), idCases()...), statelessCases()...) {
		f.Add([]byte(tt.body))
	}
	cases, err := corpus.JSON()
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range cases {
		f.Add([]byte(call("echo", `{"a":`+c.Text+`}`)))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		canon, handed, method, name, version, ok := front.Read(body)
		if canon == nil {
			return
		}
		if !utf8.Valid(body) || bytes.IndexByte(canon, 0) >= 0 {
			t.Fatalf("accepted %q", body)
		}
		if got, want := decode(t, canon), decode(t, body); !reflect.DeepEqual(got, want) {
			t.Errorf("value changed from %q to %q", body, canon)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, canon); err != nil || !bytes.Equal(compact.Bytes(), canon) {
			t.Errorf("%q is not compact", canon)
		}
		if again, _, _, _, _, _ := front.Read(canon); !bytes.Equal(again, canon) {
			t.Errorf("the form of %q is %q", canon, again)
		}
		if !ok {
			return
		}
		// As mcp-go reads it: by struct tags, blind to case.
		var seen struct {
			Method string `json:"method"`
			Params struct {
				Name string    `json:"name"`
				URI  string    `json:"uri"`
				Meta *mcp.Meta `json:"_meta"`
			} `json:"params"`
		}
		if err := json.Unmarshal(handed, &seen); err != nil {
			if strings.Contains(err.Error(), "cannot unmarshal") {
				return // a member of another type, which mcp-go refuses too
			}
			t.Fatalf("mcp-go is handed %q: %v", handed, err)
		}
		if seen.Method != method {
			t.Errorf("mcp-go reads method %q, the front %q", seen.Method, method)
		}
		if method != "initialize" && seen.Params.Meta.ProtocolVersion() != version {
			t.Errorf("mcp-go reads version %q, the front %q", seen.Params.Meta.ProtocolVersion(), version)
		}
		switch method {
		case "tools/call", "prompts/get":
			if seen.Params.Name != name {
				t.Errorf("mcp-go reads name %q, the front %q", seen.Params.Name, name)
			}
		case "resources/read":
			if seen.Params.URI != name {
				t.Errorf("mcp-go reads uri %q, the front %q", seen.Params.URI, name)
			}
		}
	})
}

// decode returns the value of a JSON text, with numbers as they are written.
func decode(t *testing.T, b []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("decode %q: %v", b, err)
	}
	return v
}

// FuzzServe sends anything through the whole front: whatever comes in, what goes
// out is a known status with JSON or nothing, and the tool that runs is the one
// that a reader of the body and of the headers would expect.
func FuzzServe(f *testing.F) {
	for _, body := range []string{bareCall, call("secret", "{}"), initialize(v0728), "[" + bareCall + "]", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + meta + `,"name":"secret"}}`} {
		f.Add([]byte(body), "", "", "")
		f.Add([]byte(body), v0728, "tools/call", "secret")
		f.Add([]byte(body), "2025-11-25", "tools/list", "=?base64?ZWNobw==?=")
	}
	ran := ""
	m := front.NewMCP("fuzz", "1", "")
	for _, name := range []string{"echo", "secret"} {
		m.AddTool(mcp.NewTool(name), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			ran += name
			return mcp.NewToolResultText("done"), nil
		})
	}
	h := front.New(front.Config{RequestsPerMinute: -1, Log: slog.New(slog.DiscardHandler)}, m)
	f.Fuzz(func(t *testing.T, body []byte, version, method, name string) {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		for field, value := range map[string]string{mcp.HeaderProtocolVersion: version, mcp.HeaderMethod: method, mcp.HeaderName: name} {
			if value != "" {
				r.Header.Set(field, value)
			}
		}
		w := httptest.NewRecorder()
		ran = ""
		h.ServeHTTP(w, r)
		switch w.Code {
		case http.StatusAccepted:
			if w.Body.Len() != 0 {
				t.Errorf("202 with a body: %q", w.Body)
			}
		case http.StatusOK, http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge:
			if !json.Valid(w.Body.Bytes()) {
				t.Errorf("not JSON: %q", w.Body)
			}
		default:
			t.Errorf("status %d", w.Code)
		}
		if ran == "" || body[bytes.IndexAny(body, "[{")] == '[' {
			return
		}
		var plain map[string]json.RawMessage
		var params map[string]json.RawMessage
		var asked, tool string
		if json.Unmarshal(body, &plain) != nil || json.Unmarshal(plain["params"], &params) != nil ||
			json.Unmarshal(plain["method"], &asked) != nil || json.Unmarshal(params["name"], &tool) != nil {
			t.Fatalf("ran %s for %q", ran, body)
		}
		if asked != "tools/call" || tool != ran || method != "" && method != asked {
			t.Errorf("ran %s for %q with Mcp-Method %q, Mcp-Name %q", ran, body, method, name)
		}
		if decoded, ok := mcp.DecodeHeaderValue(name); name != "" && (!ok || decoded != ran) {
			t.Errorf("ran %s for Mcp-Name %q", ran, name)
		}
	})
}
