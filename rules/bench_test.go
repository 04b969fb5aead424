package rules_test

import (
	"testing"
	"time"

	"dudo.example/core/machine"
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
	var list [73]bid
	bestHand, bestMachine := time.Hour, time.Hour
	var handMoves, machineMoves int
	for b.Loop() {
		handMoves, machineMoves = 0, 0
		t := time.Now()
		for seed := range uint64(games) {
			handMoves += reducerPlayout(b, &list, seed)
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

// reducer plays standard liar's dice with 4 seats and 3 dice as functions from a state and an input to the next state, which
// leave the state that they are given as it is. Chance is asked for one die at a time, like the machine's. It is the same
// game to the last rule, without clocks.
type reducer struct {
	left     [4]int8
	missed   [4]int8
	place    [4]int8
	rolled   [4]int8 // dice of the hand that are dealt
	hands    [4][3]uint8
	turn     int8
	dealing  int8 // the seat whose dice are dealt, -1 while players bid
	bidder   int8
	quantity uint8
	face     uint8
	inPlay   uint8
	over     bool
	moves    int
	shown    [4][3]uint8 // the last showdown
	found    uint8
	loser    int8
}

// bid is a move; a quantity of 0 is a challenge.
type bid struct{ quantity, face uint8 }

func reducerPlayout(tb testing.TB, list *[73]bid, seed uint64) int {
	r := generator(seed)
	s := reducer{left: [4]int8{3, 3, 3, 3}, bidder: -1, inPlay: 12}
	for !s.over {
		var ok bool
		if s.dealing >= 0 {
			s, ok = s.draw(r.below(6))
		} else {
			s, ok = s.act(s.turn, list[r.below(s.legal(s.turn, list))])
		}
		if !ok {
			tb.Fatal("the reducer refuses")
		}
	}
	return s.moves
}

// legal lists a seat's legal moves, bids by quantity and face, then the challenge.
func (s *reducer) legal(seat int8, list *[73]bid) int {
	if s.over || s.dealing >= 0 || seat != s.turn {
		return 0
	}
	n := 0
	quantity, face := max(1, s.quantity), s.face+1
	for ; quantity <= s.inPlay; quantity, face = quantity+1, 1 {
		for ; face <= 6; face++ {
			list[n] = bid{quantity, face}
			n++
		}
	}
	if s.quantity > 0 {
		list[n] = bid{}
		n++
	}
	return n
}

// draw deals one die and keeps the hand sorted.
func (s reducer) draw(value int) (reducer, bool) {
	if s.over || s.dealing < 0 || value < 0 || value > 5 {
		return s, false
	}
	d, hand, k := uint8(value)+1, &s.hands[s.dealing], s.rolled[s.dealing]
	for ; k > 0 && hand[k-1] > d; k-- {
		hand[k] = hand[k-1]
	}
	hand[k] = d
	s.rolled[s.dealing]++
	for s.dealing < 4 && s.rolled[s.dealing] == s.left[s.dealing] {
		s.dealing++
	}
	if s.dealing == 4 {
		s.dealing = -1
	}
	return s, true
}

// act makes a move, if it is legal.
func (s reducer) act(seat int8, m bid) (reducer, bool) {
	if s.over || s.dealing >= 0 || seat != s.turn {
		return s, false
	}
	if m.quantity == 0 {
		if s.quantity == 0 {
			return s, false
		}
		s.challenge()
	} else {
		if m.quantity > s.inPlay || m.face < 1 || m.face > 6 ||
			m.quantity < s.quantity || (m.quantity == s.quantity && m.face <= s.face) {
			return s, false
		}
		s.bidder, s.quantity, s.face = seat, m.quantity, m.face
		s.missed[seat] = 0
		s.turn = s.next(seat)
	}
	s.moves++
	return s, true
}

func (s *reducer) next(seat int8) int8 {
	for {
		if seat = (seat + 1) & 3; s.left[seat] > 0 {
			return seat
		}
	}
}

func (s *reducer) challenge() {
	s.missed[s.turn] = 0
	s.shown, s.found = s.hands, 0
	for seat := range s.hands {
		for _, d := range s.hands[seat][:s.left[seat]] {
			if d == s.face {
				s.found++
			}
		}
	}
	s.loser = s.turn
	if s.found < s.quantity {
		s.loser = s.bidder
	}
	live := int8(0)
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
	s.rolled = [4]int8{}
	for s.dealing = 0; s.left[s.dealing] == 0; {
		s.dealing++
	}
}

func compile(tb testing.TB, game string, seats int, options map[string]int) *machine.Game {
	tb.Helper()
	g, err := fileOf(tb, game).Compile(seats, options)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}
