package tables_test

import (
	"context"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"dudo.example/mcpserver/tables"
)

func TestWaiterLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{TableWaiters: 3, AddrWaiters: 2, Waiters: 8})
		table, _ := r.sit(tables.Settings{}, "ann", "bob")
		other, _ := r.sit(tables.Settings{}, "ann", "bob")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		addr := func(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}) }
		watch := tables.Look{Table: table, Since: 99, Wait: tables.MaxWait}
		wait := func(a netip.Addr, look tables.Look) {
			go func() { _, _ = r.State(ctx, a, look) }()
			synctest.Wait()
		}
		wait(addr(1), watch)
		wait(addr(1), watch)
		r.refused("too_many_waiters")(r.State(ctx, addr(1), watch)) // two of an address
		wait(addr(2), watch)
		r.refused("too_many_waiters")(r.State(ctx, addr(3), watch))       // three of a table
		r.ok(r.State(ctx, addr(3), tables.Look{Table: table, Since: -1})) // without waiting it is answered
		elsewhere := watch
		elsewhere.Table = other
		wait(addr(3), elsewhere)
		r.refused("too_many_waiters")(r.State(ctx, addr(4), elsewhere)) // four of spectators
		cancel()
		synctest.Wait()
		go func() { _, _ = r.State(t.Context(), addr(4), watch) }()
		synctest.Wait()
		if n := r.Stats().Waiting; n != 1 {
			t.Errorf("%d calls wait, want 1: the others have left", n)
		}
	})
}

// Whatever crowd watches, whoever sits at a table can wait.
func TestSeatsWaitApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{TableWaiters: 3, AddrWaiters: 5, Waiters: 12})
		table, tokens := r.sit(tables.Settings{}, "ann", "bob")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		addr := func(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}) }
		for i := range 9 {
			go func() { _, _ = r.State(ctx, addr(i), tables.Look{Table: table, Since: 99, Wait: tables.MaxWait}) }()
		}
		synctest.Wait()
		blocked := tables.Look{Token: tokens[1], Since: -1, Wait: tables.MaxWait}
		moved := make(chan error, 1)
		for range 4 {
			go func() {
				_, err := r.State(ctx, addr(100), blocked)
				moved <- err
			}()
		}
		synctest.Wait()
		if n := r.Stats().Waiting; n != 3+4 {
			t.Errorf("%d calls wait, want 3 of spectators and 4 of a seat", n)
		}
		r.refused("too_many_waiters")(r.State(ctx, addr(101), blocked)) // five of a seat
		r.ok(r.Act(ctx, tokens[0], -1, bid(1, 2)))
		for range 4 {
			if err := <-moved; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestTableLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{Tables: 3, NewPerAddr: 2})
		ctx := t.Context()
		other := netip.MustParseAddr("10.0.0.1")
		r.ok(r.Create(ctx, home, tables.Settings{}))
		r.ok(r.Create(ctx, home, tables.Settings{}))
		r.refused("too_many_new_tables")(r.Create(ctx, home, tables.Settings{}))
		time.Sleep(5 * time.Minute)
		r.ok(r.Create(ctx, home, tables.Settings{}))
		r.refused("too_many_tables")(r.Create(ctx, other, tables.Settings{}))
		time.Sleep(26 * time.Minute) // the first two expire after 30
		synctest.Wait()
		r.ok(r.Create(ctx, other, tables.Settings{}))
		r.ok(r.Create(ctx, other, tables.Settings{}))
		r.refused("too_many_tables")(r.Create(ctx, home, tables.Settings{}))
	})
}

func TestExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		unstarted := r.ok(r.Create(ctx, home, tables.Settings{}))
		time.Sleep(29 * time.Minute)
		r.ok(r.Join(ctx, home, tables.Join{Name: "ann", Table: unstarted.Table}))
		time.Sleep(29 * time.Minute)
		synctest.Wait()
		if s := r.ok(r.State(ctx, home, tables.Look{Table: unstarted.Table, Since: -1})); s.Status != "open" {
			t.Errorf("29 minutes after somebody joined the table is %s", s.Status)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		s := r.ok(r.State(ctx, home, tables.Look{Table: unstarted.Table, Since: -1}))
		if s.Status != "over" || s.Reason != "expired" || s.Seed == "" {
			t.Errorf("after 31 minutes the table is %s (%s)", s.Status, s.Reason)
		}
		time.Sleep(7*24*time.Hour - 2*time.Minute)
		synctest.Wait()
		if _, err := r.Record(ctx, unstarted.Table); err != nil {
			t.Errorf("a minute before seven days the record is gone: %v", err)
		}
		time.Sleep(2 * time.Minute)
		if _, err := r.Record(ctx, unstarted.Table); err == nil {
			t.Error("after seven days the record is still there")
		}
		r.refused("no_such_table")(r.State(ctx, home, tables.Look{Table: unstarted.Table, Since: -1}))
	})
}

func TestFinishedTablesAreLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		table, tokens := r.sit(tables.Settings{Options: map[string]int{"dice": 1}}, "ann", "bob")
		r.ok(r.Act(ctx, tokens[0], -1, bid(2, 6)))
		r.ok(r.Act(ctx, tokens[1], -1, challenge))
		r.ok(r.State(ctx, home, look(tokens[0])))
		time.Sleep(6 * time.Minute)
		synctest.Wait()
		r.refused("unknown_token")(r.State(ctx, home, look(tokens[0])))
		if s := r.ok(r.State(ctx, home, tables.Look{Table: table, Since: -1})); s.Status != "over" || len(s.Places) != 2 {
			t.Errorf("from the store the table is %+v", s)
		}
	})
}
