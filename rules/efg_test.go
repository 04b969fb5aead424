package rules_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"dudo.example/core/machine"
)

// TestEFG holds Kuhn poker against OpenSpiel's game tree of it, written in Gambit's format: every node in order, who acts in it,
// which nodes are one information set, the chances, and the payoffs of every leaf.
func TestEFG(t *testing.T) {
	text, err := os.ReadFile("testdata/openspiel/kuhn_poker.efg")
	if err != nil {
		t.Fatal(err)
	}
	header, nodes, _ := strings.Cut(string(text), "\n\n")
	if !strings.HasPrefix(header, "EFG 2 R") {
		t.Fatalf("no tree: %s", header)
	}
	e := efg{lines: strings.Split(strings.TrimSpace(nodes), "\n"), sets: map[string]string{}, views: map[string]string{}}
	total := len(e.lines)
	if err := e.walk(start(t, compile(t, "cards/kuhn-poker", 2, nil)), ""); err != nil {
		t.Fatalf("node %d of %d: %v", total-len(e.lines), total, err)
	}
	if len(e.lines) > 0 || total != 58 || e.leaves != 30 || len(e.sets) != 12 {
		t.Errorf("%d nodes of %d were not reached; %d leaves, %d information sets", len(e.lines), total, e.leaves, len(e.sets))
	}
}

// efg is a tree being read, in the order in which a walk meets its nodes.
type efg struct {
	lines  []string
	leaves int
	sets   map[string]string // what a seat knows in each information set
	views  map[string]string // the information set of what a seat knows
}

// nodeLine matches a node: its kind, its name, who acts and in which information set or which outcome it is, and what is in braces.
var nodeLine = regexp.MustCompile(`^\s*([cpt]) "[^"]*" (\d+)(?: (\d+))? "[^"]*" \{ (.*) \}`)

// walk compares the next node with a position, and then those below it. The moves are those of the players.
func (e *efg) walk(p *machine.Position, moves string) error {
	if len(e.lines) == 0 {
		return fmt.Errorf("the tree is over in the phase %s", p.Phase())
	}
	m := nodeLine.FindStringSubmatch(e.lines[0])
	if m == nil {
		return fmt.Errorf("no node: %s", e.lines[0])
	}
	e.lines = e.lines[1:]
	labels := strings.Fields(strings.ReplaceAll(m[4], `"`, ""))
	switch turn := p.Turn(); {
	case m[1] == "c" && turn.Actor == machine.Chance:
		return e.chance(p, labels, moves)
	case m[1] == "t" && turn.Actor == machine.Over:
		e.leaves++
		for seat, x := range p.Payoffs() {
			if want, err := strconv.ParseFloat(labels[seat], 64); err != nil || float64(x) != want {
				return fmt.Errorf("after %s seat %d wins %d, want %s", moves, seat, x, labels[seat])
			}
		}
		return nil
	case m[1] == "p" && turn.Actor == machine.Seat:
		if strconv.Itoa(turn.Seat+1) != m[2] {
			return fmt.Errorf("seat %d acts, want player %s", turn.Seat, m[2])
		}
		return e.choice(p, m[2]+" "+m[3], labels, moves)
	default:
		return fmt.Errorf("a node %s, where actor %d is on", m[1], turn.Actor)
	}
}

// chance follows each outcome that a node of chance lists, with its chance.
func (e *efg) chance(p *machine.Position, labels []string, moves string) error {
	_, n, err := p.Outcomes()
	if err != nil || n != len(labels)/2 {
		return fmt.Errorf("%d outcomes, %w; want %s", n, err, labels)
	}
	for i := 0; i < len(labels); i += 2 {
		found := false
		for k := range n {
			value, err := p.Outcome(k)
			if err != nil {
				return err
			}
			if strconv.Itoa(value) != labels[i] || labels[i+1] != fmt.Sprintf("1/%d", n) {
				continue
			}
			found = true
			q := p.Clone()
			if err := q.Draw(k); err != nil {
				return err
			}
			if err := e.walk(q, moves); err != nil {
				return err
			}
		}
		if !found {
			return fmt.Errorf("no outcome %s with the chance %s among %d", labels[i], labels[i+1], n)
		}
	}
	return nil
}

// choice follows each move of a player's node, in an information set.
func (e *efg) choice(p *machine.Position, set string, labels []string, moves string) error {
	seat := p.Turn().Seat
	view := fmt.Sprintf("%d %s %q", seat, moves, known(p, seat))
	if e.sets[set] == "" && e.views[view] == "" {
		e.sets[set], e.views[view] = view, set
	}
	if e.sets[set] != view || e.views[view] != set {
		return fmt.Errorf("in the information set %s the seat knows %s, and elsewhere %s", set, view, e.sets[set])
	}
	var legal machine.MoveSet
	if p.Legal(seat, &legal); legal.Len() != len(labels) {
		return fmt.Errorf("%d legal moves, want %v", legal.Len(), labels)
	}
	for _, label := range labels {
		m, err := p.Move(map[string]string{"p": "pass", "b": "bet"}[label])
		if err != nil {
			return err
		}
		q := p.Clone()
		if err := q.Act(seat, m); err != nil {
			return err
		}
		if err := e.walk(q, moves+label); err != nil {
			return err
		}
	}
	return nil
}
