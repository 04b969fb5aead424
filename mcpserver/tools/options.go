package tools

import (
	"encoding/json"
	"slices"

	"dudo.example/mcpserver/tables"
)

// gameOptions are the options of one game as arguments.
func gameOptions(r *tables.Ruleset) []argument {
	args := make([]argument, len(r.Options))
	for i, o := range r.Options {
		args[i] = argument{name: o.Name, doc: sentence(o.Doc), kind: integer, low: int64(o.Low), high: int64(o.High), absent: int64(o.Default)}
		if o.Bool {
			args[i].kind, args[i].absent = boolean, o.Default != 0
		}
	}
	return args
}

// allOptions are the options of all games, those of one name as one with the widest bounds, in the order in which they first
// come. Those that are common, because the default game has them or most games, are arguments of create_table; the others
// are only accepted as that, since a dozen games have more of them than an agent wants to read.
func allOptions(rules []tables.Ruleset) (common, others []argument) {
	var all []argument
	var games []int // that have the option, by argument
	for i := range rules {
		for _, a := range gameOptions(&rules[i]) {
			k := slices.IndexFunc(all, func(b argument) bool { return b.name == a.name })
			if k < 0 {
				all, games = append(all, a), append(games, 1)
				continue
			}
			games[k]++
			if all[k].kind == a.kind {
				all[k].widen(&a)
			} else {
				all[k].kind = object // which no schema shows
			}
		}
	}
	for i, a := range all {
		a.raw = true
		ofDefault := slices.ContainsFunc(rules[0].Options, func(o tables.Option) bool { return o.Name == a.name })
		if (ofDefault || 2*games[i] > len(rules)) && a.kind != object {
			common = append(common, a)
		} else {
			others = append(others, a)
		}
	}
	return common, others
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

// optionsOf reads the options that were given for a game, by name. Its errors are refusals.
func optionsOf(r *tables.Ruleset, given map[string]json.RawMessage) (map[string]int, error) {
	options := map[string]int{}
	known := 0
	for _, a := range gameOptions(r) {
		raw, there := given[a.name]
		if !there {
			continue
		}
		known++
		v, ok := a.value(raw)
		if !ok {
			return nil, badArgument(a.name + " must be " + a.wants() + ".")
		}
		switch v := v.(type) {
		case int64:
			options[a.name] = int(v)
		case bool:
			options[a.name] = 0
			if v {
				options[a.name] = 1
			}
		}
	}
	if known < len(given) {
		return nil, &tables.Refusal{Code: tables.CodeBadSetting, Sentence: r.OptionsSentence()}
	}
	return options, nil
}
