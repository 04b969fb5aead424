package store_test

import (
	"fmt"
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

	// A store sweeps when it is opened, and a Delete sets it going again.
	s, err = store.Open(dir, small)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"t": 28, "l": 27*10 + 3, "p": 28 * 2}
	for deadline := time.Now().Add(20 * time.Second); ; {
		if err := s.Delete(ctx, "nothing"); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		got := keysLeft(t, dir)
		if cmp.Equal(want, got) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("left are %v, want %v", got, want)
		}
		if s, err = store.Open(dir, small); err != nil {
			t.Fatal(err)
		}
	}
	s = open(t, dir, small)
	found := logs(t, s, childLine)
	if len(found) != 28 || found["T4"] != 3 || found["T29"] != 10 {
		t.Errorf("the tables that stay are %v", found)
	}
}
