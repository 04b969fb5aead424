package rules_test

import (
	"slices"
	"testing"

	"dudo.example/core/machine"
)

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
	for i, tt := range tests {
		if raceEnabled && i > 0 {
			break // one goroutine
		}
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
