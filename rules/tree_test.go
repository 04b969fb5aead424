package rules_test

import (
	"slices"
	"testing"

	"dudo.example/core/machine"
)

// tree is a game for two whose payoffs sum to 0, in which all is public but what each was dealt at the start. It is read out
// of the machine: all deals are played side by side, so a node is one history of moves under every deal.
type tree struct {
	hands  [2]int    // how many different hands each seat can be dealt
	chance []float64 // of each deal: the hand of seat 0 and then that of seat 1; 0 where both cannot be dealt
	nodes  []*node   // each before those that follow it, the first move of the game first
	count  struct {
		decisions, ends int // positions where a seat acts and where the game is over, of every deal
		sets            int // what seats know of the first
	}
}

// node is a history of moves.
type node struct {
	seat    int // who acts
	kids    []*node
	payoffs []float64 // of seat 0 by deal, if the game is over
	solving
}

// readTree reads a game out of the machine.
func readTree(t *testing.T, g *machine.Game) *tree {
	t.Helper()
	r := tree{}
	names := [2]map[string]int{{}, {}} // the hands, by what their seat sees after the deal
	type dealt struct {
		*machine.Position
		hands  [2]int
		chance float64
	}
	var all []dealt
	var deal func(p *machine.Position, chance float64)
	deal = func(p *machine.Position, chance float64) {
		if p.Turn().Actor != machine.Chance {
			d := dealt{Position: p, chance: chance}
			for seat, named := range names {
				view := known(p, seat)
				if _, ok := named[view]; !ok {
					named[view] = len(named)
				}
				d.hands[seat] = named[view]
			}
			all = append(all, d)
			return
		}
		_, n, err := p.Outcomes()
		if err != nil {
			t.Fatal(err)
		}
		for k := range n {
			q := p.Clone()
			if err := q.Draw(k); err != nil {
				t.Fatal(err)
			}
			deal(q, chance/float64(n))
		}
	}
	deal(start(t, g), 1)
	r.hands = [2]int{len(names[0]), len(names[1])}
	r.chance = make([]float64, r.hands[0]*r.hands[1])
	positions := make([]*machine.Position, len(r.chance))
	for _, d := range all {
		i := d.hands[0]*r.hands[1] + d.hands[1]
		r.chance[i] += d.chance
		positions[i] = d.Position
	}
	r.grow(t, positions)
	return &r
}

// grow adds the node where the deals have come to these positions, and all that follow.
func (r *tree) grow(t *testing.T, positions []*machine.Position) *node {
	t.Helper()
	var first *machine.Position
	for _, p := range positions {
		switch {
		case p == nil:
			continue
		case first == nil:
			first = p
		}
		if p.Turn() != first.Turn() || p.Turn().Actor == machine.Chance {
			t.Fatal("who acts depends on the hands, or chance does after the deal")
		}
	}
	n := &node{seat: first.Turn().Seat}
	r.nodes = append(r.nodes, n)
	if first.Turn().Actor == machine.Over {
		r.end(t, n, positions)
		return n
	}
	r.checkViews(t, positions, n.seat)
	var moves, other machine.MoveSet
	first.Legal(n.seat, &moves)
	for _, p := range positions {
		if p == nil {
			continue
		}
		r.count.decisions++
		if p.Legal(n.seat, &other); !sameMoves(&moves, &other) {
			t.Fatal("the legal moves depend on the hands")
		}
	}
	for m := range moves.All() {
		next := make([]*machine.Position, len(positions))
		for i, p := range positions {
			if p == nil {
				continue
			}
			next[i] = p.Clone()
			if err := next[i].Act(n.seat, m); err != nil {
				t.Fatal(err)
			}
		}
		n.kids = append(n.kids, r.grow(t, next))
	}
	return n
}

// end notes the payoffs of a game that is over; the first of two places wins 1 from the second.
func (r *tree) end(t *testing.T, n *node, positions []*machine.Position) {
	t.Helper()
	n.payoffs = make([]float64, len(positions))
	for i, p := range positions {
		if p == nil {
			continue
		}
		r.count.ends++
		switch pay, places := p.Payoffs(), p.Places(); {
		case slices.Equal(places, []int{1, 2}):
			n.payoffs[i] = 1
		case slices.Equal(places, []int{2, 1}):
			n.payoffs[i] = -1
		case pay == nil || pay[0]+pay[1] != 0:
			t.Fatalf("places %v, payoffs %v: want two places, or payoffs that sum to 0", places, pay)
		default:
			n.payoffs[i] = float64(pay[0])
		}
	}
}

// checkViews wants the acting seat to tell its own hands apart by what it sees, and nothing else.
func (r *tree) checkViews(t *testing.T, positions []*machine.Position, seat int) {
	t.Helper()
	views := make([]string, r.hands[seat])
	different := map[string]bool{}
	for i, p := range positions {
		if p == nil {
			continue
		}
		hand, view := r.hand(seat, i), known(p, seat)
		if views[hand] != "" && views[hand] != view {
			t.Fatalf("what seat %d sees depends on the other's hand", seat)
		}
		views[hand] = view
		different[view] = true
	}
	if len(different) != r.hands[seat] {
		t.Fatalf("seat %d sees %d positions where it has %d hands", seat, len(different), r.hands[seat])
	}
	r.count.sets += len(different)
}

// hand is the hand that a seat has in a deal.
func (r *tree) hand(seat, deal int) int {
	if seat == 0 {
		return deal / r.hands[1]
	}
	return deal % r.hands[1]
}

// known writes what a seat sees of the position.
func known(p *machine.Position, seat int) string {
	var b []byte
	for _, s := range p.View(seat).Shown {
		b = append(b, byte(s.Var), byte(s.Owner+1), byte(len(s.Values)))
		for _, x := range s.Values {
			b = append(b, byte(x))
		}
	}
	return string(b)
}
