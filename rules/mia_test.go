package rules_test

import (
	"testing"

	"dudo.example/core/machine"
)

// TestWhoSeesTheCup plays random games of mia with each of its options and wants what is under the cup to be seen by whoever
// rolled it last and by nobody else, spectators among them, unless the cup was lifted.
func TestWhoSeesTheCup(t *testing.T) {
	for seed := range uint64(40) {
		g := compile(t, "liars-dice/mia", 2+int(seed)%5, map[string]int{"mia_settled": int(seed) % 3, "pass_unseen": int(seed) % 2})
		looker, _ := g.Var("looker")
		die, _ := g.Var("first_die")
		p, r := start(t, g), generator(seed)
		for p.Turn().Actor != machine.Over {
			if last := p.Values(looker, 0)[0]; p.Turn().Actor == machine.Seat {
				for viewer := machine.None; viewer < g.Seats; viewer++ {
					if saw := sees(p, viewer, die); saw != (viewer == last) {
						t.Fatalf("seed %d, phase %s: viewer %d sees the cup: %v, and %d rolled it", seed, p.Phase(), viewer, saw, last)
					}
				}
			}
			step(t, p, &r)
		}
	}
}

func sees(p *machine.Position, viewer, variable int) bool {
	for _, s := range p.View(viewer).Shown {
		if s.Var == variable {
			return true
		}
	}
	return false
}
