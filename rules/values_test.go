package rules_test

import (
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"testing"
)

// TestPositions reads games whole out of the machine and wants as many positions as OpenSpiel counts, and what it gives for uniform
// play: the value for the first player, and how much both together could win by answering it (NashConv).
func TestPositions(t *testing.T) {
	tests := []struct {
		game                       string
		decisions, ends, sets, all int // 0 where nothing is published
		nashConv                   float64
	}{
		{"cards/kuhn-poker", 24, 30, 12, 58, 11.0 / 12},
		{"cards/leduc-poker", 0, 0, 936, 9457, 4.747222222222222},
		{"liars-dice/openspiel", 147_456, 147_420, 24_576, 0, 1.561488646384479},
	}
	for _, tt := range tests {
		t.Run(path.Base(tt.game), func(t *testing.T) {
			if raceEnabled && tt.sets > 10_000 {
				t.Skip("too long with the race detector, which has nothing to find in one goroutine")
			}
			s := newSolver(readTree(t, compile(t, tt.game, 2, nil)))
			counts := []struct {
				what      string
				got, want int
			}{
				{"decisions", s.count.decisions, tt.decisions},
				{"ends", s.count.ends, tt.ends},
				{"information sets", s.count.sets, tt.sets},
				{"positions", s.count.all, tt.all},
			}
			for _, c := range counts {
				if c.want > 0 && c.got != c.want {
					t.Errorf("%d %s, want %d", c.got, c.what, c.want)
				}
			}
			if low, high := s.bounds(); math.Abs(high-low-tt.nashConv) > rounding {
				t.Errorf("NashConv of uniform play %.15f, want %.15f", high-low, tt.nashConv)
			}
		})
	}
}

// TestValues finds the value of small games for the first player between two bounds so near that no other fraction with so small a
// denominator lies between, and compares it with the published one.
//
// Sources: Kuhn 1950 for Kuhn poker; OpenSpiel's tests of its linear program for Leduc poker and for
// liar's dice with sixes wild, −0.027131782945736; and for the
// others the tables of github.com/thomasahle/snyd, where ones are wild and may not be bid in the joker game.
func TestValues(t *testing.T) {
	const standard, snyd, kuhn, leduc, round = "liars-dice/standard", "liars-dice/snyd", "cards/kuhn-poker", "cards/leduc-poker", "liars-dice/openspiel"
	dice := func(first, second, sides, wild int) map[string]int {
		return map[string]int{"dice_0": first, "dice_1": second, "sides": sides, "wild": wild, "least": 1 + wild}
	}
	tests := []struct {
		game                   string
		options                map[string]int
		numerator, denominator float64
		width                  float64 // of the bounds where the denominator would ask for too much work
		long                   bool    // with the race detector
	}{
		{kuhn, nil, -1, 18, 0, false},
		{leduc, nil, -0.085606424078, 1, 1e-3, false},
		{round, nil, -7, 258, 0, true}, // sixes wild
		{standard, map[string]int{"dice": 1}, -1, 9, 0, true},
		{snyd, map[string]int{"dice": 1, "stairs": 0}, -7, 327, 1e-3, true},
		{round, dice(1, 1, 2, 0), 0, 1, 0, false},
		{round, dice(1, 1, 3, 0), -1, 9, 0, false},
		{round, dice(1, 1, 4, 0), -1, 8, 0, false},
		{round, dice(1, 1, 5, 0), -3, 25, 0, false},
		{round, dice(1, 1, 6, 0), -1, 9, 0, true},
		{round, dice(1, 1, 2, 1), 1, 1, 0, false},
		{round, dice(1, 1, 3, 1), 1, 3, 0, false},
		{round, dice(1, 1, 4, 1), 0, 1, 0, false},
		{round, dice(1, 1, 5, 1), 0, 1, 0, false},
		{round, dice(1, 1, 6, 1), -7, 327, 0, false},
		{round, dice(2, 1, 2, 0), 1, 4, 0, false},
		{round, dice(2, 1, 3, 0), 1, 9, 0, false},
		{round, dice(2, 1, 4, 0), 345, 1696, 1e-3, true},
		{round, dice(2, 1, 3, 1), 1, 3, 0, false},
		{round, dice(2, 1, 4, 1), 1, 4, 0, false},
		{round, dice(1, 2, 2, 0), 0, 1, 0, false},
		{round, dice(1, 2, 3, 0), -1, 27, 0, false},
		{round, dice(1, 2, 4, 0), -1, 8, 0, true},
		{round, dice(1, 2, 3, 1), -1, 27, 0, false},
		{round, dice(1, 2, 4, 1), -1, 32, 0, false},
	}
	for _, tt := range tests {
		name := path.Base(tt.game)
		for _, option := range slices.Sorted(maps.Keys(tt.options)) {
			name += fmt.Sprint(",", option, "=", tt.options[option])
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if raceEnabled && tt.long {
				t.Skip("too long with the race detector, which has nothing to find in one goroutine")
			}
			s := newSolver(readTree(t, compile(t, tt.game, 2, tt.options)))
			// Two fractions whose denominators are at most d lie at least 1/d² apart.
			width := min(1e-3, 1/(tt.denominator*tt.denominator))
			if width = max(width, tt.width); raceEnabled {
				width = max(width, 1e-2)
			}
			low, high := s.solve(t, width)
			t.Logf("%d nodes, %d steps: the value is between %.9f and %.9f", len(s.nodes), s.steps, low, high)
			if want := tt.numerator / tt.denominator; low > want+rounding || high < want-rounding {
				t.Errorf("the value is between %.9f and %.9f, want %v/%v in between", low, high, tt.numerator, tt.denominator)
			}
		})
	}
}

// rounding is more than the errors of floating point add up to in these games.
const rounding = 1e-12

// solve trains until the bounds of the value are so near.
func (s *solver) solve(t *testing.T, width float64) (low, high float64) {
	t.Helper()
	for s.steps < 20_000 {
		for range 50 {
			s.step()
		}
		if low, high = s.bounds(); high-low < width {
			return low, high
		}
	}
	t.Fatalf("after %d steps the value is only known to be between %.9f and %.9f", s.steps, low, high)
	return low, high
}
