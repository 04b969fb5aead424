package tables_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"dudo.example/core/record"
	"dudo.example/mcpserver/tables"
)

func TestClockRunsWithoutRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		table, tokens := r.sit(tables.Settings{TurnSeconds: 20, Options: map[string]int{"dice": 3}}, "ann", "bob", "cid")
		time.Sleep(19 * time.Second)
		synctest.Wait()
		if s := r.ok(r.State(ctx, home, look(tokens[0]))); s.Round != 1 || s.TurnMSLeft != 1000 {
			t.Errorf("after 19 of 20 seconds: round %d, %d ms left; want 1, 1000", s.Round, s.TurnMSLeft)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		s := r.ok(r.State(ctx, home, look(tokens[0])))
		if s.Round != 2 || s.Seats[0].DiceLeft != 2 || s.Turn != 0 {
			t.Errorf("after the clock: round %d, %d dice, turn %d; want 2, 2, 0", s.Round, s.Seats[0].DiceLeft, s.Turn)
		}
		time.Sleep(21 * time.Second)
		synctest.Wait()
		if s := r.ok(r.State(ctx, home, look(tokens[0]))); s.Seats[0].DiceLeft != 0 || s.Turn != 1 {
			t.Errorf("after two clocks in a row: %d dice, turn %d; want 0, 1", s.Seats[0].DiceLeft, s.Turn)
		}
		time.Sleep(2 * time.Minute) // bob is out too, and cid wins
		synctest.Wait()
		if s := r.ok(r.State(ctx, home, tables.Look{Table: table, Since: -1})); s.Status != "over" || fmt.Sprint(s.Places) != "[3 2 1]" {
			t.Errorf("nobody plays on: %s, places %v; want over, [3 2 1]", s.Status, s.Places)
		}
	})
}

func TestLateMoveIsRefusedAndNeverLandsInTheNextRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		_, tokens := r.sit(tables.Settings{TurnSeconds: 20}, "ann", "bob")
		s := r.ok(r.State(ctx, home, look(tokens[0])))
		time.Sleep(20*time.Second + 500*time.Millisecond)
		r.refused("moved_on")(r.Act(ctx, tokens[0], -1, bid(1, 1)))
		r.refused("moved_on")(r.Act(ctx, tokens[0], s.N, bid(1, 1)))
		if s := r.ok(r.State(ctx, home, look(tokens[0]))); s.Round != 2 || s.Standing != nil {
			t.Errorf("round %d with standing bid %v, want round 2 and none", s.Round, s.Standing)
		}
		r.ok(r.Act(ctx, tokens[0], -1, bid(1, 1))) // made for the round that it saw
	})
}

func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		table, tokens := r.sit(tables.Settings{}, "ann", "bob")
		before := r.ok(r.State(ctx, home, look(tokens[1])))
		got := make(chan answer)
		began := time.Now()
		go func() {
			got <- r.ok(r.State(ctx, home, tables.Look{Token: tokens[1], Since: before.N, Wait: tables.MaxWait}))
		}()
		time.Sleep(5 * time.Second)
		r.ok(r.Act(ctx, tokens[0], -1, bid(1, 4)))
		if s := <-got; !s.YourTurn || len(s.Bids) != 1 || s.You != nil || time.Since(began) != 5*time.Second {
			t.Errorf("woken after %v with %+v; want 5s, a turn and one bid", time.Since(began), s)
		}

		began = time.Now()
		s := r.ok(r.State(ctx, home, tables.Look{Token: tokens[0], Since: 100, Wait: 7 * time.Second}))
		if s.YourTurn || time.Since(began) != 7*time.Second {
			t.Errorf("an empty wait took %v, your_turn %t", time.Since(began), s.YourTurn)
		}
		o, err := r.State(ctx, home, tables.Look{Token: tokens[0], Since: s.N, Wait: time.Second})
		if text, _ := json.Marshal(o); err != nil || len(text) >= 400 {
			t.Errorf("an empty wait is answered with %d bytes (%v), want less than 400: %s", len(text), err, text)
		}

		gone, cancel := context.WithCancel(ctx)
		go func() {
			_, err := r.State(gone, home, tables.Look{Table: table, Since: s.N, Wait: tables.MaxWait})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("a waiter that hung up got %v", err)
			}
			got <- answer{}
		}()
		synctest.Wait()
		began = time.Now()
		cancel()
		if <-got; time.Since(began) != 0 {
			t.Error("a waiter that hung up was kept")
		}

		stop := make(chan struct{})
		go func() {
			got <- r.ok(r.State(ctx, home, tables.Look{Table: table, Since: s.N, Wait: tables.MaxWait, Stop: stop}))
		}()
		synctest.Wait()
		close(stop)
		if <-got; time.Since(began) != 0 {
			t.Error("a waiter was kept through a shutdown")
		}
	})
}

// Whoever sets the wall clock, back or ahead or not at all, takes no turn away from a player and gives none: each start of the
// server begins the turn in progress again, and turns are as long as ever. Times in the log never fall.
func TestWallClock(t *testing.T) {
	tests := map[string][]time.Duration{ // what the wall clock is off by at each start of the server
		"an hour back":         {0, -time.Hour},
		"an hour ahead":        {0, time.Hour},
		"ahead and back":       {0, time.Hour, 0, -time.Hour},
		"back to 1970":         {0, -50 * 365 * 24 * time.Hour},
		"years ahead and back": {10 * 365 * 24 * time.Hour, 0, time.Minute},
	}
	for name, offsets := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := open(t, tables.Limits{})
				ctx := t.Context()
				restart := func(off time.Duration) {
					r.stop()
					r.cfg.Wall = func() time.Time { return time.Now().Add(off) }
					r.start()
				}
				restart(offsets[0])
				table, tokens := r.sit(tables.Settings{TurnSeconds: 20}, "ann", "bob")
				for i, off := range offsets {
					if i > 0 {
						restart(off)
					}
					time.Sleep(19 * time.Second)
					synctest.Wait()
					if s := r.ok(r.State(ctx, home, look(tokens[0]))); s.Round != 1 || s.TurnMSLeft != 1000 {
						t.Fatalf("start %d, after 19 of 20 seconds: round %d, %d ms left; want 1, 1000", i, s.Round, s.TurnMSLeft)
					}
				}
				if s := r.ok(r.Act(ctx, tokens[0], -1, bid(1, 1))); s.TurnMSLeft != 20_000 {
					t.Errorf("a new turn has %d ms", s.TurnMSLeft)
				}
				time.Sleep(21 * time.Second)
				synctest.Wait()
				if s := r.ok(r.State(ctx, home, look(tokens[0]))); s.Round != 2 || s.Turn != 1 || s.Seats[1].DiceLeft != 2 {
					t.Errorf("after the clock: round %d, turn %d, %d dice; want 2, 1, 2", s.Round, s.Turn, s.Seats[1].DiceLeft)
				}
				f, err := r.Record(ctx, table)
				if err != nil {
					t.Fatal(err)
				}
				last := int64(0)
				for n, line := range f.Lines {
					e, err := record.Parse(line)
					if err != nil {
						t.Fatal(err)
					}
					if e.T < last {
						t.Errorf("event %d is at %d, the one before at %d", n, e.T, last)
					}
					last = e.T
				}
			})
		})
	}
}
