package tables_test

import (
	"fmt"
	"strings"
	"testing"

	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/mcpserver/tables"
)

// The sentence of what to do now names what a game adds to bidding and challenging, and what only a move before allows.
func TestNextNamesEveryWay(t *testing.T) {
	r := openGame(t, shipped(t, "liars-dice/bluff"), tables.Limits{})
	ctx := t.Context()
	_, tokens := r.sit(tables.Settings{Options: map[string]int{"dice": 3}, Seats: 2}, "ann", "bob")
	next := func(seat int, want string) answer {
		t.Helper()
		s := r.ok(r.State(ctx, home, look(tokens[seat])))
		if s.Next != want {
			t.Errorf("seat %d is told %q, want %q", seat, s.Next, want)
		}
		return s
	}
	next(0, "Your turn: open the round with bid.")
	r.ok(r.Act(ctx, tokens[0], -1, bid(2, 5)))
	s := next(1, "Your turn: raise 2 × 5 with bid, call it with challenge, or use push.")
	face := s.You.Dice[0]
	if !strings.Contains(string(s.Legal["push"]), fmt.Sprintf(`{"face":%d,"number":1,"stars":0}`, face)) {
		t.Errorf("with %v under the cup, push is %s", s.You.Dice, s.Legal["push"])
	}
	push := play.Move{Action: "push", Args: []record.Arg{{Name: "number", Value: 1}, {Name: "face", Value: face}, {Name: "stars"}}}
	if s = r.ok(r.Act(ctx, tokens[1], -1, push)); len(s.You.Dice) != 2 || s.Legal["challenge"] != nil {
		t.Errorf("after the push the dice are %v and the moves %v", s.You.Dice, s.Legal)
	}
	next(1, "Your turn: raise 2 × 5 with bid.")
	next(0, "Seat 1 is to move; call get_state with wait_seconds 20 until it is your turn.")
	r.ok(r.Act(ctx, tokens[1], -1, bid(20, 5)))
	next(0, "Your turn: 20 × 5 cannot be raised; call it with challenge.")
}

// Dice that are rolled again in a round neither begin another nor take its bids away.
func TestRollingAgainStaysInTheRound(t *testing.T) {
	r := openGame(t, shipped(t, "liars-dice/bluff"), tables.Limits{})
	ctx := t.Context()
	code, tokens := r.sit(tables.Settings{Seats: 2}, "ann", "bob")
	r.ok(r.Act(ctx, tokens[0], -1, bid(1, 1)))
	mine := r.ok(r.State(ctx, home, look(tokens[1])))
	face := mine.You.Dice[0]
	s := r.ok(r.Act(ctx, tokens[1], -1, play.Move{Action: "push", Args: []record.Arg{
		{Name: "number", Value: 1}, {Name: "face", Value: face}, {Name: "stars", Value: 0},
	}}))
	if s.Round != 1 || len(s.Bids) != 1 || len(s.You.Dice) != 4 {
		t.Errorf("after a push: round %d, %d bids, %d dice; want 1, 1, 4", s.Round, len(s.Bids), len(s.You.Dice))
	}
	f, err := r.Record(ctx, code)
	if err != nil || !strings.Contains(string(f.Lines[len(f.Lines)-1]), `"deal":2`) {
		t.Errorf("the last event is %s, want the second deal (%v)", f.Lines[len(f.Lines)-1], err)
	}
}
