package rules_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

var update = flag.Bool("update", false, "write what came out into the golden files of testdata")

const (
	shortened = "testdata/openspiel"
	whole     = "../../shared/oracles/openspiel"
)

// TestPlaythroughs replays games that OpenSpiel played, and wants our games to be in the same state after every action: the same
// actor, legal moves, outcomes and their chances, returns, and what each player sees.
func TestPlaythroughs(t *testing.T) {
	paths, err := filepath.Glob(shortened + "/*.txt")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d playthroughs, %v", len(paths), err)
	}
	// Where the whole files lie beside the project they are replayed as well.
	more, err := filepath.Glob(whole + "/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, more...) {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(filepath.Base(filepath.Dir(filepath.Dir(path)))+"/"+name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for game, o := range oracles {
				if strings.HasPrefix(name, game) {
					replay(t, o, parsePlaythrough(string(text)))
					return
				}
			}
			t.Error("no rule file for this game")
		})
	}
}

// TestShortened wants the files of testdata to be OpenSpiel's, shortened.
func TestShortened(t *testing.T) {
	paths, err := filepath.Glob(whole + "/*.txt")
	if err != nil || len(paths) == 0 {
		t.Skip("the whole files do not lie beside the project")
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := shorten(string(text))
		to := filepath.Join(shortened, filepath.Base(path))
		if *update {
			if err := os.WriteFile(to, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(to); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what -update writes (%v)", to, err)
		}
	}
}

// shorten keeps the lines that the test reads.
func shorten(text string) []byte {
	var b bytes.Buffer
	b.WriteString("# An OpenSpiel playthrough (Apache License 2.0), shortened to the lines that the test reads.\n")
	for line := range strings.Lines(text) {
		key, _, equals := strings.Cut(line, " = ")
		if key == "GetParameters()" || strings.HasPrefix(line, "# State ") || strings.HasPrefix(line, "action: ") || (equals && compared(key)) {
			b.WriteString(line)
		}
	}
	return b.Bytes()
}

// compared says which facts about a state are compared.
func compared(key string) bool {
	name, _, _ := strings.Cut(key, "(")
	return slices.Contains([]string{
		"IsTerminal", "History", "IsChanceNode", "IsSimultaneousNode", "CurrentPlayer", "InformationStateString", "ObservationString",
		"ChanceOutcomes", "Rewards", "Returns", "LegalActions", "StringLegalActions",
	}, name)
}

// playthrough is a game that OpenSpiel played.
type playthrough struct {
	parameters map[string]string
	states     []state
}

type state struct {
	facts  map[string]string // none where OpenSpiel leaves the state out
	action int               // -1 where the game is over
}

func parsePlaythrough(text string) playthrough {
	g := playthrough{parameters: map[string]string{}}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		switch n := len(g.states); {
		case strings.HasPrefix(line, "# State "):
			g.states = append(g.states, state{facts: map[string]string{}, action: -1})
		case key == "GetParameters()":
			for p := range strings.SplitSeq(strings.Trim(value, "{}"), ",") {
				name, x, _ := strings.Cut(p, "=")
				g.parameters[name] = x
			}
		case n > 0 && compared(key):
			g.states[n-1].facts[key] = value
		case n > 0 && strings.HasPrefix(line, "action: "):
			g.states[n-1].action, _ = strconv.Atoi(strings.TrimPrefix(key, "action: "))
		}
	}
	return g
}

// replay plays a game again and compares every state.
func replay(t *testing.T, o oracle, g playthrough) {
	t.Helper()
	r := replayed{oracle: o, Position: start(t, o.game(t, g.parameters)), parameters: g.parameters}
	shown := 0
	for i, s := range g.states {
		facts := r.facts(t)
		for key, want := range s.facts {
			got, ok := facts[key]
			if strings.Contains(key, "String(") {
				if !ok {
					continue // another of OpenSpiel's ways to say what a player sees
				}
				shown++
			}
			if got != want {
				t.Errorf("state %d: %s = %s, want %s", i, key, got, want)
			}
		}
		if s.action >= 0 {
			r.act(t, s.action)
		}
	}
	if shown < r.Game().Seats*3 {
		t.Errorf("what players see was compared %d times", shown)
	}
	if r.Turn().Actor != machine.Over || len(g.states) < 4 {
		t.Error("the game is not over where OpenSpiel's is")
	}
}

// game compiles the game with the parameters that OpenSpiel played it with.
func (o oracle) game(t *testing.T, parameters map[string]string) *machine.Game {
	t.Helper()
	f := fileOf(t, o.rules)
	if o.edit != nil {
		var err error
		if f, err = rules.Parse(o.rules, []byte(o.edit(parameters, string(f.Text)))); err != nil {
			t.Fatal(err)
		}
	}
	seats, options := 2, map[string]int{}
	if n, ok := parameters["players"]; ok {
		seats, _ = strconv.Atoi(n)
	}
	if o.options != nil {
		options = o.options(parameters)
	}
	g, err := f.Compile(seats, options)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
