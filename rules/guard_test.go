package rules_test

import (
	"slices"
	"testing"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// TestRowsAreTheGuard holds the rows that moves are listed and checked by against the guard itself, asked for every tuple of
// arguments, in positions of random values: of every rule file with its options, and of guards whose parts can fail.
func TestRowsAreTheGuard(t *testing.T) {
	for _, f := range allFiles(t) {
		t.Run(f.Game, func(t *testing.T) {
			for seed := range uint64(12) {
				r := generator(seed)
				options := map[string]int{}
				for _, o := range f.Options {
					if options[o.Name] = o.Default; r.below(2) == 0 {
						options[o.Name] = o.Low + r.below(min(o.High-o.Low+1, 8))
					}
				}
				g, err := f.Compile(f.MinSeats+r.below(f.MaxSeats-f.MinSeats+1), options)
				if err != nil {
					t.Fatalf("options %v: %v", options, err)
				}
				guards(t, g, &r)
			}
		})
	}
}

func TestRowsOfFailingGuards(t *testing.T) {
	tests := []struct {
		guard string
		rows  bool // the guard has rows; otherwise it is asked for every tuple
	}{
		{"many > 0 || lost[me] == 0", true},
		{"lost[me] == 0 || many > 0", true},
		{"!(lost[me] == 0 && many > 0) && !loud", true},
		{"loud ? many == 1 : lost[me] > 0 ? many != 1 : many == lost[me]", true},
		// The part that fails stands first: it fails whatever the other would say.
		{"lost[many * 2] == 0 || lost[me] == 0", false},
		{"many * 2147483647 > 5 || lost[me] == 0", false},
		{"many * 2147483647 > 5 && lost[me] == 0", false},
		{"(lost[1 - 2 * lost[me]] == 0 && many > 1) || lost[me] > 0", false},
		// It stands second: it is asked only for the tuples that the first leaves open.
		{"many > 1 || lost[1 - 2 * lost[me]] == 0", false},
		{"many > 1 && lost[1 - 2 * lost[me]] == 0", false},
		// It reads no parameter and stands first: either all tuples fail or none.
		{"lost[1 - 2 * lost[me]] == 0 || many > 1", true},
		{"lost[1 - 2 * lost[me]] == 0 && many > 1", true},
		{"lost[1 - 2 * lost[me]] == 0 ? many > 1 : many < 2", true},
	}
	for _, tt := range tests {
		t.Run(tt.guard, func(t *testing.T) {
			f, err := rules.Parse("coin.yaml", []byte(replaced(t, "many > 0 || lost[me] == 0", "'"+tt.guard+"'")))
			if err != nil {
				t.Fatal(err)
			}
			g, err := f.Compile(2, nil)
			if err != nil {
				t.Fatal(err)
			}
			p := start(t, g)
			if a, ok := p.FindAction("guess"); !ok || (a.Row != nil) != tt.rows {
				t.Errorf("the guard has rows: %v, want %v", !tt.rows, tt.rows)
			}
			r := generator(1)
			guards(t, g, &r)
		})
	}
}

// guards compares what is listed with the guard of every action in random positions of each phase.
func guards(t *testing.T, g *machine.Game, r *generator) {
	t.Helper()
	p := start(t, g)
	var set machine.MoveSet
	for _, ph := range g.Phases {
		if !p.PutPhase(ph.Name) {
			continue
		}
		for range 8 {
			scatter(p, r)
			seat := p.Turn().Seat
			p.Legal(seat, &set)
			for k, m := range set.Append(nil) {
				if got := set.At(k); got != m {
					t.Fatalf("At(%d) = %d, want %d", k, got, m)
				}
			}
			for m := range machine.Move(g.Moves()) {
				if want := passes(p, seat, m); set.Has(m) != want || (p.Check(seat, m) == nil) != want {
					t.Fatalf("%s of seat %d: listed %v, Check gives %v, the guard and the bounds say %v; state %v",
						g.Text(m), seat, set.Has(m), p.Check(seat, m), want, p.Cells())
				}
			}
		}
	}
}

// passes asks an action's bounds and guard themselves.
func passes(p *machine.Position, seat int, m machine.Move) bool {
	action, args, ok := p.Game().Action(m)
	if !ok {
		return false
	}
	if !slices.ContainsFunc(p.Game().Phases, func(ph machine.Phase) bool {
		return ph.Name == p.Phase() && slices.ContainsFunc(ph.Actions, func(a machine.Action) bool { return a.Name == action.Name })
	}) {
		return false
	}
	if here, ok := p.FindAction(action.Name); !ok || here != action {
		return false
	}
	turn := p.Turn()
	f := frame(p, seat, args)
	if action.Who == nil && (turn.Actor != machine.Seat || seat != turn.Seat) || action.Who != nil && !action.Who(f, seat) {
		return false
	}
	for k, q := range action.Params {
		if x := int(args[k]); q.Min != nil && x < q.Min(f) || q.Max != nil && x > q.Max(f) {
			return false
		}
	}
	return (action.When == nil || action.When(f)) && f.Err() == nil
}

// frame is what an expression reads when the seat asks about a move.
func frame(p *machine.Position, seat int, args []int32) *machine.Frame {
	f := &machine.Frame{Cells: slices.Clone(p.Cells())}
	f.Cells[machine.Me] = int32(seat)
	for k, x := range args {
		f.Cells[machine.Arg+k] = x
	}
	return f
}
