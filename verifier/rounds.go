package verifier

import (
	"slices"
	"strconv"
	"strings"

	"dudo.example/core/machine"
	"dudo.example/core/record"
)

// scribe writes down rounds as their events are derived again.
type scribe struct {
	now   *Round
	bid   record.Act // the last move of the round with a quantity and a face
	facts record.Object
}

// rounds takes the next event. A round ends with the next deal, or with the game.
func (p *pass) rounds(e record.Event) {
	s := &p.scribe
	switch e.Body.(type) {
	case record.Start:
		s.begin(0, e.N)
		return
	case record.Deal:
		round, last, bid := p.replay.Table().Round(), s.now, s.bid
		p.endRound()
		s.begin(round, e.N)
		p.dealt(s.now)
		if last != nil && last.Round == round { // some dice were rolled again
			s.bid = bid
		}
		return
	case record.End:
		p.endRound()
		return
	}
	if s.now == nil {
		return
	}
	s.now.Last = e.N
	switch b := e.Body.(type) {
	case record.Act:
		s.now.Moves++
		s.now.By, s.now.Move = b.Seat, Plain(b.Action, 40)
		if _, _, ok := bidOf(b); ok {
			s.bid = b
		}
	case record.Timeout:
		s.now.By, s.now.Move = b.Seat, ""
	case record.Show:
		s.facts = b.Facts
	}
}

// maxDealt is how many values of hands a report keeps, a hand itself counted as some. The longest game of the shipped rules
// takes some thousands.
const maxDealt = 1 << 18

// dealt notes what the position holds that is not for everybody.
func (p *pass) dealt(r *Round) {
	if p.kept > maxDealt {
		return
	}
	pos := p.replay.Table().Position()
	g, all := pos.Game(), map[string][][]int{}
	for i := range g.Vars {
		v := &g.Vars[i]
		if v.See == machine.SeeAll || !v.PerSeat {
			continue
		}
		for seat := range g.Seats {
			values := pos.Values(i, seat)
			if values == nil {
				values = []int{} // an empty list in JSON
			}
			all[v.Label()] = append(all[v.Label()], values)
			p.kept += len(values) + 4
		}
	}
	r.Dealt = all
}

func (s *scribe) begin(round int, n int64) {
	*s = scribe{now: &Round{Round: round, First: n, Last: n, By: -1}}
}

func (p *pass) endRound() {
	s := &p.scribe
	r := s.now
	s.now = nil
	if r == nil || r.By < 0 {
		return // nobody did anything, such as before the first deal
	}
	r.Text = p.describe(r)
	if s.facts != nil {
		r.Facts = []byte(slices.Clone(s.facts).Encode())
	}
	p.report.Rounds = append(p.report.Rounds, *r)
}

// describe says in words how a round ended.
func (p *pass) describe(r *Round) string {
	s := &p.scribe
	name := p.report.name(r.By)
	quantity, face, hasBid := bidOf(s.bid)
	var text string
	switch {
	case r.Move == "":
		return name + " ran out of time" + p.listFacts(s.facts)
	case r.Move == "challenge" && hasBid:
		text = name + " challenged " + times(quantity, face) + " by " + p.report.name(s.bid.Seat)
	case hasBid && s.bid.Seat == r.By && r.Move == s.bid.Action:
		text = name + ": " + r.Move + " " + times(quantity, face)
	case hasBid:
		text = name + ": " + r.Move + " on " + times(quantity, face) + " by " + p.report.name(s.bid.Seat)
	default:
		text = name + ": " + r.Move
	}
	found, counted := number(s.facts, "found")
	if !counted || !hasBid {
		return text + p.listFacts(s.facts)
	}
	text += ": found " + times(found, face)
	if loser, ok := number(s.facts, "loser"); ok {
		text += ", " + p.report.name(loser) + " lost"
	}
	return text
}

func times(quantity, face int) string { return strconv.Itoa(quantity) + " × " + strconv.Itoa(face) }

// listFacts writes the facts of a game that is not liar's dice.
func (p *pass) listFacts(facts record.Object) string {
	var list []string
	for _, f := range facts {
		if f.Name == "loser" {
			if seat, ok := number(facts, "loser"); ok {
				list = append(list, p.report.name(seat)+" lost")
				continue
			}
		}
		list = append(list, Plain(f.Name, 40)+" "+Plain(valueText(f.Value), 40))
	}
	if len(list) == 0 {
		return ""
	}
	return Plain(": "+strings.Join(list, ", "), 200)
}

func bidOf(a record.Act) (quantity, face int, ok bool) {
	var hasQuantity, hasFace bool
	for _, x := range a.Args {
		switch x.Name {
		case "quantity":
			quantity, hasQuantity = x.Value, true
		case "face":
			face, hasFace = x.Value, true
		}
	}
	return quantity, face, hasQuantity && hasFace
}

func number(facts record.Object, name string) (int, bool) {
	v, _ := facts.Get(name)
	n, ok := v.(int64)
	return int(n), ok
}
