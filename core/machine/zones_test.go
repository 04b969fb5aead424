package machine_test

import (
	"slices"
	"strings"
	"testing"

	"dudo.example/core/machine"
)

// TestTransfer moves elements from a list [3 5 3 1] to one of three places that holds [2] and takes 1 to 5.
func TestTransfer(t *testing.T) {
	number := func(n int) machine.Int { return func(*machine.Frame) int { return n } }
	tests := []struct {
		name         string
		value, count machine.Int
		from, to     []int
		fails        string
	}{
		{name: "the first ones", count: number(2), from: []int{3, 1}, to: []int{2, 3, 5}},
		{name: "none", count: number(0), from: []int{3, 5, 3, 1}, to: []int{2}},
		{name: "all of a value", value: number(3), from: []int{5, 1}, to: []int{2, 3, 3}},
		{name: "some of a value", value: number(3), count: number(1), from: []int{5, 3, 1}, to: []int{2, 3}},
		{name: "all of a value that is not there", value: number(4), from: []int{3, 5, 3, 1}, to: []int{2}},
		{name: "more than there are", value: number(3), count: number(3), fails: "from has 2 such elements, want 3"},
		{name: "more than fit", fails: "to is full"},
		{name: "fewer than none", count: number(-1), fails: "move -1 elements of from"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, err := machine.NewGame(machine.Definition{
				Name: "test", Seats: 1, Limit: 9, Payoff: func(*machine.Frame, int) int { return 0 },
				Vars: []machine.Var{
					{Name: "from", Zone: 4, Min: 1, Max: 6, Deck: []int{3, 5, 3, 1}},
					{Name: "to", Zone: 3, Min: 1, Max: 5, Deck: []int{2}},
				},
				Phases: []machine.Phase{{
					Name: "play",
					Actions: []machine.Action{{Name: "go", Do: []machine.Step{
						machine.Transfer{From: machine.Place{Var: 0}, To: machine.Place{Var: 1}, Value: tt.value, Count: tt.count},
					}}},
				}},
			})
			if err != nil {
				t.Fatal(err)
			}
			p, err := g.NewPosition()
			if err != nil {
				t.Fatal(err)
			}
			err = p.Act(0, 0)
			if tt.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Errorf("Act = %v, want %q", err, tt.fails)
				}
				tt.from, tt.to = []int{3, 5, 3, 1}, []int{2}
			} else if err != nil {
				t.Fatal(err)
			}
			if from, to := p.Values(0, 0), p.Values(1, 0); !slices.Equal(from, tt.from) || !slices.Equal(to, tt.to) {
				t.Errorf("lists %v and %v, want %v and %v", from, to, tt.from, tt.to)
			}
		})
	}
}

// TestDrawFromTooFew fails a move that leads to more draws from a list than it holds, and leaves the position as it was.
func TestDrawFromTooFew(t *testing.T) {
	zero := machine.Value{Of: func(*machine.Frame) int { return 0 }}
	g, err := machine.NewGame(machine.Definition{
		Name: "test", Seats: 1, Limit: 9, Payoff: func(*machine.Frame, int) int { return 0 }, Start: 1,
		Vars: []machine.Var{{Name: "deck", Zone: 2, Min: 1, Max: 6, Deck: []int{4}}, {Name: "card", Min: 0, Max: 6}},
		Phases: []machine.Phase{
			{Name: "draw", Draws: []machine.Draw{{Into: 1, From: 0}}, Then: []machine.Step{machine.Goto{Phase: 1}}},
			{Name: "play", Turn: zero, Actions: []machine.Action{{Name: "go", Do: []machine.Step{machine.Goto{Phase: 0}}}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.NewPosition()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Act(0, 0); err != nil {
		t.Fatal(err)
	}
	if err := p.Draw(0); err != nil {
		t.Fatal(err)
	}
	before := p.Clone()
	if err := p.Act(0, 0); err == nil || !strings.Contains(err.Error(), "deck, which holds 0") {
		t.Errorf("Act = %v, want a failure", err)
	}
	if !p.Equal(before) {
		t.Error("the failing move changed the position")
	}
}
