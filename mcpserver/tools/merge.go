package tools

import (
	"fmt"
	"slices"
	"strings"

	"dudo.example/mcpserver/tables"
)

// mergeOptions gives the options of all rule files as arguments of create_table: those of one name become one, with the widest
// bounds.
func mergeOptions(rules []tables.Ruleset) ([]argument, error) {
	var args []argument
	var games [][]string // that have the option, by argument
	for _, r := range rules {
		for _, o := range r.Options {
			a := argument{name: o.Name, doc: sentence(o.Doc), kind: integer, low: int64(o.Low), high: int64(o.High), absent: int64(o.Default)}
			if o.Bool {
				a.kind, a.absent = boolean, o.Default != 0
			}
			i := slices.IndexFunc(args, func(b argument) bool { return b.name == a.name })
			if i < 0 {
				args, games = append(args, a), append(games, []string{r.Game})
				continue
			}
			games[i] = append(games[i], r.Game)
			if args[i].kind != a.kind {
				return nil, fmt.Errorf("option %s is a bool in some of %s and an int in others", a.name, enumerate(games[i], "and"))
			}
			args[i].widen(&a)
		}
	}
	for i := range args {
		if len(games[i]) < len(rules) {
			args[i].doc = strings.TrimSpace(args[i].doc + " Only in " + enumerate(games[i], "and") + ".")
		}
	}
	return args, nil
}

// widen makes the argument take what another of the same name takes as well. A default that differs is none.
func (a *argument) widen(b *argument) {
	a.low, a.high = min(a.low, b.low), max(a.high, b.high)
	if a.absent != b.absent {
		a.absent = nil
	}
	if a.doc == "" {
		a.doc = b.doc
	}
}

// An action is what rule files declare under one name.
type action struct {
	name   string
	params []argument
	docs   []string   // what they say of it, each once
	games  [][]string // who says so, by doc
}

// mergeActions gives the actions of all rule files in the order in which they first come: those of one name become one, with
// the widest bounds.
func mergeActions(rules []tables.Ruleset) ([]*action, error) {
	var merged []*action
	for _, r := range rules {
		for _, d := range r.Actions {
			doc := sentence(d.Doc)
			if doc == "" {
				return nil, fmt.Errorf("action %s of %s has no doc to describe it with", d.Name, r.Game)
			}
			i := slices.IndexFunc(merged, func(a *action) bool { return a.name == d.Name })
			if i < 0 {
				merged = append(merged, &action{name: d.Name, params: params(d.Params)})
				i = len(merged) - 1
			} else {
				merged[i].merge(d.Params)
			}
			merged[i].say(doc, r.Game)
		}
	}
	return merged, nil
}

func (a *action) say(doc, game string) {
	i := slices.Index(a.docs, doc)
	if i < 0 {
		a.docs, a.games = append(a.docs, doc), append(a.games, nil)
		i = len(a.docs) - 1
	}
	a.games[i] = append(a.games[i], game)
}

// doc is what the rule files say of the action; of is how many files there are.
func (a *action) doc(of int) string {
	s := a.docs[0]
	for i, doc := range a.docs[1:] {
		s += " In " + enumerate(a.games[i+1], "and") + ": " + doc
	}
	if all := slices.Concat(a.games...); len(all) < of {
		s += " Only in " + enumerate(all, "and") + "."
	}
	return s
}

func params(declared []tables.Param) []argument {
	args := make([]argument, len(declared))
	for i, p := range declared {
		args[i] = argument{
			name: p.Name, doc: sentence(p.Doc), kind: integer, low: int64(p.Low), high: int64(p.High), required: true,
		}
	}
	return args
}

// merge adds another declaration of the action. A parameter that only some of them have is optional.
func (a *action) merge(declared []tables.Param) {
	more := params(declared)
	for i := range a.params {
		p := &a.params[i]
		k := slices.IndexFunc(more, func(q argument) bool { return q.name == p.name })
		if k < 0 {
			p.required = false
			continue
		}
		p.widen(&more[k])
		more = slices.Delete(more, k, k+1)
	}
	for _, p := range more {
		p.required = false
		a.params = append(a.params, p)
	}
}
