package player

import (
	"cmp"
	"slices"
	"strconv"
)

// state is what a player needs of a state.
type state struct {
	Status, Receipt string
	N               int64
	YourTurn        bool `json:"your_turn"`
	You             struct{ Dice []int }
	Seats           []struct {
		Dice int `json:"dice_left"`
	}
	Standing bid
	Legal    struct {
		Bid       map[string][2]int // by face, the least and the most quantity
		Challenge *struct{}
	}
}

type bid struct{ Quantity, Face int }

// choose gives a move: a challenge if the standing bid says more than seems to be there, else the bid that asks the least of the
// others.
func choose(s state, doubt int) (tool string, move args) {
	mine := map[int]int{}
	for _, die := range s.You.Dice {
		mine[die]++
	}
	others := -len(s.You.Dice)
	for _, seat := range s.Seats {
		others += seat.Dice
	}
	asks := func(b bid) int { return b.Quantity - mine[b.Face] }
	if s.Legal.Challenge != nil && (len(s.Legal.Bid) == 0 || asks(s.Standing)*doubt > others) {
		return "challenge", args{"say": "¡Dudo!"}
	}
	var bids []bid
	for text, span := range s.Legal.Bid {
		if face, err := strconv.Atoi(text); err == nil {
			bids = append(bids, bid{span[0], face})
		}
	}
	b := slices.MinFunc(bids, func(a, b bid) int { return cmp.Or(cmp.Compare(asks(a), asks(b)), cmp.Compare(a.Face, b.Face)) })
	return "bid", args{"face": b.Face, "quantity": b.Quantity}
}
