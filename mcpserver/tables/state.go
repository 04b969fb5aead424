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

// members is room for the members of a state.
const members = 24

// state is a table as a viewer sees it. It is built from what the position shows the viewer and from public events, never
// filtered from more.
func (t *table) state(m *moment, viewer int) Object {
	s := m.seenBy(viewer)
	o := t.header(s)
	o = o.With("gid", m.Info().GID).With("rules", m.Info().Rules.Game)
	o = s.addSeats(o)
	if m.Status() == play.Open {
		o = o.With("options", optionValues(m.Info().Options))
	}
	return t.addNews(o, s, -1)
}

// delta is what is new to a viewer who has seen the events up to since: little, when there is nothing new.
func (t *table) delta(m *moment, viewer int, since int64) Object {
	s := m.seenBy(viewer)
	o := t.header(s)
	if int64(m.Rev())-1 <= since {
		return o
	}
	if _, n := m.Deal(); n > since || m.Status() != play.Live {
		o = s.addSeats(o)
	}
	return t.addNews(o, s, since)
}

// header is what every answer about a table says.
func (t *table) header(s *sight) Object {
	o := append(make(Object, 0, members), Object{
		{Name: "table", Value: t.code},
		{Name: "status", Value: string(s.Status())},
		{Name: "n", Value: int64(s.Rev()) - 1},
		{Name: "next", Value: t.nextSentence(s)},
	}...)
	if s.Status() != play.Live {
		return o
	}
	o = o.With("round", s.Round())
	if turn, ok := s.Turn(); ok {
		o = o.With("turn", turn)
		if s.viewer != machine.None {
			o = o.With("your_turn", turn == s.viewer)
		}
	}
	if deadline, ok := s.Deadline(); ok {
		o = o.With("turn_ms_left", max(0, deadline-t.now()))
	}
	return o
}

// addSeats adds the players, with what the viewer sees of each, and the viewer's own seat, with what only it sees.
func (s *sight) addSeats(o Object) Object {
	players := s.Players()
	seats := make([]record.Value, len(players))
	for i, p := range players {
		seat := append(make(Object, 0, 6), Object{{Name: "seat", Value: i}, {Name: "name", Value: p.Name}}...)
		if p.Bot != nil {
			seat = seat.With("bot", true)
		}
		seats[i] = s.addOwned(seat, i, false)
	}
	o = o.With("seats", seats)
	if s.Status() == play.Open {
		o = o.With("free_seats", s.Info().Seats-len(players))
	}
	if s.viewer != machine.None {
		you := Object{{Name: "seat", Value: s.viewer}, {Name: "name", Value: players[s.viewer].Name}}
		o = o.With("you", s.addOwned(you, s.viewer, true))
	}
	return o
}

// addOwned adds the variables of one seat that the viewer sees: those that are the viewer's own secret, or the others.
func (s *sight) addOwned(o Object, seat int, own bool) Object {
	for _, x := range s.view.Shown {
		v := &s.game.Vars[x.Var]
		switch {
		case !v.PerSeat || x.Owner != seat || own != (v.See != machine.SeeAll && seat == s.viewer):
		case v.See == machine.SeeAll && v.Zone == 0 && x.Values[0] == 0 && first(v, x.Owner) == 0:
			// a count that stands at its first value of nothing is not worth the bytes
		case v.See == machine.SeeAll && v.Zone > 0 && len(x.Values) == 0:
			// nor is a list of nothing
		default:
			o = show(o, v.Label(), values(v, x.Values))
		}
	}
	return o
}

// addVariables adds what the viewer sees of the variables that belong to no seat. A record at its first value is left out, and so is
// a seat that nobody is, as at first.
func (s *sight) addVariables(o Object) Object {
	for _, x := range s.view.Shown {
		v := &s.game.Vars[x.Var]
		outer, _, nested := strings.Cut(v.Label(), ".")
		switch {
		case v.PerSeat, nested && !s.recordSet(outer):
		case !nested && v.Kind == machine.KindSeat && v.Zone == 0 && x.Values[0] == machine.None && first(v, 0) == machine.None:
		default:
			o = show(o, v.Label(), values(v, x.Values))
		}
	}
	return o
}

// show adds what a rule file has given a name, as a member of a record if it is that. Names that mean the same in every game are not
// to be had.
func show(o Object, name string, value record.Value) Object {
	outer, _, nested := strings.Cut(name, ".")
	old, there := o.Get(outer)
	if _, isObject := old.(Object); ours(outer) || there && !(nested && isObject) {
		return o
	}
	return o.AddFact(name, value)
}

// ours says whether a name is that of a member of a state, of a seat or of a showdown, whatever the game.
func ours(name string) bool {
	switch name {
	case "table", "gid", "rules", "options", "status", "n", "next", "round", "turn", "your_turn", "turn_ms_left", "seats", "free_seats", "you",
		"talk", "last_showdown", "legal", "reason", "record", "seed", "places", "payoffs", "receipt", "token", "seat", "name", "bot", "hands":
		return true
	}
	return false
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
func values(v *machine.Var, x []int) record.Value {
	switch {
	case v.Zone > 0:
		return x
	case v.Kind == machine.KindBool:
		return x[0] != 0
	case v.Kind == machine.KindSeat && x[0] == machine.None:
		return nil
	default:
		return x[0]
	}
}

// addMoves adds this round's moves that say something about the dice, as "bids", and the talk, of events after since.
func addMoves(o Object, m *moment, since int64) Object {
	var talk []record.Value
	for _, a := range m.Acts() {
		if a.N <= since {
			continue
		}
		if a.Say != "" {
			talk = append(talk, Object{{Name: "seat", Value: a.Seat}, {Name: "untrusted_text", Value: a.Say}})
		}
		if len(a.Args) > 0 {
			o = addMove(o, a)
		}
	}
	if talk != nil {
		o = o.With("talk", talk)
	}
	return o
}

func addMove(o Object, a play.Made) Object {
	move := append(make(Object, 0, 1+len(a.Args)), record.Member{Name: "seat", Value: a.Seat})
	for _, x := range a.Args {
		move = show(move, x.Name, x.Value)
	}
	name := a.Action + "s"
	if ours(name) {
		name = a.Action + "_moves"
	}
	for i := range o {
		if list, ok := o[i].Value.([]record.Value); ok && o[i].Name == name {
			o[i].Value = append(list, move)
			return o
		}
	}
	return o.With(name, []record.Value{move})
}

// showdown is the hands that were shown, by seat, or "table" for what belongs to nobody, and the facts that the rules made public
// with them.
func showdown(s *play.Shown) Object {
	hands := make(Object, len(s.Hands))
	for i, h := range s.Hands {
		owner := "table"
		if h.Owner != machine.None {
			owner = strconv.Itoa(h.Owner)
		}
		hands[i] = record.Member{Name: owner, Value: h.Value}
	}
	o := Object{{Name: "n", Value: s.N}, {Name: "hands", Value: hands}}
	for _, fact := range s.Facts {
		o = show(o, fact.Name, fact.Value)
	}
	return o
}

// addNews adds what happened after an event, the moves that are open to the viewer, and how the game ended.
func (t *table) addNews(o Object, s *sight, since int64) Object {
	o = addMoves(o, s.moment, since)
	if shown := s.LastShow(); shown != nil && shown.N > since {
		o = o.With("last_showdown", showdown(shown))
	}
	if len(s.legal) > 0 {
		o = o.With("legal", s.legal)
	}
	if e := s.End(); e != nil {
		o = o.With("reason", e.Reason).With("record", "/record/"+t.code).With("seed", e.Seed)
		if e.Places != nil {
			o = o.With("places", e.Places)
		}
		if e.Payoffs != nil {
			o = o.With("payoffs", e.Payoffs)
		}
	}
	if s.game != nil {
		o = s.addVariables(o)
	}
	return o
}

func optionValues(options []record.Option) Object {
	o := make(Object, len(options))
	for i, x := range options {
		o[i] = record.Member{Name: x.Name, Value: x.Value}
		if x.Bool {
			o[i].Value = x.Value != 0
		}
	}
	return o
}
