package tools

import (
	"context"
	"strings"

	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/mcpserver/tables"
	"dudo.example/mcpserver/words"
)

// roomForDocs is how much of the description of an action's tool is of what the rule files say, in bytes.
const roomForDocs = 600

// tool gives the tool that makes the action's move; of is how many rule files there are.
func (a *action) tool(of int) tool {
	does, more := firstSentence(a.doc(of, roomForDocs))
	args := append([]argument{tokenArgument()}, a.params...)
	args = append(args,
		argument{name: "say", doc: "Talk, which everybody at the table reads. Bluffing is allowed.", kind: text, length: words.MaxTalk},
		argument{
			name: "on", kind: integer, high: unbounded,
			doc: "The n of the state that you decided on: if anything has happened since, the move is refused.",
		})
	return tool{
		name: a.name, title: title(a.name), does: does, args: args,
		more: strings.TrimSpace(more + " The answer is the new state and a receipt. It is refused when legal does not list it for you."),
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
