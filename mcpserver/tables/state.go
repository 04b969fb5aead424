package tables

import (
	"strconv"
	"strings"

	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
)

// sight is what a viewer, a seat or machine.None for a spectator, sees of a table in one moment. It is asked for once an answer.
type sight struct {
	*moment
	viewer int
	game   *machine.Game // nil before the start, and so is the rest
	view   machine.View
	legal  Object // the viewer's moves
	alive  bool
}

func (m *moment) seenBy(viewer int) *sight {
	s := &sight{moment: m, viewer: viewer}
	if pos := m.Position(); pos != nil {
		s.game, s.view = pos.Game(), pos.View(viewer)
		if viewer != machine.None {
			s.alive = pos.Alive(viewer)
			if m.Status() == play.Live {
				s.legal = legalMoves(pos, viewer)
			}
		}
	}
	return s
}

// state is a table as a viewer sees it. It is built from what the position shows the viewer and from public events, never
// filtered from more.
func (t *table) state(m *moment, viewer int) Object {
	s := m.seenBy(viewer)
	o := t.header(s)
	o["gid"] = m.Info().GID
	o["rules"] = m.Info().Rules.Game
	s.addSeats(o)
	if m.Status() == play.Open {
		o["options"] = optionValues(m.Info().Options)
	}
	t.addNews(o, s, -1)
	return o
}

// delta is what is new to a viewer who has seen the events up to since: little, when there is nothing new.
func (t *table) delta(m *moment, viewer int, since int64) Object {
	s := m.seenBy(viewer)
	o := t.header(s)
	if int64(m.Rev())-1 <= since {
		return o
	}
	if _, n := m.Deal(); n > since || m.Status() != play.Live {
		s.addSeats(o)
	}
	t.addNews(o, s, since)
	return o
}

// header is what every answer about a table says.
func (t *table) header(s *sight) Object {
	o := Object{"table": t.code, "status": string(s.Status()), "n": int64(s.Rev()) - 1, "next": t.nextSentence(s)}
	if s.Status() != play.Live {
		return o
	}
	o["round"], _ = s.Deal()
	if turn, ok := s.Turn(); ok {
		o["turn"] = turn
		if s.viewer != machine.None {
			o["your_turn"] = turn == s.viewer
		}
	}
	if deadline, ok := s.Deadline(); ok {
		o["turn_ms_left"] = max(0, deadline-now())
	}
	return o
}

// addSeats adds the players, with what the viewer sees of each, and the viewer's own seat, with what only it sees.
func (s *sight) addSeats(o Object) {
	players := s.Players()
	seats := make([]Object, len(players))
	for i, p := range players {
		seats[i] = Object{"seat": i, "name": p.Name}
		if p.Bot != nil {
			seats[i]["bot"] = true
		}
	}
	o["seats"] = seats
	if s.Status() == play.Open {
		o["free_seats"] = s.Info().Seats - len(players)
	}
	var you Object
	if s.viewer != machine.None {
		you = Object{"seat": s.viewer, "name": players[s.viewer].Name}
		o["you"] = you
	}
	for _, x := range s.view.Shown {
		v := &s.game.Vars[x.Var]
		if !v.PerSeat {
			continue
		}
		switch {
		case v.See != machine.SeeAll && x.Owner == s.viewer:
			you[v.Label()] = values(v, x.Values)
		case v.See == machine.SeeAll && v.Zone == 0 && x.Values[0] == 0 && first(v, x.Owner) == 0:
			// a count that stands at its first value of nothing is not worth the bytes
		default:
			seats[x.Owner][v.Label()] = values(v, x.Values)
		}
	}
}

// addVariables adds what the viewer sees of the variables that belong to no seat. A record at its first value is left out.
func (s *sight) addVariables(o Object) {
	for _, x := range s.view.Shown {
		v := &s.game.Vars[x.Var]
		if v.PerSeat {
			continue
		}
		outer, field, nested := strings.Cut(v.Label(), ".")
		if !nested {
			if _, fixed := o[outer]; !fixed {
				o[outer] = values(v, x.Values)
			}
			continue
		}
		if in, ok := o[outer].(Object); ok {
			in[field] = values(v, x.Values)
		} else if s.recordSet(outer) {
			o[outer] = Object{field: values(v, x.Values)}
		}
	}
}

// recordSet says whether a record of the game has left its first value.
func (s *sight) recordSet(name string) bool {
	for _, x := range s.view.Shown {
		v := &s.game.Vars[x.Var]
		if outer, _, _ := strings.Cut(v.Label(), "."); outer == name && x.Values[0] != first(v, 0) {
			return true
		}
	}
	return false
}

// first is the first value of an integer variable.
func first(v *machine.Var, owner int) int {
	switch {
	case v.Init != nil:
		return v.Init[owner]
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

// addNews adds what happened after an event, the moves that are open to the viewer, and how the game ended.
func (t *table) addNews(o Object, s *sight, since int64) {
	if s.game != nil {
		s.addVariables(o)
		addMoves(o, s.moment, since)
	}
	if shown := s.LastShow(); shown != nil && shown.N > since {
		o["last_showdown"] = showdown(shown)
	}
	if len(s.legal) > 0 {
		o["legal"] = s.legal
	}
	e := s.End()
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
