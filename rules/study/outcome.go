package study

import (
	"fmt"
	"slices"
	"strings"

	"dudo.example/core/machine"
)

// commonVariables pairs the variables that two games have under one name and of one shape.
func commonVariables(a, b *machine.Game) (list [][2]int) {
	for i := range a.Vars {
		k, ok := b.Var(a.Vars[i].Name)
		if ok && a.Vars[i].PerSeat == b.Vars[k].PerSeat && (a.Vars[i].Zone > 0) == (b.Vars[k].Zone > 0) {
			list = append(list, [2]int{i, k})
		}
	}
	return list
}

// outcome compares what the last move or draw came to, and tells what differs. It reports whether nothing does.
func (c *comparing) outcome(what string) bool {
	if !strings.HasPrefix(what, "the draws") {
		c.Moves++
		what = fmt.Sprintf("what %s does in the phase %s", what, c.before.Phase())
	}
	var names, a, b []string
	note := func(name, left, right string) {
		if left != right {
			names, a, b = append(names, name), append(a, name+" "+left), append(b, name+" "+right)
		}
	}
	for _, pair := range c.common {
		v := &c.p[0].Game().Vars[pair[0]]
		owners := 1
		if v.PerSeat {
			owners = c.p[0].Game().Seats
		}
		var texts [2][]string
		differs := false
		for owner := range owners {
			left, right := c.p[0].Values(pair[0], owner), c.p[1].Values(pair[1], owner)
			differs = differs || !slices.Equal(left, right)
			texts[0], texts[1] = append(texts[0], valueText(v, left)), append(texts[1], valueText(v, right))
		}
		if differs {
			note(v.Label(), strings.Join(texts[0], ", "), strings.Join(texts[1], ", "))
		}
	}
	left, right := facts(c.p[0]), facts(c.p[1])
	note("what it tells", strings.Join(left, ", "), strings.Join(right, ", "))
	note("what follows", next(c.p[0]), next(c.p[1]))
	if len(names) == 0 {
		return true
	}
	c.differ(what, names, strings.Join(a, "; "), strings.Join(b, "; "))
	return false
}

// facts are those that the last move told.
func facts(p *machine.Position) (list []string) {
	told := Told(p)
	for i, e := range p.Effects() {
		if e.Var < 0 {
			list = append(list, told[i])
		}
	}
	return list
}

// next says what a position waits for.
func next(p *machine.Position) string {
	turn := p.Turn()
	switch turn.Actor {
	case machine.Over:
		return Ended(p)
	case machine.Chance:
		return "the phase " + p.Phase()
	default:
		return fmt.Sprintf("seat %d in the phase %s", turn.Seat, p.Phase())
	}
}

// maxListed is how many moves are named where many are meant.
const maxListed = 8

// legal compares the legal moves of all seats, tells what differs, and gives those that are legal in both games.
func (c *comparing) legal() (both []choice) {
	c.Positions++
	var only [2][]string
	var names []string
	for _, seat := range allSeats(c.p[0].Game()) {
		var sets [2]machine.MoveSet
		for side, p := range c.p {
			p.Legal(seat, &sets[side])
		}
		for side, p := range c.p {
			for m := range sets[side].All() {
				if other, ok := translate(p.Game(), m, c.p[1-side]); ok && sets[1-side].Has(other) {
					if side == 0 {
						both = append(both, choice{seat, m})
					}
					continue
				}
				text := p.Game().Text(m)
				if seat != p.Turn().Seat {
					text = fmt.Sprintf("%d:%s", seat, text)
				}
				only[side] = append(only[side], text)
				if name := actionOf(p.Game(), m); !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	if names != nil {
		c.differ("what is legal in the phase "+c.p[0].Phase(), names, allows(only[0]), allows(only[1]))
	}
	return both
}

func allows(only []string) string {
	switch n := len(only); {
	case n == 0:
		return "allows nothing that the other does not"
	case n > maxListed:
		return fmt.Sprintf("alone allows %s and %d more", strings.Join(only[:maxListed], ", "), n-maxListed)
	default:
		return "alone allows " + strings.Join(only, ", ")
	}
}

// align brings the sides together again: the leading one goes on to the next turn of a player, and the other takes over what it
// has of the variables that both know. It reports whether that could be done.
func (c *comparing) align() bool {
	lead, other := c.p[c.lead], c.p[1-c.lead]
	for lead.Turn().Actor == machine.Chance {
		if Draw(lead, c.random) != nil {
			return false
		}
	}
	if lead.Turn().Actor == machine.Over {
		return false
	}
	if other.Turn().Actor == machine.Over {
		begin, err := other.Game().NewPosition()
		if err != nil {
			return false
		}
		other = begin
		c.p[1-c.lead] = begin
	}
	for _, pair := range c.common {
		owners := 1
		if lead.Game().Vars[pair[c.lead]].PerSeat {
			owners = lead.Game().Seats
		}
		for owner := range owners {
			if !other.Put(pair[1-c.lead], owner, lead.Values(pair[c.lead], owner)...) {
				return false
			}
		}
	}
	return other.PutPhase(lead.Phase()) && other.Turn() == lead.Turn()
}
