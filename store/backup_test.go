package store_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dudo.example/core/record"
	"dudo.example/store"
)

func secret(name string) bool { return name == "seed" }

func TestBackup(t *testing.T) {
	from := filepath.Join(t.TempDir(), "data")
	s := open(t, from, small)
	key, err := store.ServerKey(from)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	want := map[string]record.Rev{}
	for i := range 500 {
		table := fmt.Sprintf("T%d", i%9)
		at := want[table]
		rev, err := s.AppendPrivate(ctx, table, at, []record.Line{childLine(table, at)}, map[string][]byte{"seed": []byte(table), "ended": []byte("7")})
		if err != nil {
			t.Fatal(err)
		}
		want[table] = rev
	}
	if err := s.Delete(ctx, "T1"); err != nil {
		t.Fatal(err)
	}
	delete(want, "T1")
	if err := s.Expire(ctx, "T2", time.Hour); err != nil {
		t.Fatal(err)
	}
	// Somebody goes on playing meanwhile: the copy is of one moment all the same.
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for at := want["T0"]; ; at++ {
			select {
			case <-stop:
				return
			default:
				if _, err := s.Append(context.Background(), "T0", at, []record.Line{childLine("T0", at)}); err != nil {
					t.Error(err)
					return
				}
			}
		}
	}()
	var copied bytes.Buffer
	err = s.Backup(ctx, &copied, secret)
	close(stop)
	<-stopped
	if err != nil {
		t.Fatal(err)
	}

	if z, err := gzip.NewReader(bytes.NewReader(copied.Bytes())); err != nil {
		t.Error(err)
	} else if text, err := io.ReadAll(z); err != nil || bytes.Contains(text, []byte("seed")) {
		t.Errorf("the copy names a seed, or cannot be read: %v", err)
	}
	to := filepath.Join(t.TempDir(), "data")
	if err := store.Restore(to, bytes.NewReader(copied.Bytes())); err != nil {
		t.Fatal(err)
	}
	private(t, to)
	if err := store.Restore(to, bytes.NewReader(copied.Bytes())); !errors.Is(err, os.ErrExist) {
		t.Errorf("a second Restore into the folder: %v, want ErrExist", err)
	}
	for range 2 {
		r, err := store.Open(to, small)
		if err != nil {
			t.Fatal(err)
		}
		found := logs(t, r, childLine)
		if found["T0"] < want["T0"] {
			t.Errorf("T0 is at %d, and was at %d before the backup", found["T0"], want["T0"])
		}
		want["T0"] = found["T0"]
		if diff := cmp.Diff(want, found); diff != "" {
			t.Error(diff)
		}
		p, err := r.Private(ctx, "T3")
		if diff := cmp.Diff(map[string][]byte{"ended": []byte("7")}, p); diff != "" || err != nil {
			t.Error(diff, err)
		}
		at := want["T4"]
		if want["T4"], err = r.Append(ctx, "T4", at, []record.Line{childLine("T4", at)}); err != nil {
			t.Error(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if other, err := store.ServerKey(to); err != nil || other.Equal(key) {
		t.Errorf("the server's key went with the backup, %v", err)
	}
}

func TestRestoreRefused(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "data"), small)
	for n := range record.Rev(50) {
		if _, err := s.Append(t.Context(), "A", n, []record.Line{childLine("A", n)}); err != nil {
			t.Fatal(err)
		}
	}
	var copied bytes.Buffer
	if err := s.Backup(t.Context(), &copied, secret); err != nil {
		t.Fatal(err)
	}
	good := copied.Bytes()
	changed := append([]byte{}, good...)
	changed[len(changed)/2] ^= 4
	for name, bad := range map[string][]byte{
		"nothing": nil, "a byte": {1}, "not a backup": []byte("hello, this is no backup at all"),
		"cut": good[:len(good)-1], "half": good[:len(good)/2], "changed": changed,
	} {
		dir := filepath.Join(t.TempDir(), "data")
		if err := store.Restore(dir, bytes.NewReader(bad)); err == nil {
			t.Errorf("%s: Restore succeeded", name)
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 0 {
			t.Errorf("%s: Restore left %v, %v", name, entries, err)
		}
		if err := store.Restore(dir, bytes.NewReader(good)); err != nil {
			t.Errorf("%s: Restore of a good copy afterwards: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Backup(ctx, &copied, secret); !errors.Is(err, context.Canceled) {
		t.Errorf("Backup with an ended context: %v", err)
	}
}
