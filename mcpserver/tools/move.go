package tools

import (
	"context"
	"fmt"
	"strings"

	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/mcpserver/tables"
	"dudo.example/mcpserver/words"
)

// roomForDocs is how much of the description of an action's tool is of what the rule files say, in bytes.
const roomForDocs = 600

// tool gives the tool that makes the action's move, with these games on offer.
func (a *action) tool(offered []string) tool {
	does, more := firstSentence(a.doc(offered, roomForDocs))
	args := append([]argument{tokenArgument()}, a.params...)
	args = append(args,
		argument{name: "say", doc: "Talk to the table; bluffing is allowed.", kind: text, length: words.MaxTalk},
		argument{
			name: "on", kind: integer, high: unbounded,
			doc: "The n of the state you decided on; refused if anything has happened since.",
		})
	return tool{
		name: a.name, title: title(a.name), does: does, args: args,
		more: strings.TrimSpace(more + a.exampleText() + a.legalForm() + " Only when legal lists it. The answer is the new state and a receipt."),
		call: func(ctx context.Context, l Lobby, given arguments) (tables.Object, error) {
			m := play.Move{Action: a.name, Say: given.text("say")}
			for _, p := range a.params {
				if v, ok := given[p.name].(int64); ok {
					m.Args = append(m.Args, record.Arg{Name: p.name, Value: int(v)})
				}
			}
			return l.Act(ctx, given.text("token"), given.integer("on", -1), m)
		},
	}
}

// legalForm says how to read what legal lists for the action.
func (a *action) legalForm() string {
	switch len(a.params) {
	case 1:
		return fmt.Sprintf(" legal.%s has the least and most %s, or all values.", a.name, a.params[0].name)
	case 2:
		return fmt.Sprintf(" legal.%s maps each %s to the least and most %s.", a.name, a.params[1].name, a.params[0].name)
	}
	return ""
}

// exampleText shows a move as its arguments are called.
func (a *action) exampleText() string {
	if len(a.example) == 0 || len(a.example) != len(a.params) {
		return ""
	}
	list := make([]string, len(a.params))
	for i, p := range a.params {
		list[i] = fmt.Sprintf("%s %d", p.name, a.example[i])
	}
	return " For example " + enumerate(list, "and") + "."
}
