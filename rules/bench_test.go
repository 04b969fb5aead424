package rules_test

import (
	"testing"
	"time"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// BenchmarkPlayouts plays random games of the standard rules with 4 seats and 3 dice, choosing uniformly among the legal
// moves: by the machine from the rule file, and by a reducer that is written by hand for this one game and allocates nothing.
// Both list the legal moves and use the same generator. The last line is the share of the reducer's speed that the machine has.
func BenchmarkPlayouts(b *testing.B) {
	const games = 200
	game := compile(b, "liars-dice/standard", 4, map[string]int{"dice": 3})
	position, err := game.NewPosition()
	if err != nil {
		b.Fatal(err)
	}
	start := position.Clone()
	var set machine.MoveSet
	var byHand, byMachine int // nanoseconds
	var handMoves, machineMoves int
	var hand reducer
	for seed := uint64(1); b.Loop(); seed += games {
		begin := now()
		for k := range uint64(games) {
			handMoves += hand.play(seed + k)
		}
		middle := now()
		for k := range uint64(games) {
			position.CopyFrom(start)
			machineMoves += playout(b, position, &set, seed+k)
		}
		byHand, byMachine = byHand+middle-begin, byMachine+now()-middle
	}
	if handMoves != machineMoves {
		b.Fatalf("the reducer made %d moves and the machine %d with the same dice and choices", handMoves, machineMoves)
	}
	perHand, perMachine := float64(byHand)/float64(handMoves), float64(byMachine)/float64(machineMoves)
	b.ReportMetric(1e9/perHand, "reducer-moves/s")
	b.ReportMetric(1e9/perMachine, "machine-moves/s")
	b.ReportMetric(perHand/perMachine, "ratio")
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

// reducer plays standard liar's dice with 4 seats and 3 dice.
type reducer struct {
	left     [4]int
	hands    [4][3]uint8
	place    [4]int
	moves    [73]uint8
	turn     int
	bidder   int
	quantity int
	face     int
}

func (s *reducer) play(seed uint64) int {
	r := generator(seed)
	*s = reducer{left: [4]int{3, 3, 3, 3}, bidder: -1}
	s.deal(&r)
	for count := 1; ; count++ {
		n := s.legal()
		move := int(s.moves[r.below(n)])
		if move < 72 {
			s.bidder, s.quantity, s.face = s.turn, move/6+1, move%6+1
			s.turn = s.next(s.turn)
			continue
		}
		if s.challenge(&r) {
			return count
		}
	}
}

// legal lists the legal moves: bids by quantity and face, then 72 for a challenge.
func (s *reducer) legal() int {
	n := 0
	last := (s.left[0] + s.left[1] + s.left[2] + s.left[3]) * 6
	first := 0
	if s.quantity > 0 {
		first = (s.quantity-1)*6 + s.face
	}
	for bid := first; bid < last; bid++ {
		s.moves[n] = uint8(bid)
		n++
	}
	if s.quantity > 0 {
		s.moves[n] = 72
		n++
	}
	return n
}

func (s *reducer) next(seat int) int {
	for {
		if seat = (seat + 1) & 3; s.left[seat] > 0 {
			return seat
		}
	}
}

func (s *reducer) challenge(r *generator) (over bool) {
	found := 0
	for seat := range s.hands {
		for _, d := range s.hands[seat][:s.left[seat]] {
			if int(d) == s.face {
				found++
			}
		}
	}
	loser := s.turn
	if found < s.quantity {
		loser = s.bidder
	}
	live := 0
	for _, n := range s.left {
		if n > 0 {
			live++
		}
	}
	if s.left[loser]--; s.left[loser] == 0 {
		s.place[loser] = live
		if live == 2 {
			return true
		}
	}
	if s.turn = loser; s.left[loser] == 0 {
		s.turn = s.next(loser)
	}
	s.bidder, s.quantity, s.face = -1, 0, 0
	s.deal(r)
	return false
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

var epoch = time.Now()

func now() int { return int(time.Since(epoch)) }
