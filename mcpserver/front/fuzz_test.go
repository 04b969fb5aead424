package front_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"dudo.example/mcpserver/front"
	"github.com/mark3labs/mcp-go/mcp"
)

// FuzzBody holds the walk to its word: what it accepts keeps its value, has one
// form, and reads the same to mcp-go as it did to the checks.
func FuzzBody(f *testing.F) {
	for _, tt := range append(append(memberCases(), idCases()...), statelessCases()...) {
		f.Add([]byte(tt.body))
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
