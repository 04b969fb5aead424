package store_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dudo.example/core/record"
	"dudo.example/store"
)

// Whatever byte is changed, and wherever a file is cut, Open says that the
// folder is damaged, or nothing that was acknowledged is missing. Not everything
// that Badger keeps is needed.
func TestDamage(t *testing.T) {
	closed := filepath.Join(t.TempDir(), "closed") // tables, no write-ahead log
	s := open(t, closed, small)
	want := map[string]record.Rev{}
	for i := range 400 {
		name := fmt.Sprintf("T%d", i%7)
		rev, err := s.Append(t.Context(), name, want[name], []record.Line{childLine(name, want[name])})
		if err != nil {
			t.Fatal(err)
		}
		want[name] = rev
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(t.TempDir(), "killed") // a write-ahead log, no table
	child := startChild(t, "few", killed)
	acks(t, child.out, nil)
	if err := child.Wait(); err != nil { // it exits without Close
		t.Fatal(err)
	}
	// Damage to the last transaction, or to the end of the one before, looks
	// like what a crash leaves.
	wantKilled := map[string]record.Rev{"T": 18}

	rng := rand.New(rand.NewPCG(3, 4))
	for _, tt := range []struct {
		folder, file string
		want         map[string]record.Rev
		flips        int
		cuts         bool
	}{
		{closed, "000001.sst", want, 16, true},
		{closed, "MANIFEST", want, 8, true},
		{closed, "KEYREGISTRY", want, 4, false},
		{killed, "00001.mem", wantKilled, 16, false},
		{killed, "MANIFEST", wantKilled, 4, false},
	} {
		path := filepath.Join(tt.folder, "log", tt.file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		size := len(bytes.TrimRight(data, "\x00")) // what is in use of it
		told := 0
		try := func(what string, damaged []byte) {
			t.Helper()
			if openDamaged(t, tt.folder, tt.file, damaged, tt.want, what) {
				told++
			}
		}
		for range tt.flips {
			at := rng.IntN(size)
			damaged := append([]byte{}, data...)
			damaged[at] ^= byte(1 + rng.IntN(255))
			try(fmt.Sprintf("%s: byte %d changed", tt.file, at), damaged)
		}
		if tt.cuts {
			for _, n := range []int{0, 1, 7, size / 2, size - 1} {
				try(fmt.Sprintf("%s: cut after %d bytes", tt.file, n), data[:n])
			}
		}
		if told == 0 {
			t.Errorf("%s: no damage was told", tt.file)
		}
	}
	for _, file := range []string{"000001.sst", "MANIFEST"} {
		if !openDamaged(t, closed, file, nil, want, file+" gone") {
			t.Errorf("%s is gone, and nothing was said", file)
		}
	}
}

// A kill may leave a table half written, which the manifest does not name yet.
func TestHalfTable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	child := startChild(t, "few", dir)
	acks(t, child.out, nil)
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(dir, "log", "000077.sst")
	lock := filepath.Join(dir, "log", "LOCK")
	for _, tt := range []struct {
		name   string
		locked bool // as a kill leaves it
		ok     bool
	}{{"killed", true, true}, {"closed", false, false}, {"killed while opening", true, true}} {
		if err := os.WriteFile(half, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if tt.locked {
			if err := os.WriteFile(lock, []byte("1"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := store.Open(dir, small)
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
		if err != nil {
			continue
		}
		if got := logs(t, s, childLine)["T"]; got != 20 {
			t.Errorf("%s: T is at %d, want 20", tt.name, got)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// openDamaged opens a copy of the folder in which a file is another one, nil
// for none. It is true if Open told of the damage.
func openDamaged(t *testing.T, folder, file string, damaged []byte, want map[string]record.Rev, what string) (told bool) {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("cp", "-a", "--sparse=always", folder+"/.", dir).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v: %s", err, out)
	}
	path := filepath.Join(dir, "log", file)
	err := os.Remove(path)
	if damaged != nil {
		err = os.WriteFile(path, damaged, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(dir, small)
	if err != nil {
		if !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: the error does not name the folder and the damage: %v", what, err)
		}
		return true
	}
	defer s.Close()
	found := logs(t, s, childLine)
	for table, rev := range want {
		if found[table] < rev {
			t.Errorf("%s: %s is at %d, want %d, and nothing was said", what, table, found[table], rev)
		}
	}
	return false
}
