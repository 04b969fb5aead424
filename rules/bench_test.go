package rules_test

import (
	"testing"
	"time"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// BenchmarkPlayouts plays random games of the standard rules with 4 seats and 3 dice, choosing uniformly among the legal
// moves: by the machine from the rule file, and by a reducer that is written by hand for this one game and allocates nothing.
// Both list the legal moves, check the move that is made and use the same generator, so they play the same games. The ratio is
// the share of the reducer's speed that the machine has. Other work on the computer slows some batches, so the fastest batch
// of each side counts.
func BenchmarkPlayouts(b *testing.B) {
	const games = 100
	position := start(b, compile(b, "liars-dice/standard", 4, map[string]int{"dice": 3}))
	begin := position.Clone()
	var set machine.MoveSet
	var hand reducer
	bestHand, bestMachine := time.Hour, time.Hour
	var handMoves, machineMoves int
	for b.Loop() {
		handMoves, machineMoves = 0, 0
		t := time.Now()
		for seed := range uint64(games) {
			handMoves += hand.playout(b, seed)
		}
		bestHand = min(bestHand, time.Since(t))
		t = time.Now()
		for seed := range uint64(games) {
			position.CopyFrom(begin)
			machineMoves += playout(b, position, &set, seed)
		}
		bestMachine = min(bestMachine, time.Since(t))
	}
	if handMoves != machineMoves {
		b.Fatalf("the reducer made %d moves and the machine %d with the same dice and choices", handMoves, machineMoves)
	}
	b.ReportMetric(float64(handMoves)/bestHand.Seconds(), "reducer-moves/s")
	b.ReportMetric(float64(machineMoves)/bestMachine.Seconds(), "machine-moves/s")
	b.ReportMetric(bestHand.Seconds()/bestMachine.Seconds(), "ratio")
	b.ReportMetric(0, "ns/op")
}

func playout(tb testing.TB, p *machine.Position, set *machine.MoveSet, seed uint64) int {
	r := generator(seed)
	for {
		switch t := p.Turn(); t.Actor {
		case machine.Over:
			return p.Moves()
		case machine.Chance:
			if err := p.Draw(r.below(6)); err != nil {
				tb.Fatal(err)
			}
		case machine.Seat:
			p.Legal(t.Seat, set)
			if err := p.Act(t.Seat, set.At(r.below(set.Len()))); err != nil {
				tb.Fatal(err)
			}
		}
	}
}

// generator is a small generator of random numbers, the same for both sides.
type generator uint64

func (g *generator) below(n int) int {
	*g += 0x9e3779b97f4a7c15
	x := uint64(*g)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x ^= x >> 27
	return int(x >> 32 * uint64(n) >> 32)
}

// reducer plays standard liar's dice with 4 seats and 3 dice. Its moves are bids, and a quantity of 0 for a challenge.
type reducer struct {
	left     [4]int
	missed   [4]int
	place    [4]int
	hands    [4][3]uint8
	turn     int
	bidder   int
	quantity int
	face     int
	inPlay   int
	over     bool
	moves    int
	shown    [4][3]uint8 // the last showdown
	found    int
	loser    int
	list     [73]bid // the legal moves
}

type bid struct{ quantity, face uint8 }

func (s *reducer) playout(tb testing.TB, seed uint64) int {
	r := generator(seed)
	*s = reducer{left: [4]int{3, 3, 3, 3}, bidder: -1, inPlay: 12}
	s.deal(&r)
	for !s.over {
		n := s.legal()
		if !s.act(s.turn, s.list[r.below(n)], &r) {
			tb.Fatal("a listed move is refused")
		}
	}
	return s.moves
}

// legal lists the legal moves, bids by quantity and face, then the challenge.
func (s *reducer) legal() int {
	n := 0
	quantity, face := max(1, s.quantity), s.face+1
	for ; quantity <= s.inPlay; quantity, face = quantity+1, 1 {
		for ; face <= 6; face++ {
			s.list[n] = bid{uint8(quantity), uint8(face)}
			n++
		}
	}
	if s.quantity > 0 {
		s.list[n] = bid{}
		n++
	}
	return n
}

// act makes a move and reports whether it was legal.
func (s *reducer) act(seat int, m bid, r *generator) bool {
	if s.over || seat != s.turn {
		return false
	}
	quantity, face := int(m.quantity), int(m.face)
	if quantity == 0 {
		if s.quantity == 0 {
			return false
		}
		s.challenge(r)
	} else {
		if quantity > s.inPlay || face < 1 || face > 6 || quantity < s.quantity || (quantity == s.quantity && face <= s.face) {
			return false
		}
		s.bidder, s.quantity, s.face = seat, quantity, face
		s.missed[seat] = 0
		s.turn = s.next(seat)
	}
	s.moves++
	return true
}

func (s *reducer) next(seat int) int {
	for {
		if seat = (seat + 1) & 3; s.left[seat] > 0 {
			return seat
		}
	}
}

func (s *reducer) challenge(r *generator) {
	s.missed[s.turn] = 0
	s.shown, s.found = s.hands, 0
	for seat := range s.hands {
		for _, d := range s.hands[seat][:s.left[seat]] {
			if int(d) == s.face {
				s.found++
			}
		}
	}
	s.loser = s.turn
	if s.found < s.quantity {
		s.loser = s.bidder
	}
	live := 0
	for _, n := range s.left {
		if n > 0 {
			live++
		}
	}
	s.inPlay--
	if s.left[s.loser]--; s.left[s.loser] == 0 {
		s.place[s.loser] = live
		if live == 2 {
			s.over = true
			return
		}
	}
	if s.turn = s.loser; s.left[s.loser] == 0 {
		s.turn = s.next(s.loser)
	}
	s.bidder, s.quantity, s.face = -1, 0, 0
	s.deal(r)
}

func (s *reducer) deal(r *generator) {
	for seat := range s.hands {
		hand := s.hands[seat][:s.left[seat]]
		for i := range hand {
			d := uint8(r.below(6)) + 1
			k := i
			for ; k > 0 && hand[k-1] > d; k-- {
				hand[k] = hand[k-1]
			}
			hand[k] = d
		}
	}
}

func compile(tb testing.TB, name string, seats int, options map[string]int) *machine.Game {
	tb.Helper()
	files, err := rules.Library()
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range files {
		if f.Game == name {
			g, err := f.Compile(seats, options)
			if err != nil {
				tb.Fatal(err)
			}
			return g
		}
	}
	tb.Fatalf("no rule file of %s", name)
	return nil
}
