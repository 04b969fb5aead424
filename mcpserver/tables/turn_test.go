package tables_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"dudo.example/core/play"
	"dudo.example/mcpserver/tables"
)

var spotOn = play.Move{Action: "spot_on"}

// anySeat is a table of perudo for three where every player but the bidder may call spot on.
func anySeat(t *testing.T) (r *room, tokens []string) {
	t.Helper()
	r = openGame(t, shipped(t, "liars-dice/perudo"), tables.Limits{})
	_, tokens = r.sit(tables.Settings{Options: map[string]int{"spot_on_by": 2}, Seats: 3}, "ann", "bob", "cec")
	return r, tokens
}

// Who waits is woken by a position in which it may act out of turn, once for each, and without a clock of its own.
func TestWakeOutOfTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, tokens := anySeat(t)
		ctx := context.Background()
		waits := func(seat int) (answer, time.Duration) {
			t.Helper()
			began := time.Now()
			s := r.ok(r.State(ctx, home, tables.Look{Token: tokens[seat], Since: -1, Wait: tables.MaxWait}))
			return s, time.Since(began)
		}
		r.ok(r.State(ctx, home, look(tokens[2]))) // the position before the first bid: nothing to do out of turn
		go func() {
			time.Sleep(3 * time.Second)
			r.ok(r.Act(ctx, tokens[0], -1, bid(2, 3)))
		}()
		s, took := waits(2)
		const next = "Seat 1 is to move. You may use spot_on out of turn, or wait with get_state."
		if took != 3*time.Second || s.YourTurn || s.Legal["spot_on"] == nil || len(s.Legal) != 1 || s.Next != next || s.TurnMSLeft <= 0 {
			t.Errorf("woken after %v with %+v", took, s)
		}
		// Seen once, the same position wakes nobody: neither without since nor with it.
		if s, took = waits(2); took != tables.MaxWait || s.YourTurn {
			t.Errorf("the same position wakes again after %v", took)
		}
		began := time.Now()
		r.ok(r.State(ctx, home, tables.Look{Token: tokens[2], Since: s.N, Wait: tables.MaxWait}))
		if took := time.Since(began); took != tables.MaxWait {
			t.Errorf("the same position wakes again after %v, asked with since", took)
		}
	})
}

// A chance that came while nobody waited is told at once.
func TestChanceBetweenWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, tokens := anySeat(t)
		ctx := context.Background()
		r.ok(r.State(ctx, home, look(tokens[2])))
		r.ok(r.Act(ctx, tokens[0], -1, bid(2, 3)))
		began := time.Now()
		s := r.ok(r.State(ctx, home, tables.Look{Token: tokens[2], Since: -1, Wait: tables.MaxWait}))
		if time.Since(began) != 0 || s.Legal["spot_on"] == nil {
			t.Errorf("after %v the state is %+v", time.Since(began), s)
		}
	})
}

// A move out of turn is for the position that its player has seen, and counts like any other.
func TestActOutOfTurn(t *testing.T) {
	r, tokens := anySeat(t)
	ctx := t.Context()
	r.ok(r.Act(ctx, tokens[0], -1, bid(2, 3)))
	r.refused("moved_on")(r.Act(ctx, tokens[2], -1, spotOn))      // it has not seen the bid
	r.refused("not_your_turn")(r.Act(ctx, tokens[0], -1, spotOn)) // it is the bidder
	r.ok(r.Act(ctx, tokens[1], -1, bid(3, 3)))
	r.refused("moved_on")(r.Act(ctx, tokens[0], -1, spotOn))
	r.refused("not_your_turn")(r.Act(ctx, tokens[1], -1, challenge))
	s := r.ok(r.State(ctx, home, look(tokens[0])))
	r.refused("moved_on")(r.Act(ctx, tokens[0], s.N-1, spotOn))
	end := r.ok(r.Act(ctx, tokens[0], -1, spotOn)) // out of turn: it is seat 2's
	if end.Round != 2 || end.LastShowdown == nil || end.Receipt == "" {
		t.Errorf("after spot on the state is %+v", end)
	}
}
