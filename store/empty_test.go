package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"dudo.example/store"
)

// A kill leaves a log file empty, the newest between its making and its first
// byte, an older one between its emptying and its removal. Nothing is lost.
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
	for _, files := range [][]string{
		{"00009.mem", "000009.vlog"},
		{"00000.mem", "000000.vlog"},
		{"00000.mem", "00009.mem", "000000.vlog", "000009.vlog"},
	} {
		for _, name := range files {
			empty(name)
		}
		s, err := store.Open(dir, small)
		if err != nil {
			t.Fatalf("with empty %v: %v", files, err)
		}
		got := logs(t, s, childLine)
		for table, rev := range want {
			if got[table] != rev {
				t.Errorf("with empty %v: table %s is at %d, want %d", files, table, got[table], rev)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
