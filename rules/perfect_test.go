package rules_test

import (
	"testing"

	"dudo.example/core/machine"
)

// perfect walks a game for two without chance and hidden values. It visits every position once.
type perfect struct {
	seen map[string]outcome
	each func(p *machine.Position, best int) // is called once for every position in which a seat acts
}

// outcome is what follows from a position: all games, those that seat 0 wins and loses, and what the seat that acts wins at best.
type outcome struct{ games, won, lost, best int }

func (w *perfect) walk(t *testing.T, p *machine.Position) outcome {
	t.Helper()
	key := p.Recurring()
	if o, ok := w.seen[key]; ok {
		return o
	}
	var o outcome
	switch turn := p.Turn(); turn.Actor {
	case machine.Chance:
		t.Fatal("a game with chance")
	case machine.Over:
		pay := p.Payoffs()
		o = outcome{1, b2i(pay[0] > 0), b2i(pay[0] < 0), pay[0]}
	case machine.Seat:
		var set machine.MoveSet
		p.Legal(turn.Seat, &set)
		o.best = -2
		for m := range set.All() {
			q := p.Clone()
			if err := q.Act(turn.Seat, m); err != nil {
				t.Fatal(err)
			}
			x := w.walk(t, q)
			o.games, o.won, o.lost = o.games+x.games, o.won+x.won, o.lost+x.lost
			if next := q.Turn(); next.Actor == machine.Over && turn.Seat == 1 || next.Actor == machine.Seat && next.Seat != turn.Seat {
				x.best = -x.best
			}
			o.best = max(o.best, x.best)
		}
		if w.each != nil {
			w.each(p, o.best)
		}
	}
	w.seen[key] = o
	return o
}

// TestTicTacToe counts all games of tic-tac-toe: 255,168, of which who begins wins 131,184 and loses 77,904, over 5,478 positions;
// nobody can force a win.
func TestTicTacToe(t *testing.T) {
	w := perfect{seen: map[string]outcome{}}
	got := w.walk(t, start(t, compile(t, "board/tic-tac-toe", 2, nil)))
	if want := (outcome{255_168, 131_184, 77_904, 0}); got != want || len(w.seen) != 5478 {
		t.Errorf("%+v over %d positions, want %+v over 5478", got, len(w.seen), want)
	}
}

// TestNim plays Nim out from 1, 3, 5 and 7 and compares who wins in every position with Bouton's theorem (1901): who moves loses if
// the binary sum of the piles is 0, except that in the misère game with piles of at most one it is the other way round.
func TestNim(t *testing.T) {
	for _, misere := range []int{0, 1} {
		g := compile(t, "board/nim", 2, map[string]int{"misere": misere})
		seen := map[[4]int]bool{}
		w := perfect{seen: map[string]outcome{}, each: func(p *machine.Position, best int) {
			var piles [4]int
			sum, most := 0, 0
			for i, name := range []string{"first", "second", "third", "fourth"} {
				v, _ := g.Var(name)
				piles[i] = p.Values(v, 0)[0]
				sum ^= piles[i]
				most = max(most, piles[i])
			}
			seen[piles] = true
			want := 1
			if (sum == 0) != (misere == 1 && most <= 1) {
				want = -1
			}
			if best != want {
				t.Errorf("misere %d: with the piles %v who moves wins %d, want %d", misere, piles, best, want)
			}
		}}
		w.walk(t, start(t, g))
		if want := 2*4*6*8 - 1; len(seen) != want {
			t.Errorf("misere %d: %d positions, want %d", misere, len(seen), want)
		}
	}
}
