package rules_test

import (
	"maps"
	"slices"
	"testing"

	"dudo.example/core/machine"
)

// tree is a game for two whose payoffs sum to 0, in which all is public but what each was dealt at the start. It is read out
// of the machine: all deals are played side by side, so a node is one history of moves, and of what chance showed to both, under
// every deal.
type tree struct {
	hands [2]int  // how many different hands each seat can be dealt
	nodes []*node // each before those that follow it, the first move of the game first
	count struct {
		decisions, ends int // positions where a seat acts and where the game is over, of every deal
		sets            int // what seats know of the first
		all             int // positions, those of chance included
	}
}

// node is a history.
type node struct {
	seat    int // who acts, or machine.None for chance
	kids    []*node
	payoffs []float64 // of seat 0 by deal, weighed by how likely chance leads here, if the game is over
	solving
}

// deals are the positions that one history leads to, one of each deal: the hand of seat 0 and then that of seat 1. There is none
// where both cannot be dealt.
type deals []deal

type deal struct {
	*machine.Position
	chance float64 // that chance leads here
}

// readTree reads a game out of the machine.
func readTree(t *testing.T, g *machine.Game) *tree {
	t.Helper()
	r := tree{}
	names := [2]map[string]int{{}, {}} // the hands, by what their seat sees after the deal
	type dealt struct {
		deal
		hands [2]int
	}
	var all []dealt
	var draw func(d deal)
	draw = func(d deal) {
		r.count.all++
		if d.Turn().Actor != machine.Chance {
			r.count.all-- // grow counts it
			x := dealt{deal: d}
			for seat, named := range names {
				view := known(d.Position, seat)
				if _, ok := named[view]; !ok {
					named[view] = len(named)
				}
				x.hands[seat] = named[view]
			}
			all = append(all, x)
			return
		}
		for _, next := range d.outcomes(t) {
			draw(next)
		}
	}
	draw(deal{start(t, g), 1})
	r.hands = [2]int{len(names[0]), len(names[1])}
	list := make(deals, r.hands[0]*r.hands[1])
	for _, x := range all {
		d := &list[x.hands[0]*r.hands[1]+x.hands[1]]
		d.Position = x.Position
		d.chance += x.chance
	}
	r.grow(t, list)
	return &r
}

// outcomes are what follows the next draw, by its value.
func (d deal) outcomes(t *testing.T) map[int]deal {
	t.Helper()
	_, n, err := d.Outcomes()
	if err != nil {
		t.Fatal(err)
	}
	list := map[int]deal{}
	for k := range n {
		value, err := d.Outcome(k)
		if err != nil {
			t.Fatal(err)
		}
		list[value] = d.after(t, d.chance/float64(n), func(p *machine.Position) error { return p.Draw(k) })
	}
	return list
}

func (d deal) after(t *testing.T, chance float64, do func(p *machine.Position) error) deal {
	t.Helper()
	p := d.Clone()
	if err := do(p); err != nil {
		t.Fatal(err)
	}
	return deal{p, chance}
}

// grow adds the node where the deals have come to, and all that follow.
func (r *tree) grow(t *testing.T, list deals) *node {
	t.Helper()
	first := list[slices.IndexFunc(list, func(d deal) bool { return d.Position != nil })]
	for _, d := range list {
		if d.Position == nil {
			continue
		}
		if r.count.all++; d.Turn() != first.Turn() {
			t.Fatal("who acts depends on the hands")
		}
	}
	n := &node{seat: first.Turn().Seat}
	r.nodes = append(r.nodes, n)
	switch first.Turn().Actor {
	case machine.Over:
		r.end(t, n, list)
	case machine.Chance:
		n.seat = machine.None
		r.draw(t, n, list)
	case machine.Seat:
		r.act(t, n, list)
	}
	return n
}

// draw adds what follows a draw that both see.
func (r *tree) draw(t *testing.T, n *node, list deals) {
	t.Helper()
	next := map[int]deals{}
	for i, d := range list {
		if d.Position == nil {
			continue
		}
		for value, after := range d.outcomes(t) {
			if next[value] == nil {
				next[value] = make(deals, len(list))
			}
			next[value][i] = after
		}
	}
	for _, value := range slices.Sorted(maps.Keys(next)) {
		n.kids = append(n.kids, r.grow(t, next[value]))
	}
}

// act adds what follows each move.
func (r *tree) act(t *testing.T, n *node, list deals) {
	t.Helper()
	r.checkViews(t, list, n.seat)
	var moves, other machine.MoveSet
	for i, d := range list {
		if d.Position == nil {
			continue
		}
		if r.count.decisions++; moves.Len() == 0 {
			d.Legal(n.seat, &moves)
		}
		if d.Legal(n.seat, &other); !sameMoves(&moves, &other) {
			t.Fatalf("the legal moves depend on the hands: those of deal %d differ", i)
		}
	}
	for m := range moves.All() {
		next := make(deals, len(list))
		for i, d := range list {
			if d.Position != nil {
				next[i] = d.after(t, d.chance, func(p *machine.Position) error { return p.Act(n.seat, m) })
			}
		}
		n.kids = append(n.kids, r.grow(t, next))
	}
}

// end notes the payoffs of a game that is over; the first of two places wins 1 from the second.
func (r *tree) end(t *testing.T, n *node, list deals) {
	t.Helper()
	n.payoffs = make([]float64, len(list))
	for i, d := range list {
		if d.Position == nil {
			continue
		}
		r.count.ends++
		switch pay, places := d.Payoffs(), d.Places(); {
		case slices.Equal(places, []int{1, 2}):
			n.payoffs[i] = d.chance
		case slices.Equal(places, []int{2, 1}):
			n.payoffs[i] = -d.chance
		case pay == nil || pay[0]+pay[1] != 0:
			t.Fatalf("places %v, payoffs %v: want two places, or payoffs that sum to 0", places, pay)
		default:
			n.payoffs[i] = d.chance * float64(pay[0])
		}
	}
}

// checkViews wants the acting seat to tell its own hands apart by what it sees, and nothing else.
func (r *tree) checkViews(t *testing.T, list deals, seat int) {
	t.Helper()
	views := map[int]string{}
	different := map[string]bool{}
	for i, d := range list {
		if d.Position == nil {
			continue
		}
		hand := i / r.hands[1]
		if seat == 1 {
			hand = i % r.hands[1]
		}
		view := known(d.Position, seat)
		if before, ok := views[hand]; ok && before != view {
			t.Fatalf("what seat %d sees depends on the other's hand", seat)
		}
		views[hand] = view
		different[view] = true
	}
	if len(different) != len(views) {
		t.Fatalf("seat %d sees %d positions where it has %d hands", seat, len(different), len(views))
	}
	r.count.sets += len(different)
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
