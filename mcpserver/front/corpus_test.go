package front_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"dudo.example/core/record/corpus"
	"dudo.example/mcpserver/front"
)

// What looks like JSON, in a tool's arguments: it reaches the tool with its value, or is refused with a sentence and status 400.
func TestJSONCorpus(t *testing.T) {
	cases, err := corpus.JSON()
	if err != nil || len(cases) < 400 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	s := serve(t, front.Config{})
	for _, c := range cases {
		sent := `{"a":` + c.Text + `}`
		resp, body := post(t, s, call("echo", sent))
		var reply struct {
			Result struct{ Content []struct{ Text string } }
			Error  struct{ Message string }
		}
		if err := json.Unmarshal([]byte(body), &reply); err != nil {
			t.Fatalf("%.80q: %v in %q", sent, err, body)
		}
		status := 400
		if c.Says["http"] == "" {
			status = 200
			if len(reply.Result.Content) != 1 || !reflect.DeepEqual(decode(t, []byte(reply.Result.Content[0].Text)), decode(t, []byte(sent))) {
				t.Errorf("the tool was called with %s, want the value of %.80q", body, sent)
			}
		}
		if resp.StatusCode != status || reply.Error.Message != c.Says["http"] {
			t.Errorf("%.80q: %d %q, want %d %q", sent, resp.StatusCode, reply.Error.Message, status, c.Says["http"])
		}
	}
}
