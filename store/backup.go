package store

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
)

// Backup writes a copy of every table, as it stands at one moment, to w. The
// store stays in use meanwhile, but cannot be closed before the copy is done.
// Private values whose names are secret are left out, so that nobody can play
// on from the copy what the store goes on playing. The server's key is not in it.
func (s *Store) Backup(ctx context.Context, w io.Writer, secret func(name string) bool) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	z := gzip.NewWriter(w) // whose checksum shows a copy cut short or damaged
	stream := s.db.NewStream()
	stream.ChooseKey = func(item *badger.Item) bool {
		name, private := privateName(item.Key())
		return !private || !secret(name)
	}
	_, err = stream.Backup(&contextWriter{ctx, z}, 0)
	if err == nil {
		err = z.Close()
	}
	if cause := ctx.Err(); err != nil && cause != nil {
		err = cause // Badger would not wrap it
	}
	if err != nil {
		return fmt.Errorf("back up %s: %w", s.dir, err)
	}
	return nil
}

type contextWriter struct {
	ctx context.Context // lives as long as one Backup
	to  io.Writer
}

func (w *contextWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.to.Write(p)
}

// Restore puts a copy that Backup wrote into the data folder dir, which must
// hold no log yet. If it fails, it leaves none.
func Restore(dir string, r io.Reader) (err error) {
	if err := ensureFolder(dir); err != nil {
		return err
	}
	unlock, err := lockFolder(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	folder := filepath.Join(dir, "log")
	if _, err := os.Lstat(folder); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("restore: %s exists already (%w); name a new folder", folder, orExist(err))
	}
	half := filepath.Join(dir, "log.restoring")
	if err := os.RemoveAll(half); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	if err := load(half, r); err != nil {
		return errors.Join(fmt.Errorf("restore into %s: %w", dir, err), os.RemoveAll(half))
	}
	if err := errors.Join(os.Rename(half, folder), syncFolder(dir)); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	return nil
}

func orExist(err error) error {
	if err == nil {
		return os.ErrExist
	}
	return err
}

func load(folder string, r io.Reader) (err error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return fmt.Errorf("this is no backup: %w", err)
	}
	if err := ensureFolder(folder); err != nil {
		return err
	}
	db, err := badger.Open(badgerOptions(folder, slog.New(slog.DiscardHandler)))
	if err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("this backup is damaged: %v", p)
		}
		err = errors.Join(err, db.Close())
	}()
	return db.Load(z, 16) // transactions in flight
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
