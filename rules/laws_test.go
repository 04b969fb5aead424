package rules_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"dudo.example/core/machine"
)

// TestLaws plays seeded random games of every rule file and checks at every step that every listed move is accepted and
// every other refused, that a refused move changes nothing, and that playing the same again gives the same game. In the
// standard game dice are conserved and every place is taken once.
func TestLaws(t *testing.T) {
	for _, f := range allFiles(t) {
		t.Run(f.Game, func(t *testing.T) {
			for seed := range uint64(20) {
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
				law(t, g, r, f.Game == "liars-dice/standard")
			}
		})
	}
}

func law(t *testing.T, g *machine.Game, r generator, standard bool) {
	t.Helper()
	a, b := start(t, g), start(t, g)
	again := r
	for a.Turn().Actor != machine.Over && a.Moves() < 150 {
		if a.Turn().Actor == machine.Seat && (standard || a.Moves() < 30) {
			checkMoves(t, a)
		}
		if standard {
			checkDice(t, a)
		}
		step(t, a, &r)
		step(t, b, &again)
		if !a.Equal(b) {
			t.Fatal("the same game played again differs")
		}
	}
	if standard && a.Turn().Actor == machine.Over {
		checkPlaces(t, a)
	}
}

func start(tb testing.TB, g *machine.Game) *machine.Position {
	tb.Helper()
	p, err := g.NewPosition()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// step makes a random draw or move, or now and then lets the clock run out.
func step(t *testing.T, p *machine.Position, r *generator) {
	t.Helper()
	if err := try(p, r); err != nil {
		t.Fatal(err)
	}
}

func try(p *machine.Position, r *generator) error {
	switch turn := p.Turn(); {
	case turn.Actor == machine.Chance:
		_, n, err := p.Outcomes()
		if err != nil {
			return err
		}
		return p.Draw(r.below(n))
	case p.Clocked() && r.below(30) == 0:
		return p.Timeout()
	default:
		var set machine.MoveSet
		p.Legal(turn.Seat, &set)
		return p.Act(turn.Seat, set.At(r.below(set.Len())))
	}
}

// checkMoves tries every move of every seat on the position.
func checkMoves(t *testing.T, p *machine.Position) {
	t.Helper()
	q := p.Clone()
	var set machine.MoveSet
	for seat := -1; seat <= p.Game().Seats; seat++ {
		p.Legal(seat, &set)
		if seat == p.Turn().Seat && set.Len() == 0 {
			t.Fatal("the seat whose turn it is has no legal move")
		}
		for m := machine.Move(-1); int(m) <= p.Game().Moves(); m++ {
			q.CopyFrom(p)
			err := q.Act(seat, m)
			var refusal *machine.Refusal
			switch {
			case set.Has(m) && err != nil:
				t.Fatalf("%s of seat %d is listed and refused: %v", p.Game().Text(m), seat, err)
			case !set.Has(m) && !errors.As(err, &refusal):
				t.Fatalf("%s of seat %d is not listed, and Act gave %v", p.Game().Text(m), seat, err)
			case err != nil && !q.Equal(p):
				t.Fatalf("%s of seat %d is refused and changes the position", p.Game().Text(m), seat)
			}
		}
	}
}

// checkDice compares the hands with the dice that are left.
func checkDice(t *testing.T, p *machine.Position) {
	t.Helper()
	if p.Turn().Actor != machine.Seat {
		return
	}
	hand, _ := p.Game().Var("hand")
	left, _ := p.Game().Var("dice_left")
	total := 0
	for seat := range p.Game().Seats {
		dice := p.Values(hand, seat)
		if len(dice) != p.Values(left, seat)[0] || !slices.IsSorted(dice) {
			t.Fatalf("seat %d holds %v and has %d dice left", seat, dice, p.Values(left, seat)[0])
		}
		total += len(dice)
	}
	quantity, _ := p.Game().Var("standing.quantity")
	if bid := p.Values(quantity, 0)[0]; bid > total {
		t.Fatalf("a bid of %d with %d dice in play", bid, total)
	}
}

// checkPlaces wants the places 1, 2, … one for each seat, unless the game ended at its limit.
func checkPlaces(t *testing.T, p *machine.Position) {
	t.Helper()
	if p.Ending() == machine.Limit {
		return
	}
	places := slices.Sorted(slices.Values(p.Places()))
	for i, place := range places {
		if place != i+1 {
			t.Fatalf("places %v", p.Places())
		}
	}
}

// TestHiddenDice deals the dice that a viewer cannot see again and wants the same view and the same legal moves.
func TestHiddenDice(t *testing.T) {
	g := compile(t, "liars-dice/standard", 3, nil)
	hand, _ := g.Var("hand")
	for seed := range uint64(20) {
		p, r := start(t, g), generator(seed)
		for p.Turn().Actor != machine.Over {
			if p.Turn().Actor == machine.Seat {
				for viewer := machine.None; viewer < g.Seats; viewer++ {
					checkBlind(t, p, hand, viewer, &r)
				}
			}
			step(t, p, &r)
		}
	}
}

func checkBlind(t *testing.T, p *machine.Position, hand, viewer int, r *generator) {
	t.Helper()
	q := p.Clone()
	for seat := range p.Game().Seats {
		if seat == viewer {
			continue
		}
		dice := q.Values(hand, seat)
		for i := range dice {
			dice[i] = 1 + r.below(6)
		}
		q.Put(hand, seat, dice...)
	}
	if a, b := p.View(viewer), q.View(viewer); !equalViews(a, b) {
		t.Fatalf("the view of %d changes with hidden dice:\n%v\n%v", viewer, a, b)
	}
	if viewer == machine.None {
		return
	}
	var a, b machine.MoveSet
	p.Legal(viewer, &a)
	q.Legal(viewer, &b)
	if !sameMoves(&a, &b) {
		t.Fatalf("the legal moves of %d change with hidden dice", viewer)
	}
}

func equalViews(a, b machine.View) bool {
	return a.Turn == b.Turn && a.Phase == b.Phase && slices.EqualFunc(a.Shown, b.Shown, func(x, y machine.Shown) bool {
		return x.Var == y.Var && x.Owner == y.Owner && slices.Equal(x.Values, y.Values)
	})
}

// TestBiddingSequences walks all bidding sequences that end in a challenge: with d dice in play there is one for every set of
// the 6·d bids that is not empty, as a set of bids can be made in one order only.
func TestBiddingSequences(t *testing.T) {
	tests := []struct {
		seats int
		dice  []int // of each seat
		want  int
	}{
		{2, []int{1, 1}, 1<<12 - 1},
		{2, []int{1, 2}, 1<<18 - 1},
		{3, []int{1, 1, 1}, 1<<18 - 1},
	}
	for _, tt := range tests {
		g := compile(t, "liars-dice/standard", tt.seats, map[string]int{"dice": slices.Max(tt.dice)})
		p := start(t, g)
		left, _ := g.Var("dice_left")
		hand, _ := g.Var("hand")
		for seat, n := range tt.dice {
			p.Put(left, seat, n)
			p.Put(hand, seat, []int{1, 2}[:n]...)
		}
		p.PutPhase("bidding")
		w := sequences{}
		w.walk(t, p, 0)
		if w.ended != tt.want {
			t.Errorf("dice %v: %d bidding sequences end in a challenge, want %d", tt.dice, w.ended, tt.want)
		}
	}
}

// sequences counts bidding sequences. It keeps a position and a set of moves for each depth.
type sequences struct {
	ended     int
	positions []*machine.Position
	sets      []*machine.MoveSet
}

func (w *sequences) walk(t *testing.T, p *machine.Position, depth int) {
	if p.Turn().Actor != machine.Seat {
		w.ended++
		return
	}
	if depth == len(w.positions) {
		w.positions = append(w.positions, p.Clone())
		w.sets = append(w.sets, new(machine.MoveSet))
	}
	q, set := w.positions[depth], w.sets[depth]
	seat := p.Turn().Seat
	p.Legal(seat, set)
	for m := range set.All() {
		q.CopyFrom(p)
		if err := q.Act(seat, m); err != nil {
			t.Fatal(err)
		}
		w.walk(t, q, depth+1)
	}
}

// TestSharedGame plays the same games of one compiled game at the same time and wants the same results.
func TestSharedGame(t *testing.T) {
	g := compile(t, "liars-dice/standard", 4, nil)
	results := make([][]int, 4)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() {
			for seed := range uint64(20) {
				p, err := g.NewPosition()
				r := generator(seed)
				for err == nil && p.Turn().Actor != machine.Over {
					err = try(p, &r)
				}
				if err != nil {
					t.Error(err)
					return
				}
				results[i] = append(results[i], p.Places()...)
			}
		})
	}
	all.Wait()
	for _, r := range results[1:] {
		if !slices.Equal(r, results[0]) {
			t.Fatal("the same games end differently when they are played at the same time")
		}
	}
}

func sameMoves(a, b *machine.MoveSet) bool { return slices.Equal(a.Append(nil), b.Append(nil)) }
