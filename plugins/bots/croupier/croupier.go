// Package croupier is dudo's house bot. It plays liar's dice by the odds and
// nothing else: no model, no memory, no clock.
//
// For every bid it asks how likely it is, given its own hand and the dice that lie open, that
// the dice under the other cups make it true; each of them shows any face with one chance in
// six, and so it does a face that is wild in the round, the bidder's own a little more often the
// face that was bid. A challenge is worth the chance that the standing bid is false, in dice
// won and lost, and spot on the chance that it is exact. A bid is worth what a challenge
// of it would be worth, weighted with how likely the bid looks like one
// to challenge to somebody who does not see croupier's hand. Of the moves that are
// worth nearly the same, one is taken by a hash of the position, so that croupier
// is not read too easily: the same view always gets the same answer.
//
// In a game that has other actions it makes a legal move.
package croupier

import (
	"encoding/binary"
	"hash/fnv"

	"dudo.example/plugins/bot"
)

// Name is the name of the house bot.
const Name = "croupier"

// Serve runs croupier as a bot's process, as bot.Serve does.
func Serve() {
	bot.Serve(bot.Info{Name: Name, Version: "1"}, New)
}

// New makes the player of a seat.
func New(bot.SeatInfo) bot.Player { return bot.DecideFunc(Decide) }

// near is how much less than the best a move may be worth, in dice, to be
// taken for variety.
const near = 0.02

// Decide is croupier's move in a position. It is the zero Move if there is no
// legal one.
func Decide(v bot.View) bot.Move {
	moves := v.Legal()
	if len(moves) == 0 {
		return bot.Move{}
	}
	o := newOdds(v)
	values := make([]float64, len(moves))
	best, known := -2.0, false
	for i, m := range moves {
		value, ok := o.value(m)
		if !ok {
			value = -1.5
		}
		known = known || ok
		values[i] = value
		best = max(best, value)
	}
	choice := pick(v)
	if !known {
		return moves[choice%uint64(len(moves))]
	}
	var good []bot.Move
	for i, m := range moves {
		if values[i] >= best-near {
			good = append(good, m)
		}
	}
	return good[choice%uint64(len(good))]
}

// pick is a number that depends on the position and on nothing else.
func pick(v bot.View) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(v.GID))
	_ = binary.Write(h, binary.BigEndian, []int64{v.N, int64(v.Round), int64(v.You.Seat)})
	for _, d := range v.You.Dice {
		_, _ = h.Write([]byte{byte(d)})
	}
	x := h.Sum64()
	return x ^ x>>32
}
