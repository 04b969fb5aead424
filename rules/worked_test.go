package rules_test

import (
	"os"
	"strings"
	"testing"

	"dudo.example/rules"
)

// standard is the standard game.
func standard(tb testing.TB) *rules.File {
	tb.Helper()
	text, err := os.ReadFile("standard.yaml")
	if err != nil {
		tb.Fatal(err)
	}
	f, err := rules.Parse("standard.yaml", text)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func TestReadExamples(t *testing.T) {
	f := standard(t)
	tests := []struct{ name, text, want string }{
		{"one that comes out", `
examples:
  - name: A bid of one die.
    play: [bid 1 1]
    phase: bidding
    given: {standing: none}
    expect: {turn: 1, standing: {seat: 0, quantity: 1, face: 1}}
`, ""},
		{"one that does not", `
examples:
  - name: Everybody passes.
    phase: bidding
    play: [bid 1 1]
    expect: {turn: 0}
`, `extra.yaml:6:14: example "Everybody passes.": turn is 1, want 0`},
		{"an unknown variable", `
examples:
  - name: No such thing.
    given: {purse: 3}
`, "extra.yaml:4:13: unknown variable purse"},
		{"an unknown action", `
examples:
  - name: No such move.
    play: [pass]
`, "extra.yaml:4:12: there is no action pass"},
		{"a whole rule file", string(f.Text), "unknown key dudo in a file of examples"},
		{"no examples", "legal: [bid 1 1]\n", "unknown key legal in a file of examples; it takes examples"},
		{"no mapping", "- name: x\n", "a rule file is a mapping"},
	}
	for _, tt := range tests {
		var got string
		list, err := f.ReadExamples("extra.yaml", []byte(tt.text))
		if err != nil {
			got = err.Error()
		}
		for _, e := range list {
			if err := e.Run(); err != nil {
				got += err.Error()
			}
		}
		if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Other games' examples can be asked of a variant: reading them changes nothing of the file.
func TestReadExamplesLeavesTheFile(t *testing.T) {
	f := standard(t)
	n := len(f.Examples())
	if _, err := f.ReadExamples("extra.yaml", []byte("examples:\n  - name: Nothing happens.\n")); err != nil {
		t.Fatal(err)
	}
	if got := len(f.Examples()); got != n || n == 0 {
		t.Errorf("the file has %d examples, want %d", got, n)
	}
	for _, e := range f.Examples() {
		if e.Name == "" || e.Line == 0 {
			t.Errorf("example %+v has no name or line", e)
		}
	}
}
