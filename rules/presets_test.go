package rules_test

import (
	"testing"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// TestPresets plays random games of every preset that ships, with the fewest and the most players, and wants each to end by its
// rules and not by its limit of moves, with a place for every seat.
func TestPresets(t *testing.T) {
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for _, preset := range append(f.Presets, rules.Preset{Name: "no preset"}) {
			t.Run(f.Game+"/"+preset.Name, func(t *testing.T) {
				for seed := range uint64(6) {
					seats := f.MinSeats
					if seed%2 == 1 {
						seats = f.MaxSeats
					}
					g, err := f.Compile(seats, preset.Options)
					if err != nil {
						t.Fatal(err)
					}
					endOf(t, g, seed)
				}
			})
		}
	}
}

func endOf(t *testing.T, g *machine.Game, seed uint64) {
	t.Helper()
	p, err := played(g, seed, ranked{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Ending() == machine.Limit {
		t.Errorf("seed %d: %d seats play for %d moves, to the limit", seed, g.Seats, p.Moves())
	}
	for seat, place := range p.Places() {
		if place < 1 || place > g.Seats {
			t.Errorf("seed %d: seat %d has place %d of %d", seed, seat, place, g.Seats)
		}
	}
}
