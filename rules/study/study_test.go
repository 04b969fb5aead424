package study_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dudo.example/rules"
	"dudo.example/rules/study"
)

// read reads a rule file of the folder above, with some of its text replaced; the examples, the end of every file, are cut off.
func read(t *testing.T, name string, replace ...string) *rules.File {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", name))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(string(text), replace[i]) {
			t.Fatalf("%s has no %q", name, replace[i])
		}
		if at := strings.Index(string(text), replace[i]); replace[i] == "examples:" {
			text = text[:at]
		} else {
			text = []byte(strings.Replace(string(text), replace[i], replace[i+1], 1))
		}
	}
	f, err := rules.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func library(t *testing.T) []*rules.File {
	t.Helper()
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Every action of every shipped game is used in games of random moves, nothing fails, and the same seed gives the same games.
func TestPlayShipped(t *testing.T) {
	for _, f := range library(t) {
		t.Run(f.Game, func(t *testing.T) {
			s := study.Play(f, 60, 7)
			for _, fault := range s.Faults {
				t.Errorf("%+v", fault)
			}
			if list := s.Unused(); list != nil {
				t.Errorf("nobody took %v", list)
			}
			ended := 0
			for _, e := range s.Ends {
				ended += e.N
			}
			if ended != 60 || s.Moves.Least < 1 || s.Moves.Least > s.Moves.Median || s.Moves.Median > s.Moves.Greatest {
				t.Errorf("%d of 60 games ended, with %+v moves", ended, s.Moves)
			}
			if again := study.Play(f, 60, 7); again.Moves != s.Moves || !slices.Equal(again.Actions, s.Actions) {
				t.Errorf("with the same seed %+v, before %+v", again, s)
			}
		})
	}
}

func TestSettingsTryEverything(t *testing.T) {
	for _, f := range library(t) {
		seats, options, presets := map[int]bool{}, map[string]bool{}, map[string]bool{}
		for _, s := range study.Settings(f) {
			seats[s.Seats], presets[s.Preset] = true, true
			all, err := f.Resolve(s.Options)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range f.Options {
				if all[o.Name] == o.Low {
					options[o.Name+" least"] = true
				}
				if all[o.Name] == o.High {
					options[o.Name+" greatest"] = true
				}
			}
		}
		if len(seats) != f.MaxSeats-f.MinSeats+1 || len(options) != 2*len(f.Options) || len(presets) != 1+len(f.Presets) {
			t.Errorf("%s: tried %v, %v and %v", f.Game, seats, options, presets)
		}
	}
}

func TestPlayFindsFaults(t *testing.T) {
	tests := []struct {
		name   string
		change []string
		want   string
	}{
		{
			"a step that fails only late in the game",
			[]string{"'dice_left[loser]': max(0, dice_left[loser] - lost)", "'dice_left[loser]': 'dice_left[loser] - lost - (live() == 2 && seats > 4 ? 3 : 0)'"},
			"is legal, but its steps fail",
		},
		{
			"a phase that goes nowhere with one option",
			[]string{"when: standing.quantity > 0\n", "when: standing.quantity > 0 && dice != 5\n"},
			"nobody has a legal move in the phase bidding",
		},
		{
			"a result that gives nobody the first place",
			[]string{"'place[seat] == 0 ? 1 : place[seat]'", "'place[seat]'"},
			"the result puts seat",
		},
	}
	for _, tt := range tests {
		s := study.Play(read(t, "standard.yaml", tt.change...), 100, 1)
		found := slices.ContainsFunc(s.Faults, func(f study.Fault) bool {
			return strings.Contains(f.What, tt.want) && f.N > 0 && f.Setting != "" && len(f.Moves) > 0
		})
		if !found {
			t.Errorf("%s: faults %+v, want one that says %q", tt.name, s.Faults, tt.want)
		}
	}
}

// However long the games of a file are, looking at them ends.
func TestPlayIsBounded(t *testing.T) {
	endless := read(t, "standard.yaml", "limits: {moves: 5000}", "limits: {moves: 20000}", "call: lose(loser, 1)", "call: lose(loser, 0)",
		"call: lose(me, 1)", "call: lose(me, 0)", "call: lose(me, dice_left[me])", "call: lose(me, 0)", "examples:", "")
	s := study.Play(endless, 20, 1)
	if s.Games < 1 || s.Games > 10 {
		t.Errorf("%d of 20 games of 20,000 moves were played, want some", s.Games)
	}
	c, err := study.Compare(study.Side{Name: "a", File: endless}, study.Side{Name: "b", File: endless}, 20, 1)
	if err != nil || c.Games < 1 || c.Games > 10 {
		t.Errorf("%d of 20 games of 20,000 moves were compared (%v), want some", c.Games, err)
	}
}

func TestPlayTellsOfUnusedActions(t *testing.T) {
	f := read(t, "standard.yaml", "    actions:\n", `    actions:
      pass:
        doc: Nobody can.
        when: dice_left[me] > 100
        do:
          - end: now
`)
	if s := study.Play(f, 30, 1); !slices.Equal(s.Unused(), []string{"pass"}) {
		t.Errorf("unused are %v, want pass", s.Unused())
	}
}
