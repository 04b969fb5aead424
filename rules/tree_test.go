package rules_test

import (
	"math"
	"strings"
	"testing"

	"dudo.example/core/machine"
)

// TestGameTrees walks two small games whole and compares them with published figures: the numbers of nodes and of information
// sets, the value of uniform play for the first seat, and how much both players together could gain over it (NashConv).
func TestGameTrees(t *testing.T) {
	tests := []struct {
		file                      string
		decisions, terminal, sets int
		nashConv                  float64
	}{
		{"kuhn-poker", 24, 30, 12, 11.0 / 12},
		{"openspiel", 147_456, 147_420, 24_576, 1.561488646384479},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			for _, f := range allFiles(t) {
				if !strings.HasSuffix(f.Game, "/"+tt.file) {
					continue
				}
				g, err := f.Compile(2, nil)
				if err != nil {
					t.Fatal(err)
				}
				tree := gameTree{sets: map[string][]*node{}}
				root := tree.grow(t, start(t, g), "")
				if tree.decisions != tt.decisions || tree.terminal != tt.terminal || len(tree.sets) != tt.sets {
					t.Errorf("%d decision nodes, %d terminal, %d information sets; want %d, %d, %d",
						tree.decisions, tree.terminal, len(tree.sets), tt.decisions, tt.terminal, tt.sets)
				}
				value := root.uniform()
				conv := tree.best(root, 0) - value + tree.best(root, 1) + value
				if math.Abs(conv-tt.nashConv) > 1e-9 {
					t.Errorf("NashConv of uniform play %.15f, want %.15f", conv, tt.nashConv)
				}
				return
			}
			t.Fatal("no such file")
		})
	}
}

// node is a position of a game for two whose payoffs sum to 0.
type node struct {
	seat   int // who moves, -1 for chance, -2 when the game is over
	set    string
	payoff float64 // of seat 0
	kids   []*node
	reach  float64 // how likely chance and uniform opponents lead here, for the seat that moves
}

type gameTree struct {
	sets                map[string][]*node
	decisions, terminal int
	answers             map[string]int // best move in each set of the seat that is asked
}

// grow builds the tree. The history holds the moves, which all players see; a set is what its seat knows: the moves and its view.
func (g *gameTree) grow(t *testing.T, p *machine.Position, history string) *node {
	turn := p.Turn()
	n := &node{seat: turn.Seat}
	next := func(do func(*machine.Position) error, history string) {
		q := p.Clone()
		if err := do(q); err != nil {
			t.Fatal(err)
		}
		n.kids = append(n.kids, g.grow(t, q, history))
	}
	switch turn.Actor {
	case machine.Over:
		g.terminal++
		n.seat, n.payoff = -2, float64(p.Payoffs()[0])
	case machine.Chance:
		n.seat = -1
		_, outcomes, err := p.Outcomes()
		if err != nil {
			t.Fatal(err)
		}
		for k := range outcomes {
			next(func(q *machine.Position) error { return q.Draw(k) }, history)
		}
	case machine.Seat:
		g.decisions++
		n.set = history + known(p, turn.Seat)
		g.sets[n.set] = append(g.sets[n.set], n)
		var set machine.MoveSet
		p.Legal(turn.Seat, &set)
		for m := range set.All() {
			next(func(q *machine.Position) error { return q.Act(turn.Seat, m) }, history+p.Game().Text(m)+"/")
		}
	}
	return n
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

// uniform is the value for seat 0 if both play uniformly.
func (n *node) uniform() float64 {
	if n.seat == -2 {
		return n.payoff
	}
	sum := 0.0
	for _, k := range n.kids {
		sum += k.uniform()
	}
	return sum / float64(len(n.kids))
}

// best is the value for a seat that answers uniform play as well as possible.
func (g *gameTree) best(root *node, seat int) float64 {
	g.answers = map[string]int{}
	root.weigh(seat, 1)
	return g.answer(root, seat)
}

// weigh works out how likely chance and the other, uniform player lead to each node.
func (n *node) weigh(seat int, reach float64) {
	n.reach = reach
	if n.seat != seat && len(n.kids) > 0 {
		reach /= float64(len(n.kids))
	}
	for _, k := range n.kids {
		k.weigh(seat, reach)
	}
}

func (g *gameTree) answer(n *node, seat int) float64 {
	switch n.seat {
	case -2:
		if seat == 1 {
			return -n.payoff
		}
		return n.payoff
	case seat:
		move, ok := g.answers[n.set]
		if !ok {
			most := math.Inf(-1)
			for k := range n.kids {
				sum := 0.0
				for _, m := range g.sets[n.set] {
					sum += m.reach * g.answer(m.kids[k], seat)
				}
				if sum > most {
					most, move = sum, k
				}
			}
			g.answers[n.set] = move
		}
		return g.answer(n.kids[move], seat)
	}
	sum := 0.0
	for _, k := range n.kids {
		sum += g.answer(k, seat)
	}
	return sum / float64(len(n.kids))
}
