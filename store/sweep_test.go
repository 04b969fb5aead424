package store_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/google/go-cmp/cmp"

	"dudo.example/core/record"
	"dudo.example/store"
)

// keysLeft counts the keys of a closed store by their first byte: t for
// tables, l for lines, p for private values.
func keysLeft(t *testing.T, dir string) map[string]int {
	t.Helper()
	db, err := badger.Open(badger.DefaultOptions(filepath.Join(dir, "log")).WithLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	n := map[string]int{}
	err = db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			n[string(it.Item().Key()[:1])]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What deleted and expired tables leave behind is removed, and nothing else,
// even where a new table has the name of an old one.
func TestSweep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s, err := store.Open(dir, small)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	put := func(table string, n record.Rev) {
		t.Helper()
		for at := record.Rev(0); at < n; at += 100 {
			var lines []record.Line
			for i := at; i < min(at+100, n); i++ {
				lines = append(lines, childLine(table, i))
			}
			if _, err := s.AppendPrivate(ctx, table, at, lines, map[string][]byte{"seed": []byte("s"), "token.0": []byte("h")}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 30 {
		put(fmt.Sprintf("T%d", i), 10)
	}
	put("long", 3500) // more than is removed at a time
	put("short", 5)
	if err := s.Expire(ctx, "short", time.Second); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"T3", "T4", "T5", "long"} {
		if err := s.Delete(ctx, gone); err != nil {
			t.Fatal(err)
		}
	}
	put("T4", 3)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second) // until "short" has expired; Badger's TTL knows no other clock

	s, err = store.Open(dir, small)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Sweep(ctx), s.Close()); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"t": 28, "l": 27*10 + 3, "p": 28 * 2}
	if diff := cmp.Diff(want, keysLeft(t, dir)); diff != "" {
		t.Error(diff)
	}
	s = open(t, dir, small)
	found := logs(t, s, childLine)
	if len(found) != 28 || found["T4"] != 3 || found["T29"] != 10 {
		t.Errorf("the tables that stay are %v", found)
	}
}

// The store sweeps by itself after a Delete.
func TestSweeper(t *testing.T) {
	swept := make(chan int64, 100)
	o := small
	o.Log = slog.New(sweepLog{slog.DiscardHandler, swept})
	s := open(t, filepath.Join(t.TempDir(), "data"), o)
	for n := range record.Rev(30) {
		if _, err := s.Append(t.Context(), "A", n, []record.Line{childLine("A", n)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Delete(t.Context(), "A"); err != nil {
		t.Fatal(err)
	}
	select {
	case keys := <-swept:
		if keys != 30 {
			t.Errorf("%d keys were swept, want 30", keys)
		}
	case <-time.After(20 * time.Second):
		t.Error("nothing was swept in 20 s")
	}
}

// sweepLog hears of the sweeper's work.
type sweepLog struct {
	slog.Handler
	swept chan<- int64
}

func (sweepLog) Enabled(context.Context, slog.Level) bool { return true }

func (l sweepLog) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "keys" {
			l.swept <- a.Value.Int64()
		}
		return true
	})
	return nil
}
