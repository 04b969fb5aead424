package rules_test

import (
	"fmt"
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
		if _, err := played(g, seed, cup{looker, die}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// cup is the law of who sees it.
type cup struct{ looker, die int }

func (l cup) broken(c *course) error {
	if c.Turn().Actor != machine.Seat {
		return nil
	}
	last := c.Values(l.looker, 0)[0]
	for viewer := machine.None; viewer < c.Game().Seats; viewer++ {
		if saw := sees(c.Position, viewer, l.die); saw != (viewer == last) {
			return fmt.Errorf("viewer %d sees the cup: %v, and %d rolled it", viewer, saw, last)
		}
	}
	return nil
}

func sees(p *machine.Position, viewer, variable int) bool {
	for _, s := range p.View(viewer).Shown {
		if s.Var == variable {
			return true
		}
	}
	return false
}
