package tools_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"dudo.example/mcpserver/tables"
	"dudo.example/mcpserver/tools"
	"dudo.example/plugins/host"
)

// shows are the servers whose whole surface is kept in testdata.
func shows() map[string]*asked {
	return map[string]*asked{
		"standard": {rules: []tables.Ruleset{standard()}, bots: []host.Info{croupier}},
		"two":      {rules: []tables.Ruleset{standard(), perudo()}, bots: []host.Info{croupier, {Name: "mybot"}}},
		"no-bots":  {rules: []tables.Ruleset{standard()}},
	}
}

func TestGolden(t *testing.T) {
	for name, l := range shows() {
		t.Run(name, func(t *testing.T) {
			s := serve(t, l)
			list, err := s.post(t.Context(), t, "tools/list", map[string]any{})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+".tools.json", pretty(t, list))
			golden(t, name+".instructions.txt", instructionsOf(t, s)+"\n")
			table, err := tools.Markdown(l.rules, l.bots)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+".md", table)
		})
	}
}

// pretty indents, and keeps the order of members.
func pretty(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.String() + "\n"
}

func instructionsOf(t *testing.T, s *site) string {
	t.Helper()
	raw, err := s.post(t.Context(), t, "initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var r struct{ Instructions string }
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	return r.Instructions
}

type listed struct {
	Tools []struct {
		Name, Title, Description string
		InputSchema              struct {
			Required             []string
			AdditionalProperties *bool
		}
		Annotations map[string]any
	}
}

func listOf(t *testing.T, s *site) listed {
	t.Helper()
	raw, err := s.post(t.Context(), t, "tools/list", map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	var l listed
	if err := json.Unmarshal(raw, &l); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestEveryToolIsDescribed(t *testing.T) {
	for name, l := range shows() {
		for _, tool := range listOf(t, serve(t, l)).Tools {
			if tool.Title == "" || tool.Description == "" || tool.Annotations["title"] != tool.Title {
				t.Errorf("%s: tool %s has no title or description: %+v", name, tool.Name, tool)
			}
			for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
				if _, ok := tool.Annotations[hint].(bool); !ok {
					t.Errorf("%s: tool %s has no %s", name, tool.Name, hint)
				}
			}
			if tool.Annotations["destructiveHint"] == true || tool.Annotations["openWorldHint"] == true {
				t.Errorf("%s: tool %s is destructive or open: %v", name, tool.Name, tool.Annotations)
			}
			if p := tool.InputSchema.AdditionalProperties; p == nil || *p {
				t.Errorf("%s: the schema of %s allows further properties", name, tool.Name)
			}
		}
	}
}

// TestWordyRules has rule files that say more than fits: texts are cut at a sentence and what matters stays in front.
func TestWordyRules(t *testing.T) {
	var rules []tables.Ruleset
	for i := range 9 {
		r := standard()
		r.About = strings.Repeat("Ones are not wild, and “each” raise outranks. ", 200)
		if i > 0 {
			r.Game += strings.Repeat("x", i)
		}
		rules = append(rules, r)
	}
	s := serve(t, &asked{rules: rules})
	text := instructionsOf(t, s)
	if len(text) >= 2048 || !strings.HasPrefix(text, "To play: join_table") || strings.Index(text, "Ones are not wild") > 600 ||
		!strings.HasSuffix(text, "can verify.") || !strings.Contains(text, "outranks.\n\n") {
		t.Errorf("instructions of %d bytes:\n%s", len(text), text)
	}
	for _, tool := range listOf(t, s).Tools {
		if len(tool.Description) > tools.MaxDescription {
			t.Errorf("the description of %s has %d bytes", tool.Name, len(tool.Description))
		}
	}
}

func TestRulesThatCannotBeTools(t *testing.T) {
	with := func(change func(r *tables.Ruleset)) []tables.Ruleset {
		r := standard()
		change(&r)
		return []tables.Ruleset{standard(), r}
	}
	action := func(a tables.Action) []tables.Ruleset {
		return with(func(r *tables.Ruleset) { r.Actions = append(r.Actions, a) })
	}
	tests := []struct {
		name  string
		rules []tables.Ruleset
		want  string
	}{
		{"no rules", nil, "tools: there are no rules"},
		{"a tool's name", action(tables.Action{Name: "get_state", Doc: "look"}), "tools: action get_state: a tool of the server has that name"},
		{"no name", action(tables.Action{Name: "Spot on", Doc: "x"}), `tools: action "Spot on": a name has 1 to 40 of a to z, digits and _, and begins with a letter`},
		{"no doc", action(tables.Action{Name: "pass", Doc: " \n"}), "tools: action pass of liars-dice/standard has no doc to describe it with"},
		{
			"an argument's name", action(tables.Action{Name: "pass", Doc: "x", Params: []tables.Param{{Name: "say"}}}),
			"tools: tool pass: an argument of every such tool is called say; choose another name",
		},
		{
			"no argument's name", action(tables.Action{Name: "pass", Doc: "x", Params: []tables.Param{{Name: "9"}}}),
			`tools: tool pass: argument "9": a name has 1 to 40 of a to z, digits and _, and begins with a letter`,
		},
		{
			"an option's name", with(func(r *tables.Ruleset) { r.Options = []tables.Option{{Name: "seats"}} }),
			"tools: tool create_table: an argument of every such tool is called seats; choose another name",
		},
		{
			"a long doc", action(tables.Action{Name: "pass", Doc: strings.Repeat("x", 2000)}),
			"tools: tool pass: its description has 2070 bytes, more than 1024; shorten the doc",
		},
	}
	for _, tt := range tests {
		if _, err := tools.New(&asked{rules: tt.rules}, tools.Options{}); err == nil || err.Error() != tt.want {
			t.Errorf("%s: New gives %v, want %s", tt.name, err, tt.want)
		}
	}
}
