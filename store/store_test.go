package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"dudo.example/core/record"
	"dudo.example/core/record/logtest"
	"dudo.example/store"
)

// open opens a store in dir that closes when the test ends.
func open(t testing.TB, dir string, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// small lets tests run on a disk that is rather full.
var small = store.Options{FloorNew: 64 << 20, Floor: 32 << 20}

func TestContract(t *testing.T) {
	before := goleak.IgnoreCurrent() // an Open that fails leaves some of Badger's
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
	logtest.Run(t, func(t *testing.T) record.Log {
		return open(t, filepath.Join(t.TempDir(), "data"), small)
	})
	logtest.RunStore(t, func(t *testing.T) (record.Store, func(time.Duration)) {
		s := open(t, filepath.Join(t.TempDir(), "data"), small)
		return s, time.Sleep // Badger's TTL has no other clock than the system's
	})
}
