package rules_test

import (
	"math"
	"slices"
)

// solving is what a solver keeps at a node.
type solving struct {
	play    []float64    // the probabilities of the acting seat's moves, by hand and move
	reach   [2][]float64 // how likely each hand of a seat is played to here
	values  []float64    // what the seat that is asked wins from here with each hand, weighed by how likely chance and the other lead here
	regret  []float64    // how much better each move would have been than what was played, by hand and move, but never below 0
	average []float64    // what was played, the later the weightier
}

// solver finds how both play best, by CFR+ (Tammelin 2014): each seat in turn plays its moves in proportion to their regrets.
// Whatever it finds, [solver.bounds] answers it exactly, so a fault of the solver can only make the bounds wide.
type solver struct {
	*tree
	steps int
	live  [2][]*node // where a seat plays to with some hand, each before those that follow it
}

func newSolver(r *tree) *solver {
	for _, n := range r.nodes {
		for seat := range n.reach {
			n.reach[seat] = make([]float64, r.hands[seat])
		}
		n.values = make([]float64, max(r.hands[0], r.hands[1]))
		if n.seat >= 0 {
			size := r.hands[n.seat] * len(n.kids)
			n.play, n.regret, n.average = make([]float64, size), make([]float64, size), make([]float64, size)
		}
	}
	s := &solver{tree: r}
	for seat := range 2 {
		s.choose(seat, r.nodes, func(n *node) []float64 { return n.regret })
	}
	return s
}

// step trains both seats once.
func (s *solver) step() {
	s.steps++
	for seat := range 2 {
		s.spread()
		s.answer(seat, false)
		for _, n := range s.live[seat] {
			if n.seat != seat {
				continue
			}
			for i, p := range n.play {
				n.average[i] += float64(s.steps) * n.reach[seat][i/len(n.kids)] * p
			}
		}
		for _, n := range s.live[1-seat] {
			if n.seat != seat {
				continue
			}
			for i := range n.regret {
				hand, k := i/len(n.kids), i%len(n.kids)
				n.regret[i] = max(0, n.regret[i]+n.kids[k].values[hand]-n.values[hand])
			}
		}
		s.choose(seat, s.live[1-seat], func(n *node) []float64 { return n.regret })
	}
}

// choose lets a seat play in proportion to weights, and uniformly where they are all 0.
func (s *solver) choose(seat int, nodes []*node, weights func(n *node) []float64) {
	for _, n := range nodes {
		if n.seat != seat {
			continue
		}
		list, moves := weights(n), len(n.kids)
		for i := 0; i < len(list); i += moves {
			sum := 0.0
			for _, w := range list[i : i+moves] {
				sum += w
			}
			for k, w := range list[i : i+moves] {
				if n.play[i+k] = 1 / float64(moves); sum > 0 {
					n.play[i+k] = w / sum
				}
			}
		}
	}
}

// spread works out how likely each node is played to, as far as anybody plays.
func (s *solver) spread() {
	root := s.nodes[0]
	for seat, reach := range root.reach {
		for hand := range reach {
			reach[hand] = 1
		}
		s.live[seat] = append(s.live[seat][:0], root)
	}
	s.spreadFrom(root)
}

func (s *solver) spreadFrom(n *node) {
	moves := len(n.kids)
	for k, kid := range n.kids {
		live := false
		for seat, from := range n.reach {
			sum := 0.0
			to := kid.reach[seat]
			for hand, x := range from {
				if seat == n.seat {
					x *= n.play[hand*moves+k]
				}
				to[hand] = x
				sum += x
			}
			if sum > 0 {
				s.live[seat] = append(s.live[seat], kid)
				live = true
			}
		}
		if clear(kid.values); live {
			s.spreadFrom(kid)
		}
	}
}

// answer works out what a seat wins with each hand at every node that the other plays to, and gives what it wins in all: as it plays,
// or as it would play at best.
func (s *solver) answer(seat int, best bool) float64 {
	for _, n := range slices.Backward(s.live[1-seat]) {
		values, moves := n.values[:s.hands[seat]], len(n.kids)
		clear(values)
		switch {
		case n.payoffs != nil:
			s.pay(n, seat, values)
		case n.seat != seat:
			for _, kid := range n.kids {
				for hand := range values {
					values[hand] += kid.values[hand]
				}
			}
		case best:
			for hand := range values {
				values[hand] = math.Inf(-1)
				for _, kid := range n.kids {
					values[hand] = max(values[hand], kid.values[hand])
				}
			}
		default:
			for k, kid := range n.kids {
				for hand := range values {
					values[hand] += n.play[hand*moves+k] * kid.values[hand]
				}
			}
		}
	}
	sum := 0.0
	for _, x := range s.nodes[0].values[:s.hands[seat]] {
		sum += x
	}
	return sum
}

// pay works out what a seat wins with each hand where the game is over.
func (s *solver) pay(n *node, seat int, values []float64) {
	for other, reach := range n.reach[1-seat] {
		if reach == 0 {
			continue
		}
		if seat == 1 {
			reach = -reach // the payoffs are those of seat 0
		}
		for hand := range values {
			i := hand*s.hands[1] + other
			if seat == 1 {
				i = other*s.hands[1] + hand
			}
			values[hand] += reach * n.payoffs[i]
		}
	}
}

// bounds gives two numbers that the game's value for seat 0 lies between, from how both played on average: the least that this
// wins seat 0, and the most that it lets seat 0 win.
func (s *solver) bounds() (low, high float64) {
	for seat := range 2 {
		s.choose(seat, s.nodes, func(n *node) []float64 { return n.average })
	}
	s.spread()
	low = -s.answer(1, true)
	s.spread() // values are 0 again where nobody plays to
	high = s.answer(0, true)
	for seat := range 2 {
		s.choose(seat, s.nodes, func(n *node) []float64 { return n.regret })
	}
	return low, high
}
