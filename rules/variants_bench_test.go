package rules_test

import (
	"testing"
	"time"

	"dudo.example/core/machine"
)

// BenchmarkVariants plays random games of every file that ships, and of the standard rules with 4 seats and 3 dice in the same
// run. The ratio is the share of the standard game's moves a second that the other makes: 1 for itself, and what its draws and
// rules cost for the others. All with 4 seats, or the most that they have, and options as they are by default.
func BenchmarkVariants(b *testing.B) {
	const games = 30
	standard := newPlayouts(b, compile(b, "liars-dice/standard", 4, map[string]int{"dice": 3}))
	for _, f := range shipped(b) {
		b.Run(f.Game, func(b *testing.B) {
			g, err := f.Compile(max(f.MinSeats, min(f.MaxSeats, 4)), nil)
			if err != nil {
				b.Fatal(err)
			}
			variant := newPlayouts(b, g)
			var best, bestStandard float64
			for b.Loop() {
				bestStandard = max(bestStandard, standard.speed(b, games))
				best = max(best, variant.speed(b, games))
			}
			b.ReportMetric(best, "moves/s")
			b.ReportMetric(best/bestStandard, "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// playouts plays random games of one kind in one position.
type playouts struct {
	position, begin *machine.Position
	set             machine.MoveSet
}

func newPlayouts(tb testing.TB, g *machine.Game) *playouts {
	begin := start(tb, g)
	return &playouts{position: begin.Clone(), begin: begin}
}

// speed gives moves a second.
func (p *playouts) speed(tb testing.TB, games uint64) float64 {
	moves := 0
	t := time.Now()
	for seed := range games {
		p.position.CopyFrom(p.begin)
		moves += p.play(tb, seed)
	}
	return float64(moves) / time.Since(t).Seconds()
}

// play plays a game to its end.
func (p *playouts) play(tb testing.TB, seed uint64) int {
	r := generator(seed)
	for {
		switch t := p.position.Turn(); t.Actor {
		case machine.Over:
			return p.position.Moves()
		case machine.Chance:
			_, n, err := p.position.Outcomes()
			if err == nil {
				err = p.position.Draw(r.below(n))
			}
			if err != nil {
				tb.Fatal(err)
			}
		case machine.Seat:
			p.position.Legal(t.Seat, &p.set)
			if err := p.position.Act(t.Seat, p.set.At(r.below(p.set.Len()))); err != nil {
				tb.Fatal(err)
			}
		}
	}
}

// TestPlayoutsAllocateNothing plays games of every file that ships in one position.
func TestPlayoutsAllocateNothing(t *testing.T) {
	for _, f := range shipped(t) {
		g, err := f.Compile(f.MaxSeats, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := newPlayouts(t, g)
		// All runs play the same games, and the first is not counted.
		if n := testing.AllocsPerRun(3, func() {
			for seed := range uint64(5) {
				p.position.CopyFrom(p.begin)
				p.play(t, seed)
			}
		}); n != 0 {
			t.Errorf("%s: a few games allocate %v times, want never", f.Game, n)
		}
	}
}
