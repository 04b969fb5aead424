package tools

import (
	"fmt"
	"slices"
	"strings"

	"dudo.example/mcpserver/tables"
)

// An action is what rule files declare under one name.
type action struct {
	name   string
	params []argument
	docs   []string   // what they say of it, each once
	games  [][]string // who says so, by doc

	example []int // arguments of a move of the first file that shows one
}

// mergeActions gives the actions of all rule files in the order in which they first come: those of one name become one, with
// the widest bounds. Files that are only played say nothing of an action that others have too.
func mergeActions(rules, played []tables.Ruleset) ([]*action, error) {
	var merged []*action
	for i, r := range slices.Concat(rules, played) {
		for _, d := range r.Actions {
			doc := sentence(d.Doc)
			if doc == "" {
				return nil, fmt.Errorf("action %s of %s has no doc to describe it with", d.Name, r.Game)
			}
			k := slices.IndexFunc(merged, func(a *action) bool { return a.name == d.Name })
			if k < 0 {
				merged = append(merged, &action{name: d.Name, params: params(d.Params), example: d.Example})
				merged[len(merged)-1].say(doc, r.Game)
				continue
			}
			merged[k].merge(d.Params)
			if i < len(rules) {
				merged[k].say(doc, r.Game)
			}
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

// doc is what the rule files on offer say of the action, in at most room bytes. What the first one says is there in any case.
func (a *action) doc(offered []string, room int) string {
	s := a.docs[0] + onlyIn(slices.Concat(a.games...), offered)
	for i, doc := range a.docs[1:] {
		if more := " In " + some(a.games[i+1]) + ": " + doc; len(s)+len(more) <= room {
			s += more
		}
	}
	return s
}

// onlyIn says in which of the games on offer something is, if it is not in all of them.
func onlyIn(games, offered []string) string {
	missing := slices.DeleteFunc(slices.Clone(offered), func(game string) bool { return slices.Contains(games, game) })
	switch {
	case len(missing) == 0:
		return ""
	case len(missing) < len(games):
		return " Not in " + some(missing) + "."
	default:
		return " Only in " + some(games) + "."
	}
}

// few is how many games a sentence names.
const few = 3

func some(games []string) string {
	if len(games) > few {
		games = append(slices.Clone(games[:few]), fmt.Sprintf("%d others", len(games)-few))
	}
	return enumerate(games, "and")
}

func params(declared []tables.Param) []argument {
	args := make([]argument, len(declared))
	for i, p := range declared {
		args[i] = argument{
			name: p.Name, doc: paramDoc(p), kind: integer, low: int64(p.Low), high: int64(p.High), required: true,
		}
	}
	return args
}

// paramDoc is what there is to say of a parameter besides its name.
func paramDoc(p tables.Param) string {
	if strings.TrimPrefix(squeeze(p.Doc), "the ") == p.Name {
		return ""
	}
	return sentence(p.Doc)
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
