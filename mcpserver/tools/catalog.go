package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"dudo.example/mcpserver/tables"
	"dudo.example/plugins/host"
	"github.com/mark3labs/mcp-go/mcp"
)

// A catalog is all that a server says about itself and its tools.
type catalog struct {
	instructions string
	tools        []tool
}

// newCatalog makes the catalog for rule files on offer, the default first, those that are only played, and bots, house bots first.
func newCatalog(rules, played []tables.Ruleset, bots []host.Info) (*catalog, error) {
	if len(rules) == 0 {
		return nil, errors.New("there are no rules")
	}
	actions, err := mergeActions(rules, played)
	if err != nil {
		return nil, err
	}
	c := &catalog{instructions: instructions(rules[0], len(bots) > 0), tools: fixedTools(rules, bots)}
	slices.SortFunc(actions, func(a, b *action) int {
		return cmp.Or(cmp.Compare(place(a.name), place(b.name)), cmp.Compare(a.name, b.name))
	})
	for _, a := range actions {
		c.tools = append(c.tools, a.tool(games(rules)))
	}
	if len(c.instructions) > MaxText {
		return nil, fmt.Errorf("the instructions have %d bytes, more than %d", len(c.instructions), MaxText)
	}
	return c, c.check()
}

// place is where an action's tool stands, whatever files there are and in whatever order: first those that every game of liar's
// dice has, then the others by name.
func place(action string) int {
	common := []string{"bid", "challenge", "spot_on"}
	if i := slices.Index(common, action); i >= 0 {
		return i
	}
	return len(common)
}

// inOrder puts tools into the order of the catalog.
func (c *catalog) inOrder(_ context.Context, list []mcp.Tool) []mcp.Tool {
	at := func(t mcp.Tool) int { return slices.IndexFunc(c.tools, func(k tool) bool { return k.name == t.Name }) }
	slices.SortFunc(list, func(a, b mcp.Tool) int { return cmp.Compare(at(a), at(b)) })
	return list
}

var validName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// check finds what rule files can get wrong: names that are not ones or are taken, and texts that clients would cut.
func (c *catalog) check() error {
	tools := map[string]bool{}
	for i := range c.tools {
		t := &c.tools[i]
		switch {
		case !validName.MatchString(t.name):
			return fmt.Errorf("action %q: a name has 1 to 40 of a to z, digits and _, and begins with a letter", t.name)
		case tools[t.name]:
			return fmt.Errorf("action %s: a tool of the server has that name", t.name)
		case len(t.description()) > MaxDescription:
			return fmt.Errorf("tool %s: its description has %d bytes, more than %d; shorten the doc", t.name, len(t.description()), MaxDescription)
		}
		tools[t.name] = true
		args := map[string]bool{}
		for _, a := range slices.Concat(t.args, t.hidden) {
			switch {
			case !validName.MatchString(a.name):
				return fmt.Errorf("tool %s: argument %q: a name has 1 to 40 of a to z, digits and _, and begins with a letter", t.name, a.name)
			case args[a.name]:
				return fmt.Errorf("tool %s: an argument of every such tool is called %s; choose another name", t.name, a.name)
			}
			args[a.name] = true
		}
	}
	return nil
}
