package rules_test

import (
	"fmt"
	"slices"

	"dudo.example/core/machine"
)

// hidden is the law that what nobody may know shows in nothing: if all that a viewer does not see is drawn again, its view and its own
// list of moves stay the same; and if all that a spectator does not see is drawn again, so do everybody's moves of actions that are
// not private.
type hidden struct{ q *machine.Position }

func (l *hidden) broken(c *course) error {
	if c.Moves() > 5 && len(c.log)%3 > 0 {
		return nil // it is much work
	}
	if l.q == nil {
		l.q = c.Clone()
	}
	for viewer := machine.None; viewer < c.Game().Seats; viewer++ {
		l.q.CopyFrom(c.Position)
		if !redraw(l.q, viewer, c.r) {
			continue // all is seen
		}
		c.count.probes++
		if a, b := c.View(viewer), l.q.View(viewer); !equalViews(a, b) {
			return fmt.Errorf("the view of %d changes with hidden values: %v, %v", viewer, a, b)
		}
		for seat := range c.Game().Seats {
			a, b := movesOf(c.Position, seat, viewer == machine.None), movesOf(l.q, seat, viewer == machine.None)
			if (viewer == machine.None || viewer == seat) && !slices.Equal(a, b) {
				return fmt.Errorf("the moves of seat %d change with what is hidden from %d: %v, %v", seat, viewer, a, b)
			}
		}
	}
	return nil
}

// movesOf lists a seat's moves, all or those of actions that are not private.
func movesOf(p *machine.Position, seat int, public bool) []machine.Move {
	var set machine.MoveSet
	p.Legal(seat, &set)
	return slices.DeleteFunc(set.Append(nil), func(m machine.Move) bool {
		a, _, _ := p.Game().Action(m)
		return public && a.Private
	})
}

// redraw writes random values into all that a viewer does not see, lists of other lengths among them, and says whether there is any.
func redraw(p *machine.Position, viewer int, r *generator) (hidden bool) {
	g := p.Game()
	type owned struct{ variable, owner int }
	seen := map[owned]bool{}
	for _, s := range p.View(viewer).Shown {
		seen[owned{s.Var, max(s.Owner, 0)}] = true
	}
	for i := range g.Vars {
		v := &g.Vars[i]
		for owner := range owners(g, i) {
			if seen[owned{i, owner}] {
				continue
			}
			hidden = true
			p.Put(i, owner, randomValues(v, r)...)
		}
	}
	return hidden
}

func owners(g *machine.Game, variable int) int {
	if g.Vars[variable].PerSeat {
		return g.Seats
	}
	return 1
}

// randomValues are values that a variable can hold.
func randomValues(v *machine.Var, r *generator) []int {
	values := make([]int, 1)
	if v.Zone > 0 {
		values = make([]int, r.below(v.Zone+1))
	}
	for k := range values {
		values[k] = v.Min + r.below(min(v.Max-v.Min+1, 12))
	}
	return values
}

// scatter writes random values into every variable.
func scatter(p *machine.Position, r *generator) {
	for i := range p.Game().Vars {
		for owner := range owners(p.Game(), i) {
			p.Put(i, owner, randomValues(&p.Game().Vars[i], r)...)
		}
	}
}

func equalViews(a, b machine.View) bool {
	return a.Turn == b.Turn && a.Phase == b.Phase && slices.EqualFunc(a.Shown, b.Shown, func(x, y machine.Shown) bool {
		return x.Var == y.Var && x.Owner == y.Owner && slices.Equal(x.Values, y.Values)
	})
}
