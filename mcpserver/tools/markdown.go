package tools

import (
	"fmt"
	"strings"

	"dudo.example/mcpserver/tables"
	"dudo.example/plugins/host"
)

// Markdown gives the README's table of the tools that a server with these rules and bots has, with a newline at the end of
// each row. A question mark follows an argument that may be absent.
func Markdown(rules []tables.Ruleset, bots []host.Info) (string, error) {
	c, err := newCatalog(rules, nil, bots)
	if err != nil {
		return "", fmt.Errorf("tools: %w", err)
	}
	var b strings.Builder
	b.WriteString("| tool | arguments | does |\n| --- | --- | --- |\n")
	for i := range c.tools {
		t := &c.tools[i]
		args := make([]string, len(t.args))
		for k := range t.args {
			args[k] = t.args[k].markdown()
		}
		if len(args) == 0 {
			args = []string{"none"}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", t.name, strings.Join(args, ", "), cell(t.does))
	}
	return b.String(), nil
}

// markdown gives the argument's name and bounds.
func (a *argument) markdown() string {
	s := "`" + a.name + "`"
	if !a.required {
		s += "?"
	}
	if (a.kind == integer || a.kind == botList) && a.high != unbounded {
		s += fmt.Sprintf(" %d–%d", a.low, a.high)
	}
	return s
}

// cell keeps a text inside its cell.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
