package tables

import (
	"encoding/json"
	"slices"

	"dudo.example/core/play"
	"dudo.example/core/record"
)

// Shown is all that leaves the server about a table in one position, for one viewer: the state, what is new since every event, the
// request to a bot in that seat, and the line in the list.
func (l *Lobby) Shown(rules *Ruleset, p *play.Table, viewer int) ([]string, error) {
	t := newTable(l, "ZCLP", rules, 0)
	m := &moment{Table: p}
	all := []Object{t.state(m, viewer), t.summary(m)}
	last := int64(p.Rev()) - 1
	for _, since := range []int64{0, last / 2, last - 2, last - 1, last} {
		all = append(all, t.delta(m, viewer, since))
	}
	var out []string
	for _, v := range all {
		v = slices.DeleteFunc(v, func(m record.Member) bool { return m.Name == "turn_ms_left" })
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		out = append(out, string(text))
	}
	if viewer >= 0 {
		out = append(out, string(t.botView(m, viewer)))
	}
	return out, nil
}

// BotView is what a bot in a seat is sent.
func (l *Lobby) BotView(rules *Ruleset, p *play.Table, seat int) []byte {
	return newTable(l, "ZCLP", rules, 0).botView(&moment{Table: p}, seat)
}

// StateOf is a player's view, for measuring.
func (l *Lobby) StateOf(rules *Ruleset, p *play.Table, viewer int) Object {
	return newTable(l, "ZCLP", rules, 0).state(&moment{Table: p}, viewer)
}
