package rules_test

import (
	"fmt"
	"testing"

	"dudo.example/core/machine"
)

// TestCellsAfterElements plays random games of every file.
func TestCellsAfterElements(t *testing.T) {
	for _, f := range allFiles(t) {
		for i, s := range settings(t, f) {
			r := generator(i)
			c := course{Position: start(t, s.compile(t)), r: &r, done: map[string]int{}, count: &counts{}}
			if err := c.play([]law{blank{}}, 500); err != nil {
				t.Errorf("%s, %s: %v", f.Game, s.name, err)
			}
		}
	}
}

// blank is the law that the cells of a list after its elements are 0: a tally of a list that holds no 0 looks at all of them.
type blank struct{}

func (blank) broken(c *course) error {
	g := c.Game()
	offsets, _ := machine.Layout(g.Vars, g.Seats)
	for i := range g.Vars {
		v := &g.Vars[i]
		for owner := range g.Seats {
			if v.Zone == 0 || (owner > 0 && !v.PerSeat) {
				continue
			}
			list := c.Cells()[offsets[i]+owner*v.Stride():][:v.Stride()]
			for _, x := range list[1+list[0]:] {
				if x != 0 {
					return fmt.Errorf("%s of seat %d is %v, want 0 after %d elements", v.Name, owner, list[1:], list[0])
				}
			}
		}
	}
	return nil
}
