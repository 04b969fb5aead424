package tables_test

import (
	"testing"
	"testing/synctest"

	"dudo.example/mcpserver/tables"
)

// However many games end in a short time, only the latest are kept in memory.
func TestFewFinishedTablesAreKept(t *testing.T) {
	const games, kept = 700, 500
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{NewPerAddr: games})
		ctx := t.Context()
		var tokens []string
		for range games {
			_, seats := r.sit(tables.Settings{Options: map[string]int{"dice": 1}, Private: true}, "ann", "bob")
			r.ok(r.Act(ctx, seats[0], -1, bid(1, 2)))
			if end := r.ok(r.Act(ctx, seats[1], -1, challenge)); end.Status != "over" {
				t.Fatalf("a game with a die each goes on after a challenge: %+v", end)
			}
			tokens = append(tokens, seats[0])
		}
		synctest.Wait()
		if n := r.Stats().Kept; n != kept {
			t.Errorf("%d of %d finished tables are kept, want %d", n, games, kept)
		}
		r.refused("unknown_token")(r.State(ctx, home, look(tokens[0])))
		r.refused("unknown_token")(r.State(ctx, home, look(tokens[games-kept-1])))
		r.ok(r.State(ctx, home, look(tokens[games-kept])))
		r.ok(r.State(ctx, home, look(tokens[games-1])))
	})
}
