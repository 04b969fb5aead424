package machine_test

import (
	"errors"
	"testing"

	"dudo.example/core/machine"
)

func constant(n int) machine.Int { return func(*machine.Frame) int { return n } }

// race is a small game: a die each, drawn from a deck without replacement; then seat 0 adds to a sum that must stay below 10.
func race(t *testing.T) *machine.Game {
	t.Helper()
	const deck, die, sum = 0, 1, 2
	vars := []machine.Var{
		{Name: "deck", Zone: 4, Min: 1, Max: 4, Deck: []int{1, 2, 3, 4}, See: machine.SeeNone},
		{Name: "die", PerSeat: true, Max: 4, See: machine.SeeOwner},
		{Name: "sum", Max: 9},
	}
	offsets, _ := machine.Layout(vars, 2)
	total := func(f *machine.Frame) int { return int(f.Cells[offsets[sum]]) }
	g, err := machine.NewGame(machine.Definition{
		Name: "race", Seats: 2, Vars: vars, Limit: 20,
		Rank: func(_ *machine.Frame, seat int) int { return seat + 1 },
		Phases: []machine.Phase{
			{
				Name:  "deal",
				Draws: []machine.Draw{{Into: die, Each: true, From: deck}},
				Then:  []machine.Step{machine.Goto{Phase: 1}},
			},
			{
				Name: "play", Clock: true,
				Timeout: []machine.Step{machine.Reveal{Var: die}, machine.End{}},
				Actions: []machine.Action{
					{
						Name:   "add",
						Params: []machine.Param{{Name: "much", Low: 1, High: 100}},
						When:   func(f *machine.Frame) bool { return int(f.Cells[machine.Arg]) != 13 },
						Do: []machine.Step{
							machine.Reveal{Var: die, Seat: constant(1)},
							machine.Set{{Var: sum, Value: machine.Value{Of: func(f *machine.Frame) int { return total(f) + int(f.Cells[machine.Arg]) }}}},
							machine.If{
								Cond: func(f *machine.Frame) bool { return total(f) == 9 },
								Then: []machine.Step{machine.End{}},
								Else: []machine.Step{machine.Emit{{Name: "sum", Value: machine.Value{Cell: offsets[sum]}}}},
							},
						},
					},
					{
						Name: "fail",
						When: func(f *machine.Frame) bool { f.Fail(errors.New("no")); return true },
					},
				},
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func dealt(t *testing.T) *machine.Position {
	t.Helper()
	p, err := race(t).NewPosition()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{3, 4} {
		// The third card of four, then the third of those that are left.
		if value, err := p.Outcome(2); err != nil || value != want {
			t.Fatalf("Outcome(2) = %d, %v, want %d", value, err, want)
		}
		if err := p.Draw(2); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func TestDrawsWithoutReplacement(t *testing.T) {
	p := dealt(t)
	for seat, want := range []int{3, 4} {
		if got := p.Values(1, seat); got[0] != want {
			t.Errorf("seat %d holds %d, want %d", seat, got[0], want)
		}
	}
	if got := p.Values(0, 0); len(got) != 2 || got[0] != 1 || got[1] != 2 {
		t.Errorf("the deck holds %v, want [1 2]", got)
	}
	if err := p.Draw(0); err == nil {
		t.Error("a draw is accepted where there is none")
	}
}

// TestFailingStepChangesNothing makes moves whose second step fails, after one that changed the position.
func TestFailingStepChangesNothing(t *testing.T) {
	p := dealt(t)
	before := p.Clone()
	m, err := p.Move("add", 10)
	if err != nil {
		t.Fatal(err)
	}
	var refusal *machine.Refusal
	if err := p.Act(0, m); err == nil || errors.As(err, &refusal) {
		t.Errorf("Act gave %v, want a fault", err)
	}
	if !p.Equal(before) || len(p.Effects()) != 0 {
		t.Error("a move that fails changes the position or has effects")
	}
}

func TestGuards(t *testing.T) {
	p := dealt(t)
	var set machine.MoveSet
	p.Legal(0, &set)
	if set.Len() != 99 {
		t.Errorf("%d legal moves, want 99: all sums but 13, and no move whose guard fails", set.Len())
	}
	for m := range machine.Move(p.Game().Moves()) {
		var refusal *machine.Refusal
		if err := p.Check(0, m); (err == nil) != set.Has(m) || (err != nil && !errors.As(err, &refusal)) {
			t.Errorf("%s: Check gave %v, listed %v", p.Game().Text(m), err, set.Has(m))
		}
	}
}

func TestAt(t *testing.T) {
	p := dealt(t)
	var set machine.MoveSet
	p.Legal(0, &set)
	for k, m := range set.Append(nil) {
		if got := set.At(k); got != m {
			t.Errorf("At(%d) = %d, want %d", k, got, m)
		}
	}
}

func TestEffectsAndEndings(t *testing.T) {
	p := dealt(t)
	act := func(much int) {
		t.Helper()
		m, err := p.Move("add", much)
		if err == nil {
			err = p.Act(0, m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	act(2)
	if e := p.Effects(); len(e) != 2 || e[0].Owner != 1 || e[0].Values[0] != 4 || e[1].Name != "sum" || e[1].Values[0] != 2 {
		t.Errorf("effects %v, want seat 1's die and the sum", e)
	}
	shown := map[int]int{}
	for _, s := range p.View(machine.None).Shown {
		shown[s.Var]++
	}
	if shown[0] != 0 || shown[1] != 1 || shown[2] != 1 {
		t.Errorf("a spectator sees %v, want one die and the sum", shown)
	}
	q := p.Clone()
	if err := q.Timeout(); err != nil || q.Ending() != machine.Finished || len(q.Effects()) != 2 {
		t.Errorf("timeout: %v, ending %v, effects %v", err, q.Ending(), q.Effects())
	}
	act(7)
	if p.Ending() != machine.Finished || p.Turn().Actor != machine.Over {
		t.Errorf("the game is not over at 9")
	}
	if err := p.Timeout(); !errors.Is(err, machine.ErrNoTimeout) {
		t.Errorf("a timeout after the end gave %v", err)
	}
}
