package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dudo.example/core/record"
	"dudo.example/store"
)

func TestFloors(t *testing.T) {
	var free atomic.Uint64
	free.Store(1000)
	o := store.Options{FloorNew: 800, Floor: 400, Free: func(string) (uint64, error) { return free.Load(), nil }}
	dir := filepath.Join(t.TempDir(), "data")
	s := open(t, dir, o)
	ctx := t.Context()
	create := func(table string) error {
		_, err := s.Append(ctx, table, 0, []record.Line{"x"})
		return err
	}
	rev := record.Rev(1)
	move := func() error {
		got, err := s.Append(ctx, "A", rev, []record.Line{"x"})
		if err == nil {
			rev = got
		}
		return err
	}
	expire := func() error { return s.Expire(ctx, "A", time.Hour) }
	if err := create("A"); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, tt := range []struct {
		free                          uint64
		create, move, expire, healthy bool
	}{
		{800, true, true, true, true},
		{799, false, true, true, true},
		{400, false, true, true, true},
		{399, false, false, true, false},
		{200, false, false, true, false},
		{199, false, false, false, false},
		{0, false, false, false, false},
		{800, true, true, true, true},
	} {
		free.Store(tt.free)
		n++
		table := fmt.Sprintf("N%d", n)
		for _, check := range []struct {
			what string
			err  error
			ok   bool
		}{
			{"create", create(table), tt.create},
			{"append", move(), tt.move},
			{"expire", expire(), tt.expire},
			{"health", s.Health(), tt.healthy},
		} {
			if check.ok != (check.err == nil) || !check.ok && !errors.Is(check.err, record.ErrFull) {
				t.Errorf("with %d bytes free: %s: %v", tt.free, check.what, check.err)
			}
		}
		if err := firstErr(t, s, table); (err == nil) != tt.create {
			t.Errorf("with %d bytes free: the table it creates: %v", tt.free, err)
		}
	}
	if got := logs(t, s, func(string, record.Rev) record.Line { return "x" }); got["A"] != rev {
		t.Errorf("A is at %d, want %d", got["A"], rev)
	}

	other := filepath.Join(t.TempDir(), "data")
	free.Store(99)
	if _, err := store.Open(other, o); !errors.Is(err, record.ErrFull) || !strings.Contains(err.Error(), other) {
		t.Errorf("Open with 99 bytes free: %v, want ErrFull and the folder's name", err)
	}
	free.Store(100)
	if err := open(t, other, o).Health(); !errors.Is(err, record.ErrFull) {
		t.Errorf("Health with 100 bytes free: %v", err)
	}
}

func firstErr(t *testing.T, s *store.Store, table string) error {
	for _, err := range s.Read(t.Context(), table, 0) {
		return err
	}
	return nil
}

// The real thing: a small disk that the store fills up.
func TestFullDisk(t *testing.T) {
	disk := smallDisk(t)
	dir := filepath.Join(disk, "data")
	child := startChild(t, "fill", dir)
	acked, said := listen(t, child.out, nil)
	if err := child.Wait(); err != nil {
		t.Fatalf("the child that filled the disk: %v", err)
	}
	if len(said) != 2 || !strings.HasPrefix(said[0], "no new table: ") || !strings.HasPrefix(said[1], "no append: ") {
		t.Fatalf("the child says %q", said)
	}
	if !strings.Contains(said[1], "the disk of "+dir) {
		t.Errorf("the refusal does not name the folder: %s", said[1])
	}
	delete(acked, "F1")
	s := open(t, dir, store.Options{FloorNew: 2, Floor: 1})
	keeps(t, s, acked)
	if err := firstErr(t, s, "F1"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("the deleted table: %v", err)
	}
}

// Somebody else takes the last byte of the disk. The process may be lost, since
// Badger still writes what was accepted to its place; the moves are not.
func TestNoByteLeft(t *testing.T) {
	disk := smallDisk(t)
	dir := filepath.Join(disk, "data")
	child := startChild(t, "last", dir)
	ballast := ""
	acked, said := listen(t, child.out, func(said string) {
		if said == "ready" {
			ballast = takeAll(t, disk)
			if _, err := fmt.Fprintln(child.in, "go"); err != nil {
				t.Error(err)
			}
		}
	})
	t.Logf("the child: %v", child.Wait())
	if len(said) != 2 || !strings.HasPrefix(said[1], "no byte: ") {
		t.Errorf("the child says %q", said)
	}
	o := store.Options{FloorNew: 2 << 20, Floor: 1 << 20}
	if _, err := store.Open(dir, o); !errors.Is(err, record.ErrFull) {
		t.Errorf("Open without a byte left: %v, want ErrFull", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	keeps(t, open(t, dir, o), acked)
}

// listen is acks for a child that says more.
func listen(t *testing.T, out *bufio.Scanner, each func(said string)) (acked map[string]record.Rev, said []string) {
	t.Helper()
	acked = map[string]record.Rev{}
	for out.Scan() {
		var table string
		var rev record.Rev
		if _, err := fmt.Sscanf(out.Text(), "ack %s %d", &table, &rev); err == nil {
			acked[table] = rev
			continue
		}
		said = append(said, out.Text())
		if each != nil {
			each(out.Text())
		}
	}
	return acked, said
}

func keeps(t *testing.T, s *store.Store, acked map[string]record.Rev) {
	t.Helper()
	if len(acked) == 0 {
		t.Error("nothing was acknowledged")
	}
	found := logs(t, s, noise)
	for table, rev := range acked {
		if found[table] < rev {
			t.Errorf("%s is at %d, and %d was acknowledged", table, found[table], rev)
		}
	}
}

func smallDisk(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	if os.Getuid() != 0 {
		t.Skip("only root may mount a small disk")
	}
	disk := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=240m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("no mount here: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", disk).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	return disk
}

// takeAll fills the disk to the last byte.
func takeAll(t *testing.T, disk string) string {
	t.Helper()
	f, err := os.Create(filepath.Join(disk, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, err := io.Copy(f, zeros{}); err == nil {
		t.Fatalf("%d bytes did not fill the disk", n)
	}
	return f.Name()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
