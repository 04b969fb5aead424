package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"dudo.example/core/record/corpus"
)

// Names, nonces and talk of strangers, as they come over HTTP. Each call asks for something that is refused as well, so that a text
// that is fine changes nothing: a seat at a table that does not exist, and a bid of more dice than there are.
func TestWordsOverHTTP(t *testing.T) {
	cases, err := corpus.Words()
	if err != nil {
		t.Fatal(err)
	}
	address, _, _ := serve(t, nil)
	token := startedGame(t, address)
	for _, c := range cases {
		for reader, ask := range map[string]struct{ tool, args, otherwise string }{
			"name":  {"join_table", `{"table":"ZZZZ","name":%s}`, "no_such_table"},
			"nonce": {"join_table", `{"table":"ZZZZ","name":"ann","nonce":%s}`, "no_such_table"},
			"talk":  {"bid", `{"token":"` + token + `","quantity":30,"face":6,"say":%s}`, "bad_argument"},
		} {
			want := c.Says[reader]
			switch {
			case !utf8.ValidString(c.Text):
				want = "The body is not valid UTF-8."
			case strings.Contains(c.Text, "\x00"):
				want = "A string in the body has a NUL character."
			}
			code, sentence := refusal(t, address, ask.tool, fmt.Sprintf(ask.args, quoted(c.Text)))
			if (want == "" && code != ask.otherwise) || (want != "" && sentence != want) {
				t.Errorf("%s %q: %s %q, want %q, or %s", reader, c.Text, code, sentence, want, ask.otherwise)
			}
			if len(c.Text) > 12 && strings.Contains(sentence, c.Text) {
				t.Errorf("%s %q: the sentence repeats it: %s", reader, c.Text, sentence)
			}
		}
	}
}

// startedGame gives the token of whoever opens the bidding of a game of two.
func startedGame(t *testing.T, address string) string {
	t.Helper()
	var made struct{ Table string }
	answer(t, address, "create_table", `{"seats":2,"turn_seconds":120}`, &made)
	tokens := make([]string, 2)
	for i := range tokens {
		var seat struct{ Token string }
		answer(t, address, "join_table", fmt.Sprintf(`{"table":%q,"name":"p%d"}`, made.Table, i), &seat)
		tokens[i] = seat.Token
	}
	var state struct{ Turn int }
	answer(t, address, "start_game", fmt.Sprintf(`{"token":%q}`, tokens[0]), &state)
	answer(t, address, "get_state", fmt.Sprintf(`{"token":%q}`, tokens[0]), &state)
	return tokens[state.Turn]
}

// quoted writes a string of JSON as a stranger would, bytes that are no UTF-8 as they are.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// reply is what comes back for a call of a tool.
type reply struct {
	Result struct {
		IsError bool
		Content []struct{ Text string }
		Meta    struct{ Code string } `json:"_meta"`
	}
	Error struct{ Message string }
}

func post(t *testing.T, address, tool, args string) reply {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
	res, err := http.Post(address+"/mcp", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var r reply
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	return r
}

// refusal gives why a call was refused, by its code if the tool did it, and by its sentence.
func refusal(t *testing.T, address, tool, args string) (code, sentence string) {
	t.Helper()
	r := post(t, address, tool, args)
	if r.Error.Message != "" {
		return "", r.Error.Message
	}
	if !r.Result.IsError {
		t.Fatalf("%s %q was not refused: %+v", tool, args, r.Result)
	}
	return r.Result.Meta.Code, r.Result.Content[0].Text
}

func answer(t *testing.T, address, tool, args string, to any) {
	t.Helper()
	r := post(t, address, tool, args)
	if r.Result.IsError || len(r.Result.Content) != 1 {
		t.Fatalf("%s %s: %+v", tool, args, r)
	}
	if err := json.Unmarshal([]byte(r.Result.Content[0].Text), to); err != nil {
		t.Fatal(err)
	}
}
