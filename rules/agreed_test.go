package rules_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// agreed is the law that the machine, which runs closures, and the reference, which asks expr's machine, play the same game: the same
// state, views, effects, outcomes, legal moves, refusals and results.
type agreed struct {
	ref   *reference
	done  int
	evals int
}

// referenceOf begins a game of a file; options that are not given have their defaults.
func referenceOf(t *testing.T, f *rules.File, seats int, options map[string]int) *reference {
	t.Helper()
	all, err := f.Resolve(options)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := newReference(f.Text, seats, all)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func (l *agreed) broken(c *course) error {
	for ; l.done < len(c.log); l.done++ {
		if err := l.apply(c.Game(), c.log[l.done]); err != nil {
			return fmt.Errorf("the reference fails: %w", err)
		}
	}
	err := l.state(c)
	if c.Turn().Actor == machine.Seat && err == nil {
		if err = l.refusal(c); err == nil && len(c.log)%11 == 0 {
			err = l.moves(c.Position)
		}
	}
	c.count.evals += l.ref.evals - l.evals
	l.evals = l.ref.evals
	return err
}

func (l *agreed) apply(g *machine.Game, in input) error {
	switch in.actor {
	case machine.Chance:
		return l.ref.chance(in.value)
	case machine.Seat:
		return l.ref.act(in.seat, g.Text(machine.Move(in.value)))
	default:
		return l.ref.timeout()
	}
}

// state compares who is on, all values, the effects of the last action and what a viewer sees.
func (l *agreed) state(c *course) error {
	g, turn := c.Game(), c.Turn()
	switch over := l.ref.ending != ""; {
	case over != (turn.Actor == machine.Over):
		return fmt.Errorf("actor %d, and the reference has ended: %v", turn.Actor, over)
	case over:
		if err := l.result(c.Position); err != nil {
			return err
		}
	case c.Phase() != l.ref.phase:
		return fmt.Errorf("the phase is %s, want %s", c.Phase(), l.ref.phase)
	case turn.Actor == machine.Chance:
		if err := l.outcomes(c.Position); err != nil {
			return err
		}
	default:
		want, err := l.ref.turn()
		if err != nil {
			return err
		}
		if turn.Seat != want {
			return fmt.Errorf("the turn of seat %d, want %d", turn.Seat, want)
		}
	}
	var state, want []string
	for i := range g.Vars {
		for owner := range owners(g, i) {
			seat := owner
			if !g.Vars[i].PerSeat {
				seat = machine.None
			}
			state = append(state, fact("", g.Vars[i].Name, seat, c.Values(i, owner)))
		}
	}
	err := l.ref.everything(func(o owner) error {
		want = append(want, fact("", o.name(), o.seat, o.values()))
		return nil
	})
	if err := difference("state", state, want, err); err != nil {
		return err
	}
	var effects []string
	for _, e := range c.Effects() {
		if e.Var < 0 {
			effects = append(effects, fact("tells ", e.Name, e.Owner, e.Values))
		} else {
			effects = append(effects, fact("shows ", e.Name, e.Owner, e.Values))
		}
	}
	if err := difference("effects", effects, l.ref.effects, nil); err != nil {
		return err
	}
	viewer := len(c.log)%(g.Seats+1) - 1
	var view []string
	for _, s := range c.View(viewer).Shown {
		view = append(view, fact("", g.Vars[s.Var].Name, s.Owner, s.Values))
	}
	seen, err := l.ref.view(viewer)
	return difference(fmt.Sprint("view of ", viewer), view, seen, err)
}

// difference says where two lists first differ.
func difference(what string, got, want []string, err error) error {
	if err != nil {
		return err
	}
	for i := range max(len(got), len(want)) {
		a, b := "nothing", "nothing"
		if i < len(got) {
			a = got[i]
		}
		if i < len(want) {
			b = want[i]
		}
		if a != b {
			return fmt.Errorf("%s: %s, want %s", what, a, b)
		}
	}
	return nil
}

func (l *agreed) outcomes(p *machine.Position) error {
	_, n, err := p.Outcomes()
	if err != nil {
		return err
	}
	list := make([]int, n)
	for k := range list {
		if list[k], err = p.Outcome(k); err != nil {
			return err
		}
	}
	want, err := l.ref.outcomes()
	if err == nil && (!slices.Equal(list, want) || p.Turn().Seat != l.ref.draw.seat) {
		err = fmt.Errorf("a draw of seat %d among %v, want one of %d among %v", p.Turn().Seat, list, l.ref.draw.seat, want)
	}
	return err
}

func (l *agreed) result(p *machine.Position) error {
	if want := map[string]machine.Ending{"finished": machine.Finished, "limit": machine.Limit}[l.ref.ending]; p.Ending() != want {
		return fmt.Errorf("ending %d, want %s", p.Ending(), l.ref.ending)
	}
	for key, got := range map[string][]int{"rank": p.Places(), "payoff": p.Payoffs()} {
		want, err := l.ref.result(key)
		if err != nil {
			return err
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("%s %v, want %v", key, got, want)
		}
	}
	return nil
}

// moves compares the whole lists of legal moves of all seats.
func (l *agreed) moves(p *machine.Position) error {
	for seat := range p.Game().Seats {
		var list []string
		for _, m := range movesOf(p, seat, false) {
			list = append(list, p.Game().Text(m))
		}
		if err := difference(fmt.Sprint("moves of seat ", seat), list, l.ref.legal(seat), nil); err != nil {
			return err
		}
	}
	return nil
}

// refusal compares the sentence for a random move of a random action, if the guard stops it.
func (l *agreed) refusal(c *course) error {
	phases := c.Game().Phases
	actions := phases[slices.IndexFunc(phases, func(ph machine.Phase) bool { return ph.Name == c.Phase() })].Actions
	a := &actions[c.r.below(len(actions))]
	var args []int
	for _, q := range a.Params {
		args = append(args, q.Low+c.r.below(q.High-q.Low+1))
	}
	m, err := c.Move(a.Name, args...)
	if err != nil {
		return err
	}
	seat, move := c.Turn().Seat, c.Game().Text(m)
	var refusal *machine.Refusal
	if !errors.As(c.Check(seat, m), &refusal) || refusal.Code != machine.CodeIllegalMove {
		return nil
	}
	if yes, err := l.ref.allowed(seat, move); yes && err == nil {
		return fmt.Errorf("%s of seat %d is refused: %w", move, seat, refusal)
	}
	want, err := l.ref.refusal(seat, move)
	if err == nil && refusal.Sentence != want {
		err = fmt.Errorf("%s is refused with %q, want %q", move, refusal.Sentence, want)
	}
	return err
}
