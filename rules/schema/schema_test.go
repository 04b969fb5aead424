package schema_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"dudo.example/rules"
	"dudo.example/rules/schema"
	"dudo.example/rules/shape"
)

// compiled is the schema as another library reads it.
func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	text, err := schema.JSON()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("dudo.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("dudo.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tree reads YAML with its keys in order.
func tree(t testing.TB, text []byte) any {
	t.Helper()
	var v any
	if err := yaml.UnmarshalWithOptions(text, &v, yaml.UseOrderedMap()); err != nil {
		t.Fatal(err)
	}
	return v
}

// plain is a tree as a validator takes it.
func plain(t testing.TB, v any) any {
	t.Helper()
	text, err := yaml.MarshalWithOptions(v, yaml.JSON())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return doc
}

// files are the rule files that ship and those of the tests, by name.
func files(t testing.TB) map[string][]byte {
	t.Helper()
	texts := map[string][]byte{}
	for _, pattern := range []string{"../*.yaml", "../testdata/*.yaml", "../tutorial/*.yaml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			text, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			texts[p] = text
		}
	}
	if len(texts) < 5 {
		t.Fatalf("only %d rule files were found", len(texts))
	}
	return texts
}

func TestEveryRuleFileFits(t *testing.T) {
	s := compiled(t)
	for name, text := range files(t) {
		if err := s.Validate(plain(t, tree(t, text))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBrokenFilesAreRefused(t *testing.T) {
	s := compiled(t)
	standard := files(t)["../standard.yaml"]
	tests := []struct{ name, old, new string }{
		{"an unknown key of the file", "limits: {", "limit: {"},
		{"an unknown key of an option", "default: 3", "standard: 3"},
		{"a needed key that is missing", "title: ", "# title: "},
		{"another version", "dudo: 1", "dudo: 2"},
		{"an id in capitals", "liars-dice/standard", "Liars Dice"},
		{"three seats", "seats: [2, 6]", "seats: [2, 4, 6]"},
		{"eleven seats", "seats: [2, 6]", "seats: [2, 11]"},
		{"a number as text", "moves: 5000", "moves: many"},
		{"an option of two kinds", "int: [1, 5], default: 3", "int: [1, 5], default: 3, bool: yes"},
		{"a variable of no kind", "{seat: 0, doc: whose turn it is}", "{doc: whose turn it is}"},
		{"a list without bounds", "list: dice, of: [1, 6]", "list: dice"},
		{"each of something else", "missed: {each: seat", "missed: {each: die"},
		{"a function without parentheses", "dice_in_play():", "dice_in_play:"},
		{"steps that are no list", "then:\n      - goto: bidding", "then:\n      goto: bidding"},
		{"a clock without timeout", "clock: yes", "clock: often"},
		{"an unknown step", "- reveal: hand", "- show: hand"},
		{"a step of two kinds", "- reveal: hand", "- reveal: hand\n            hide: hand"},
		{"then without if", "- if: live() == 1\n      then", "- when: live() == 1\n      then"},
		{"an end that is not now", "end: now", "end: soon"},
		{"a call without arguments", "call: new_round(me)", "call: new_round"},
		{"an action without steps", "        when: standing.quantity > 0\n", "        when: standing.quantity > 0\n        did: []\n"},
		{"a result of two kinds", "rank: 'place[seat]", "payoff: 1\n  rank: 'place[seat]"},
		{"an example without a name", "- name: There is nothing to challenge before the first bid.\n    phase", "- phase"},
		{"a move that is none", "legal: [bid 1 1, bid 6 6]", "legal: [bid one one]"},
		{"a position that is a number", "given: {hand: [[1, 2, 3], [4, 4, 4]]}\n    illegal: [challenge]", "given: 3"},
	}
	for _, tt := range tests {
		text := strings.Replace(string(standard), tt.old, tt.new, 1)
		if text == string(standard) {
			t.Errorf("%s: the standard game has no %q", tt.name, tt.old)
			continue
		}
		if err := s.Validate(plain(t, tree(t, []byte(text)))); err == nil {
			t.Errorf("%s: the schema takes it", tt.name)
		}
		if _, err := rules.Parse(tt.name, []byte(text)); err == nil {
			t.Errorf("%s: the reader takes it", tt.name)
		}
	}
}

// What the schema refuses, the reader refuses: with values of every file, one at a time, replaced by some of another kind.
func TestSchemaRefusesNothingThatIsRight(t *testing.T) {
	s := compiled(t)
	random := rand.New(rand.NewPCG(1, 2))
	refused, both := 0, 0
	for name, text := range files(t) {
		root := tree(t, text)
		mutate(root, func(put func(any)) {
			for _, other := range []any{"none", 7, true, []any{1, 2}, []any{}, yaml.MapSlice{{Key: "surplus", Value: 1}}, nil} {
				if random.IntN(80) > 0 {
					continue
				}
				put(other)
				fault := s.Validate(plain(t, root))
				if fault == nil {
					continue
				}
				refused++
				out, err := yaml.Marshal(root)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := rules.Parse(name, out); err != nil {
					both++
				} else if refused-both < 5 {
					t.Errorf("%s with %v: the reader takes what the schema refuses: %v\n%s", name, other, fault, out)
				}
			}
		})
	}
	if refused < 100 {
		t.Errorf("the schema refused %d files, want more", refused)
	}
	t.Logf("the schema refused %d files, and so did the reader", both)
}

// mutate calls f for every value of a tree with a way to put another in its place, and puts it back.
func mutate(v any, f func(put func(any))) {
	switch v := v.(type) {
	case yaml.MapSlice:
		for i := range v {
			old := v[i].Value
			f(func(other any) { v[i].Value = other })
			v[i].Value = old
			mutate(old, f)
		}
	case []any:
		for i := range v {
			old := v[i]
			f(func(other any) { v[i] = other })
			v[i] = old
			mutate(old, f)
		}
	}
}

// Every key has words that an editor shows, and no key is left out.
func TestEveryKeyIsExplained(t *testing.T) {
	text, err := schema.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Properties  map[string]struct{ Description string }
		Definitions map[string]struct {
			Properties map[string]struct{ Description string }
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	for _, s := range shape.All() {
		props := doc.Properties
		if words := strings.Fields(s.Name); s.Name != "a rule file" {
			props = doc.Definitions[strings.Join(words[min(1, len(words)-1):], "_")].Properties
		}
		for _, k := range s.Names() {
			if props[k].Description == "" {
				t.Errorf("%s of %s has no description", k, s.Name)
			}
		}
		for _, k := range s.One {
			if !slices.Contains(s.Names(), k) {
				t.Errorf("%s has no key %s", s.Name, k)
			}
		}
	}
}
