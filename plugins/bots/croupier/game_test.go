package croupier_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"dudo.example/plugins/bot"
)

// game is standard liar's dice, as small as it can be written: the rules for
// judging croupier, not those that dudo plays by.
type game struct {
	rng      *rand.Rand
	hands    [][]int // a seat's dice; empty if it is out
	turn     int
	standing *bot.Bid
	bids     []bot.Bid
	round, n int
}

func newGame(seed uint64, seats, dice int) *game {
	g := &game{rng: rand.New(rand.NewPCG(seed, 1)), hands: make([][]int, seats)}
	for i := range g.hands {
		g.hands[i] = make([]int, dice)
	}
	g.turn = g.rng.IntN(seats)
	g.deal()
	return g
}

func (g *game) deal() {
	for _, h := range g.hands {
		for i := range h {
			h[i] = 1 + g.rng.IntN(6)
		}
	}
	g.standing, g.bids = nil, nil
	g.round++
	g.n++
}

func (g *game) dice() (n int) {
	for _, h := range g.hands {
		n += len(h)
	}
	return n
}

// over is the winner, if there is one.
func (g *game) over() (int, bool) {
	winner, live := 0, 0
	for i, h := range g.hands {
		if len(h) > 0 {
			winner, live = i, live+1
		}
	}
	return winner, live == 1
}

// view is the view of the seat to move, as JSON.
func (g *game) view(t testing.TB) []byte {
	legal := make(map[string]any)
	bids := make(map[string][2]int)
	for face := 1; face <= 6; face++ {
		least := 1
		if s := g.standing; s != nil {
			least = int(s.Quantity)
			if face <= int(s.Face) {
				least++
			}
		}
		if least <= g.dice() {
			bids[strconv.Itoa(face)] = [2]int{least, g.dice()}
		}
	}
	if len(bids) > 0 {
		legal["bid"] = bids
	}
	if g.standing != nil {
		legal["challenge"] = struct{}{}
	}
	seats := make([]map[string]any, len(g.hands))
	for i, h := range g.hands {
		seats[i] = map[string]any{"seat": i, "name": fmt.Sprint("p", i), "dice_left": len(h)}
	}
	view, err := json.Marshal(map[string]any{
		"gid": "TEST-0", "status": "live", "rules": "liars-dice/standard", "n": g.n, "round": g.round,
		"your_turn": true, "turn": g.turn, "seats": seats, "standing": g.standing, "bids": g.bids,
		"you": map[string]any{"seat": g.turn, "name": fmt.Sprint("p", g.turn), "dice": g.hands[g.turn]}, "legal": legal,
	})
	if err != nil {
		t.Fatal(err)
	}
	return view
}

// allows says whether a move is legal.
func (g *game) allows(m bot.Move) bool {
	q, f := m.Args["quantity"], m.Args["face"]
	switch m.Action {
	case "challenge":
		return g.standing != nil && len(m.Args) == 0
	case "bid":
		s := g.standing
		return len(m.Args) == 2 && q >= 1 && q <= int64(g.dice()) && f >= 1 && f <= 6 &&
			(s == nil || q > s.Quantity || q == s.Quantity && f > s.Face)
	default:
		return false
	}
}

// act makes a move, which must be legal.
func (g *game) act(t testing.TB, m bot.Move) {
	t.Helper()
	if !g.allows(m) {
		t.Fatalf("move %v is not legal over %v", m, g.standing)
	}
	g.n++
	if m.Action == "bid" {
		g.standing = &bot.Bid{Seat: g.turn, Quantity: m.Args["quantity"], Face: m.Args["face"]}
		g.bids = append(g.bids, *g.standing)
		g.turn = g.next(g.turn)
		return
	}
	found := int64(0)
	for _, h := range g.hands {
		for _, d := range h {
			if int64(d) == g.standing.Face {
				found++
			}
		}
	}
	loser := g.turn
	if found < g.standing.Quantity {
		loser = g.standing.Seat
	}
	g.hands[loser] = g.hands[loser][1:]
	g.turn = loser
	if len(g.hands[loser]) == 0 {
		g.turn = g.next(loser)
	}
	g.deal()
}

// next is the next seat that is still in.
func (g *game) next(seat int) int {
	for {
		seat = (seat + 1) % len(g.hands)
		if len(g.hands[seat]) > 0 {
			return seat
		}
	}
}
