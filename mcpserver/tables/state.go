package tables

import (
	"strconv"

	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
)

// state is a table as a viewer sees it: a seat, or machine.None for a spectator. It is built from what the position shows the
// viewer and from public events, never filtered from more.
func (t *table) state(m *moment, viewer int) Object {
	o := t.header(m, viewer)
	o["gid"] = m.Info().GID
	o["rules"] = m.Info().Rules.Game
	t.addSeats(o, m, viewer)
	if m.Status() == play.Open {
		o["options"] = optionValues(m.Info().Options)
	}
	if m.Position() == nil {
		return o
	}
	addVariables(o, m, viewer)
	addMoves(o, m, -1)
	if s := m.LastShow(); s != nil {
		o["last_showdown"] = showdown(s)
	}
	t.addLegal(o, m, viewer)
	t.addEnd(o, m)
	return o
}

// delta is what is new to a viewer who has seen the events up to since: little, when there is nothing new.
func (t *table) delta(m *moment, viewer int, since int64) Object {
	o := t.header(m, viewer)
	if int64(m.Rev())-1 <= since {
		return o
	}
	if m.Position() == nil {
		t.addSeats(o, m, viewer)
		return o
	}
	if _, n := m.Deal(); n > since || m.Status() == play.Over {
		t.addSeats(o, m, viewer)
	}
	addVariables(o, m, viewer)
	addMoves(o, m, since)
	if s := m.LastShow(); s != nil && s.N > since {
		o["last_showdown"] = showdown(s)
	}
	t.addLegal(o, m, viewer)
	t.addEnd(o, m)
	return o
}

// header is what every answer about a table says.
func (t *table) header(m *moment, viewer int) Object {
	o := Object{"table": t.code, "status": string(m.Status()), "n": int64(m.Rev()) - 1, "next": t.nextSentence(m, viewer)}
	if m.Status() != play.Live {
		return o
	}
	o["round"], _ = m.Deal()
	if turn, ok := m.Turn(); ok {
		o["turn"] = turn
		if viewer != machine.None {
			o["your_turn"] = turn == viewer
		}
	}
	if deadline, ok := m.Deadline(); ok {
		o["turn_ms_left"] = max(0, deadline-now())
	}
	return o
}

// addSeats adds the players, with what everybody sees of each, and the viewer's own seat, with what only it sees.
func (t *table) addSeats(o Object, m *moment, viewer int) {
	players := m.Players()
	seats := make([]Object, len(players))
	for i, p := range players {
		seats[i] = Object{"seat": i, "name": p.Name}
		if p.Bot != nil {
			seats[i]["bot"] = true
		}
	}
	var you Object
	if viewer != machine.None {
		you = Object{"seat": viewer, "name": players[viewer].Name}
		o["you"] = you
	} else {
		o["free_seats"] = m.Info().Seats - len(players)
	}
	o["seats"] = seats
	if m.Status() == play.Open {
		o["free_seats"] = m.Info().Seats - len(players)
		return
	}
	delete(o, "free_seats")
	if m.Position() == nil {
		return
	}
	game := m.Position().Game()
	for _, s := range m.Position().View(viewer).Shown {
		v := &game.Vars[s.Var]
		if !v.PerSeat {
			continue
		}
		switch {
		case v.See != machine.SeeAll:
			if s.Owner == viewer {
				you[v.Label()] = values(v, s.Values)
			}
		case v.Zone == 0 && s.Values[0] == 0 && (v.Init == nil || v.Init[s.Owner] == 0):
			// a count that stands at its first value of nothing is not worth the bytes
		default:
			seats[s.Owner][v.Label()] = values(v, s.Values)
		}
	}
}

// addVariables adds what the viewer sees of the variables that belong to no seat. A record at its first value is left out.
func addVariables(o Object, m *moment, viewer int) {
	game := m.Position().Game()
	records := Object{}
	set := map[string]bool{}
	for _, s := range m.Position().View(viewer).Shown {
		v := &game.Vars[s.Var]
		if v.PerSeat {
			continue
		}
		outer, field, nested := cut(v.Label())
		if !nested {
			if _, fixed := o[v.Label()]; !fixed {
				o[v.Label()] = values(v, s.Values)
			}
			continue
		}
		in, ok := records[outer].(Object)
		if !ok {
			in = Object{}
			records[outer] = in
		}
		in[field] = values(v, s.Values)
		set[outer] = set[outer] || s.Values[0] != first(v)
	}
	for name, in := range records {
		if set[name] {
			o[name] = in
		}
	}
}

func cut(label string) (outer, field string, nested bool) {
	for i := range len(label) {
		if label[i] == '.' {
			return label[:i], label[i+1:], true
		}
	}
	return label, "", false
}

func first(v *machine.Var) int {
	switch {
	case v.Init != nil:
		return v.Init[0]
	case v.Min > 0:
		return v.Min
	default:
		return min(0, v.Max)
	}
}

// values shows a variable: a zone as a list, a single integer as its kind says.
func values(v *machine.Var, x []int) any {
	if v.Zone > 0 {
		return append([]int{}, x...)
	}
	switch {
	case v.Kind == machine.KindBool:
		return x[0] != 0
	case v.Kind == machine.KindSeat && x[0] == machine.None:
		return nil
	default:
		return x[0]
	}
}

// addMoves adds this round's moves that say something about the dice, as "bids", and the talk, of events after since.
func addMoves(o Object, m *moment, since int64) {
	var talk []Object
	moves := map[string][]Object{}
	for _, a := range m.Acts() {
		if a.N <= since {
			continue
		}
		if a.Say != "" {
			talk = append(talk, Object{"seat": a.Seat, "untrusted_text": a.Say})
		}
		if len(a.Args) == 0 {
			continue
		}
		move := Object{"seat": a.Seat}
		for _, x := range a.Args {
			move[x.Name] = x.Value
		}
		moves[a.Action+"s"] = append(moves[a.Action+"s"], move)
	}
	for name, list := range moves {
		o[name] = list
	}
	if talk != nil {
		o["talk"] = talk
	}
}

// showdown is the hands that were shown and the facts that the rules made public with them.
func showdown(s *play.Shown) Object {
	hands := Object{}
	for _, h := range s.Hands {
		owner := "table"
		if h.Owner >= 0 {
			owner = strconv.Itoa(h.Owner)
		}
		hands[owner] = h.Value
	}
	o := Object{"hands": hands, "n": s.N}
	addFacts(o, s.Facts)
	return o
}

func addFacts(o Object, facts record.Object) {
	for _, f := range facts {
		if in, ok := f.Value.(record.Object); ok {
			nested := Object{}
			addFacts(nested, in)
			o[f.Name] = nested
			continue
		}
		o[f.Name] = f.Value
	}
}

func (t *table) addEnd(o Object, m *moment) {
	e := m.End()
	if e == nil {
		return
	}
	o["reason"] = e.Reason
	if e.Places != nil {
		o["places"] = e.Places
	}
	if e.Payoffs != nil {
		o["payoffs"] = e.Payoffs
	}
	o["record"] = "/record/" + t.code
	o["seed"] = e.Seed
}

func optionValues(options []record.Option) Object {
	o := Object{}
	for _, x := range options {
		o[x.Name] = x.Value
		if x.Bool {
			o[x.Name] = x.Value != 0
		}
	}
	return o
}
