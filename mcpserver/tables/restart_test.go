package tables_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dudo.example/core/record"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
)

// fullStore refuses appends while it is full, and takes its time.
type fullStore struct {
	*record.Memory
	full  atomic.Bool
	tries atomic.Int64 // while it is full
	wait  atomic.Int64 // a time.Duration, for the next append only
}

func (s *fullStore) AppendPrivate(ctx context.Context, table string, after record.Rev, lines []record.Line, private map[string][]byte) (record.Rev, error) {
	time.Sleep(time.Duration(s.wait.Swap(0)))
	if s.full.Load() {
		s.tries.Add(1)
		return 0, fmt.Errorf("%w: a test", record.ErrFull)
	}
	return s.Memory.AppendPrivate(ctx, table, after, lines, private)
}

// openFull makes a lobby on such a store.
func openFull(t *testing.T) (*room, *fullStore, *bytes.Buffer) {
	t.Helper()
	r, logs := open(t, tables.Limits{}), &bytes.Buffer{}
	store := &fullStore{Memory: r.store}
	r.stop()
	r.cfg.Store, r.cfg.Log = store, slog.New(slog.NewTextHandler(logs, nil))
	r.start()
	return r, store, logs
}

// A full disk refuses what needs room and costs nobody anything: neither a die while it lasts, nor a game across a restart.
func TestFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, store, _ := openFull(t)
		ctx := t.Context()
		_, tokens := r.sit(tables.Settings{TurnSeconds: 20}, "ann", "bob")
		store.full.Store(true)
		r.refused("server_full")(r.Act(ctx, tokens[0], -1, bid(1, 1)))
		r.refused("server_full")(r.Create(ctx, home, tables.Settings{}))
		time.Sleep(time.Minute)
		r.stop()
		r.start()
		if s := r.ok(r.State(ctx, home, look(tokens[0]))); s.Status != "live" || s.Seats[0].DiceLeft != 3 {
			t.Errorf("after a minute and a restart without room: %s, %d dice", s.Status, s.Seats[0].DiceLeft)
		}
		time.Sleep(time.Minute)
		store.full.Store(false)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		s := r.ok(r.State(ctx, home, look(tokens[0])))
		if s.Seats[0].DiceLeft != 3 || s.TurnMSLeft < 18_000 {
			t.Errorf("when there is room again: %d dice, %d ms left, want 3 and nearly 20 s", s.Seats[0].DiceLeft, s.TurnMSLeft)
		}
		r.ok(r.Act(ctx, tokens[0], -1, bid(1, 1)))
		time.Sleep(21 * time.Second)
		synctest.Wait()
		if s := r.ok(r.State(ctx, home, look(tokens[1]))); s.Seats[1].DiceLeft != 2 {
			t.Errorf("the clock does not run again: %d dice", s.Seats[1].DiceLeft)
		}
	})
}

// A table that expires while nothing can be stored tries again once a second, and says so once.
func TestExpiryOnAFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, store, logs := openFull(t)
		table := r.ok(r.Create(t.Context(), home, tables.Settings{})).Table
		store.full.Store(true)
		time.Sleep(31 * time.Minute)
		if n := store.tries.Load(); n < 30 || n > 70 {
			t.Errorf("%d appends were tried in the minute after the table had expired, want one a second", n)
		}
		store.full.Store(false)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if s := r.ok(r.State(t.Context(), home, tables.Look{Table: table, Since: -1})); s.Reason != "expired" {
			t.Errorf("when there is room again the table is %s (%s)", s.Status, s.Reason)
		}
		if n := strings.Count(logs.String(), "level=ERROR"); n != 1 {
			t.Errorf("%d errors were logged, want 1:\n%s", n, logs)
		}
	})
}

// Receipts and records of a table that another key opened are not signed, unless the server retired that key: the record names it.
func TestAnotherKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		table, tokens := r.sit(tables.Settings{}, "ann", "bob")
		r.stop()
		r.cfg.Key = ed25519.NewKeyFromSeed([]byte("another server's key for tests. "))
		r.start()
		if s := r.ok(r.Act(ctx, tokens[0], -1, bid(1, 1))); s.Receipt != "" {
			t.Errorf("the receipt is %q", s.Receipt)
		}
		f, err := r.Record(ctx, table)
		if err != nil || f.Receipt != "" {
			t.Errorf("the record's receipt is %q (%v)", f.Receipt, err)
		}
		r.stop()
		r.cfg.Retired = []ed25519.PrivateKey{key}
		r.start()
		s := r.ok(r.Act(ctx, tokens[1], -1, bid(1, 2)))
		receipt, err := record.ParseReceipt(s.Receipt)
		if err != nil {
			t.Fatal(err)
		}
		if f, err = r.Record(ctx, table); err != nil || f.Receipt == "" {
			t.Errorf("the record's receipt is %q (%v)", f.Receipt, err)
		}
		e, err := record.Parse(f.Lines[0])
		if err != nil {
			t.Fatal(err)
		}
		if open := e.Body.(record.Open); !receipt.Verify(key.Public().(ed25519.PublicKey), open.Origin, open.GID) {
			t.Error("the retired key did not sign the receipt of its game")
		}
	})
}

// A disk that sleeps longer than a turn, like a machine that does, costs nobody a die.
func TestSlowDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, store, _ := openFull(t)
		ctx := t.Context()
		_, tokens := r.sit(tables.Settings{TurnSeconds: 20}, "ann", "bob")
		store.wait.Store(int64(30 * time.Second))
		r.ok(r.Act(ctx, tokens[0], -1, bid(1, 1)))
		synctest.Wait()
		s := r.ok(r.State(ctx, home, look(tokens[1])))
		if s.Seats[1].DiceLeft != 3 || s.TurnMSLeft < 19_000 || !s.YourTurn {
			t.Errorf("after 30 s of the disk bob has %d dice and %d ms, want 3 and 20 s", s.Seats[1].DiceLeft, s.TurnMSLeft)
		}
	})
}

func TestRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		_, tokens := r.sit(tables.Settings{TurnSeconds: 60}, "ann", "bob")
		waiting := r.ok(r.Create(ctx, home, tables.Settings{}))
		cid := r.ok(r.Join(ctx, home, tables.Join{Name: "cid", Table: waiting.Table}))
		r.ok(r.Act(ctx, tokens[0], -1, bid(1, 4)))
		before := r.ok(r.State(ctx, home, look(tokens[1])))
		time.Sleep(50 * time.Second)
		r.stop()
		time.Sleep(10 * time.Minute) // nobody pays for that
		r.start()
		after := r.ok(r.State(ctx, home, look(tokens[1])))
		if after.TurnMSLeft != 60_000 || !after.YourTurn || fmt.Sprint(after.You, after.Standing) != fmt.Sprint(before.You, before.Standing) {
			t.Errorf("after the restart %+v, before %+v", after, before)
		}
		if after.N != before.N+1 {
			t.Errorf("event %d, want one more than %d: the resume", after.N, before.N)
		}
		r.ok(r.Act(ctx, tokens[1], -1, challenge))
		r.ok(r.Join(ctx, home, tables.Join{Name: "dan", Table: waiting.Table}))
		r.ok(r.Start(ctx, cid.Token, nil, ""))

		// A running table keeps the rules it was made with, whatever is on offer now.
		r.stop()
		other := standard(t)
		set, err := rulebook.Load(strings.Replace(string(other.Text), "default: 3", "default: 4", 1))
		if err != nil {
			t.Fatal(err)
		}
		r.cfg.Rules = []tables.Ruleset{set}
		r.start()
		if s := r.ok(r.State(ctx, home, look(tokens[0]))); s.Status != "live" {
			t.Errorf("after the rules were changed the table is %s", s.Status)
		}
	})
}

// A table whose log cannot be decided again is ended, so that its seed is known, and the others go on.
func TestRestartWithATableThatCannotGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		bad, badTokens := r.sit(tables.Settings{}, "ann", "bob")
		_, tokens := r.sit(tables.Settings{}, "ann", "bob")
		r.stop()
		lines := 0
		for _, err := range r.store.Read(ctx, bad, 0) {
			if err != nil {
				t.Fatal(err)
			}
			lines++
		}
		stray := record.Event{N: int64(lines), T: time.Now().UnixMilli(), Body: record.Act{Seat: 1, Action: "challenge"}}
		if _, err := r.store.Append(ctx, bad, record.Rev(lines), []record.Line{stray.Encode()}); err != nil {
			t.Fatal(err)
		}
		r.start()
		r.refused("unknown_token")(r.State(ctx, home, look(badTokens[0])))
		r.ok(r.Act(ctx, tokens[0], -1, bid(1, 1)))
		file, err := r.Record(ctx, bad)
		if err != nil {
			t.Fatal(err)
		}
		if last := file.Lines[len(file.Lines)-1]; !strings.Contains(string(last), `"reason":"abandoned"`) {
			t.Errorf("the log of the broken table ends with %s", last)
		}
	})
}

// Finished public tables are listed after a restart too, the latest first.
func TestListAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		var played []string
		for range 3 {
			table, tokens := r.sit(tables.Settings{Options: map[string]int{"dice": 1}}, "ann", "bob")
			r.ok(r.Act(ctx, tokens[0], -1, bid(2, 6)))
			r.ok(r.Act(ctx, tokens[1], -1, challenge))
			played = append([]string{table}, played...)
			time.Sleep(time.Second)
		}
		for range 2 {
			o, err := r.List(ctx, "")
			if err != nil {
				t.Fatal(err)
			}
			var listed []string
			list, _ := o.Get("tables")
			for _, s := range list.([]record.Value) {
				listed = append(listed, text(s.(tables.Object), "table"))
			}
			if fmt.Sprint(listed) != fmt.Sprint(played) {
				t.Errorf("listed %v, want %v", listed, played)
			}
			r.stop()
			r.start()
		}
	})
}
