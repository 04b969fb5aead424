package verifier_test

import (
	"fmt"
	"testing"

	"dudo.example/core/record"
	"dudo.example/rules"
	"dudo.example/verifier"
)

// TestShippedGames plays random games of every rule file that ships, with its defaults and with each of its presets, to their
// end, and verifies the records.
func TestShippedGames(t *testing.T) {
	library, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	v := newVerifier(t, verifier.Options{})
	for _, f := range library {
		presets := append([]rules.Preset{{Name: "default"}}, f.Presets...)
		for k, preset := range presets {
			t.Run(f.Game+"/"+preset.Name, func(t *testing.T) {
				seats := f.MinSeats + k%(f.MaxSeats-f.MinSeats+1)
				g, err := newGame(setting{
					seed: fmt.Sprint(f.Game, k), text: string(f.Text), options: preset.Options, seats: min(seats, len(names)), timeout: true, resume: true,
				})
				if err != nil {
					t.Fatal(err)
				}
				if err := g.play(); err != nil {
					t.Fatal(err)
				}
				if end := g.table.End(); end.Reason != record.ReasonFinished {
					t.Errorf("the game is %s after %d lines, want %s", end.Reason, len(g.lines), record.ReasonFinished)
				}
				if r := verify(t, v, sign(g.lines)); !r.Verified() {
					t.Errorf("the record of %d lines is refuted: %v", len(g.lines), r.Failure)
				}
			})
		}
	}
}
