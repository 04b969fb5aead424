package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dudo.example/core/record"
	"dudo.example/store"
)

// private fails for each file in dir that is not the owner's alone.
func private(t *testing.T, dir string) (files int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // Badger removed it meanwhile
		}
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		} else {
			files++
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %04o, want %04o", path, got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "data")
	if err := os.MkdirAll(filepath.Join(dir, "log"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{dir, filepath.Join(dir, "log")} { // whatever the umask was
		if err := os.Chmod(f, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, dir, small)
	if _, err := store.ServerKey(dir); err != nil {
		t.Fatal(err)
	}
	before := private(t, dir)
	for n := range record.Rev(320) { // 19 MB: Badger begins new files
		if _, err := s.Append(t.Context(), "A", n, []record.Line{noise("A", n)}); err != nil {
			t.Fatal(err)
		}
	}
	if now := private(t, dir); now <= before {
		t.Errorf("%d files after 19 MB, %d before", now, before)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	private(t, dir)

	// A copy of the folder may have come with other modes.
	loose := filepath.Join(dir, "log", "MANIFEST")
	if err := os.Chmod(loose, 0o644); err != nil {
		t.Fatal(err)
	}
	open(t, dir, small)
	private(t, dir)
}

func TestInUse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	child := startChild(t, "hold", dir)
	if !child.out.Scan() || child.out.Text() != "open" {
		t.Fatalf("the child says %q", child.out.Text())
	}
	_, err := store.Open(dir, small)
	if !errors.Is(err, store.ErrInUse) {
		t.Fatalf("Open of a folder in use: %v, want ErrInUse", err)
	}
	for _, want := range []string{dir, fmt.Sprintf("process %d", child.Process.Pid), "use another folder"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q: %v", want, err)
		}
	}
	if err := store.Restore(dir, strings.NewReader("")); !errors.Is(err, store.ErrInUse) {
		t.Errorf("Restore into a folder in use: %v, want ErrInUse", err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	open(t, dir, small)
	if _, err := store.Open(dir, small); !errors.Is(err, store.ErrInUse) {
		t.Errorf("a second Open in this process: %v, want ErrInUse", err)
	}
}

func TestBadFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "data"), ""} {
		if s, err := store.Open(dir, small); err == nil {
			t.Errorf("Open(%q) succeeded", dir)
			_ = s.Close()
		}
	}
}

// A write that fails in a way that leaves its fate unknown ends the appends,
// not the reads, until the store is opened again.
func TestWriteFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s, err := store.Open(dir, small)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if _, err := s.Append(ctx, "A", 0, []record.Line{childLine("A", 0)}); err != nil {
		t.Fatal(err)
	}
	wakes, err := s.Watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	away := filepath.Join(dir, "away")
	if err := os.Rename(filepath.Join(dir, "log"), away); err != nil {
		t.Fatal(err)
	}
	rev, err := s.Append(ctx, "A", 1, []record.Line{childLine("A", 1)})
	if err == nil || errors.Is(err, record.ErrFull) || errors.Is(err, record.ErrConflict) {
		t.Errorf("an append without a folder = %d, %v", rev, err)
	}
	if err := os.Rename(away, filepath.Join(dir, "log")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if rev, err := s.Append(ctx, "A", 2, []record.Line{childLine("A", 2)}); err == nil {
			t.Errorf("an append after a failed one = %d", rev)
		}
	}
	if err := s.Health(); err == nil || errors.Is(err, record.ErrFull) {
		t.Errorf("Health after a failed write: %v", err)
	}
	if rev := logs(t, s, childLine)["A"]; rev < 1 {
		t.Errorf("A is at %d", rev)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Health(); !errors.Is(err, record.ErrClosed) {
		t.Errorf("Health after Close: %v, want ErrClosed", err)
	}
	if wake, open := <-wakes; open {
		t.Errorf("a wake of an append that failed: %v", wake)
	}
	s = open(t, dir, small)
	at := logs(t, s, childLine)["A"]
	if at != 1 && at != 2 {
		t.Errorf("A is at %d, want 1 or 2", at)
	}
	if _, err := s.Append(ctx, "A", at, []record.Line{childLine("A", at)}); err != nil {
		t.Error(err)
	}
}

// Neither the log nor an error holds a line or a private value.
func TestSecrets(t *testing.T) {
	var said bytes.Buffer
	o := small
	o.Log = slog.New(slog.NewJSONHandler(&said, &slog.HandlerOptions{Level: slog.LevelDebug}))
	dir := filepath.Join(t.TempDir(), "data")
	line := record.Line(`{"say":"hush-line"}`)
	secret := map[string][]byte{"seed": []byte("hush-seed"), "hush-name": []byte("x")}
	for round := range record.Rev(3) {
		s, err := store.Open(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.AppendPrivate(t.Context(), "A", round, []record.Line{line}, secret); err != nil {
			t.Fatal(err)
		}
		_, err = s.AppendPrivate(t.Context(), "A", round, []record.Line{line}, secret)
		fmt.Fprintln(&said, err)
		_, err = s.AppendPrivate(t.Context(), "A", 9, []record.Line{line + "\n"}, secret)
		fmt.Fprintln(&said, err)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		key, err := store.ServerKey(dir)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(said.Bytes(), key.Seed()) {
			t.Error("the server's key was logged")
		}
	}
	if !strings.Contains(said.String(), "badger: ") {
		t.Error("Badger did not log anything: this test sees nothing")
	}
	if strings.Contains(said.String(), "hush") {
		t.Errorf("a secret was logged: %s", said.String())
	}
}
