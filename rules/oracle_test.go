package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// playthrough is a game that OpenSpiel played.
type playthrough struct {
	parameters map[string]string
	states     []state
}

type state struct {
	player  int // -1 for chance, -4 when the game is over, unsaid where OpenSpiel leaves the state out
	legal   []int
	returns []float64
	action  int
}

const unsaid = -99

func readPlaythrough(t *testing.T, path string) playthrough {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	g := playthrough{parameters: map[string]string{}}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		var s *state
		if len(g.states) > 0 {
			s = &g.states[len(g.states)-1]
		}
		switch {
		case strings.HasPrefix(line, "# State "):
			g.states = append(g.states, state{player: unsaid, action: -1})
		case key == "GetParameters()":
			for p := range strings.SplitSeq(strings.Trim(value, "{}"), ",") {
				name, x, _ := strings.Cut(p, "=")
				g.parameters[name] = x
			}
		case s == nil:
		case key == "CurrentPlayer()":
			s.player = number(t, value)
		case key == "LegalActions()":
			for x := range strings.SplitSeq(strings.Trim(value, "[]"), ", ") {
				s.legal = append(s.legal, number(t, x))
			}
		case key == "Returns()":
			for x := range strings.SplitSeq(strings.Trim(value, "[]"), ", ") {
				f, err := strconv.ParseFloat(x, 64)
				if err != nil {
					t.Fatal(err)
				}
				s.returns = append(s.returns, f)
			}
		case strings.HasPrefix(line, "action: "):
			s.action = number(t, strings.TrimSpace(strings.TrimPrefix(line, "action: ")))
		}
	}
	return g
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// oracle says how a game of OpenSpiel maps to a rule file.
type oracle struct {
	file    string
	options func(p map[string]string) map[string]int
	edit    func(p map[string]string, text string) string
	id      func(name string, args []int16) int // OpenSpiel's number of a move
	draw    func(value int) int                 // and of a value drawn
	scale   func(seats int) float64             // our payoffs are so many times theirs
}

func lessOne(value int) int { return value - 1 }

var oracles = map[string]oracle{
	"liars_dice": {
		file: "testdata/openspiel.yaml", draw: lessOne,
		id: func(name string, args []int16) int {
			if name == "liar" {
				return 12
			}
			return int(args[0]-1)*6 + int(args[1]-1)
		},
	},
	"kuhn_poker": {
		file: "kuhn-poker.yaml", draw: func(value int) int { return value },
		id: func(name string, _ []int16) int { return map[string]int{"pass": 0, "bet": 1}[name] },
	},
	"nim": {
		file: "nim.yaml",
		id:   func(_ string, args []int16) int { return int(args[1]-1)*4 + int(args[0]-1) },
	},
	"pig": {
		file: "pig.yaml", draw: lessOne,
		id: func(name string, _ []int16) int { return map[string]int{"roll": 0, "stop": 1}[name] },
		options: func(p map[string]string) map[string]int {
			goal, _ := strconv.Atoi(p["winscore"])
			return map[string]int{"goal": goal, "stop_unrolled": 1}
		},
		edit: func(p map[string]string, text string) string {
			return strings.Replace(text, "limits: {moves: 20000}", "limits: {moves: "+p["horizon"]+"}", 1)
		},
		scale: func(seats int) float64 { return float64(seats - 1) },
	},
}

// TestPlaythroughs replays games that OpenSpiel played, and wants the same actor, legal moves, outcomes and returns in every
// state.
func TestPlaythroughs(t *testing.T) {
	paths, err := filepath.Glob("testdata/openspiel/*.txt")
	if err != nil || len(paths) < 7 {
		t.Fatalf("%d playthroughs, %v", len(paths), err)
	}
	// Where the whole files lie beside the project they are replayed as well.
	whole, err := filepath.Glob("../../shared/oracles/openspiel/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, whole...) {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		for game, o := range oracles {
			if strings.HasPrefix(name, game) {
				t.Run(path, func(t *testing.T) { replay(t, o, readPlaythrough(t, path)) })
			}
		}
	}
}

func replay(t *testing.T, o oracle, g playthrough) {
	t.Helper()
	text, err := os.ReadFile(o.file)
	if err != nil {
		t.Fatal(err)
	}
	if o.edit != nil {
		text = []byte(o.edit(g.parameters, string(text)))
	}
	f, err := rules.Parse(o.file, text)
	if err != nil {
		t.Fatal(err)
	}
	seats := 2
	if players := g.parameters["players"]; players != "" {
		seats = number(t, players)
	}
	var options map[string]int
	if o.options != nil {
		options = o.options(g.parameters)
	}
	game, err := f.Compile(seats, options)
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, game)
	for i, s := range g.states {
		if err := follow(p, o, s); err != nil {
			t.Fatalf("state %d: %v", i, err)
		}
	}
	if p.Turn().Actor != machine.Over {
		t.Error("the game is not over where OpenSpiel's is")
	}
}

// follow compares a state and then makes its action.
func follow(p *machine.Position, o oracle, s state) error {
	turn := p.Turn()
	var legal []int
	var act func(k int) error
	switch turn.Actor {
	case machine.Over:
		scale := 1.0
		if o.scale != nil {
			scale = o.scale(p.Game().Seats)
		}
		for seat, x := range p.Payoffs() {
			if d := float64(x) - s.returns[seat]*scale; d > 1e-3 || d < -1e-3 {
				return fmt.Errorf("payoffs %v, want %v", p.Payoffs(), s.returns)
			}
		}
		if s.player != -4 {
			return fmt.Errorf("the game is over, and OpenSpiel asks player %d", s.player)
		}
		return nil
	case machine.Chance:
		turn.Seat = -1
		_, n, err := p.Outcomes()
		if err != nil {
			return err
		}
		for k := range n {
			value, err := p.Outcome(k)
			if err != nil {
				return err
			}
			legal = append(legal, o.draw(value))
		}
		act = p.Draw
	case machine.Seat:
		var set machine.MoveSet
		p.Legal(turn.Seat, &set)
		moves := set.Append(nil)
		for _, m := range moves {
			a, args, _ := p.Game().Action(m)
			legal = append(legal, o.id(a.Name, args))
		}
		act = func(k int) error { return p.Act(turn.Seat, moves[k]) }
	}
	if s.player == unsaid {
		return act(slices.Index(legal, s.action))
	}
	if turn.Seat != s.player {
		return fmt.Errorf("%d acts, want %d", turn.Seat, s.player)
	}
	if got := slices.Sorted(slices.Values(legal)); !slices.Equal(got, s.legal) {
		return fmt.Errorf("legal %v, want %v", got, s.legal)
	}
	return act(slices.Index(legal, s.action))
}
