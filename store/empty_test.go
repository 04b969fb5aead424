package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dudo.example/core/record"
	"dudo.example/store"
)

// A kill between the making of a log file and its first byte leaves it empty.
// Nothing is lost by that. An empty write-ahead log with a newer one behind it is
// no rest of a kill.
func TestEmptyLogFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	child := startChild(t, "few", dir)
	want := acks(t, child.out, nil)
	if err := child.Wait(); err != nil { // it exits without Close
		t.Fatal(err)
	}
	empty := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "log", name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	empty("00009.mem")
	empty("000009.vlog")
	s := open(t, dir, store.Options{})
	got := logs(t, s, func(table string, n record.Rev) record.Line { return childLine(table, n) })
	for table, rev := range want {
		if got[table] < rev {
			t.Errorf("table %s is at %d, want %d at least", table, got[table], rev)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	empty("00001.mem")
	if err := os.WriteFile(filepath.Join(dir, "log", "00009.mem"), make([]byte, 64), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(dir, store.Options{}); err == nil || !strings.Contains(err.Error(), "00001.mem is empty") {
		t.Errorf("Open with an empty log before another: %v", err)
	}
}
