//go:build linux || darwin

package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// lockFolder takes the data folder for this process, and makes the files it
// will create private.
func lockFolder(dir string) (unlock func() error, err error) {
	syscall.Umask(0o077)
	f, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("open the data folder: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case err == nil:
		return f.Close, nil
	case errors.Is(err, syscall.EWOULDBLOCK):
		err = fmt.Errorf("%w: %s is open in %s; stop that one, or use another folder", ErrInUse, dir, holder(dir))
	default:
		err = fmt.Errorf("lock the data folder %s: %w", dir, err)
	}
	return nil, errors.Join(err, f.Close())
}

// holder names the process that has the folder, which Badger writes down.
func holder(dir string) string {
	pid, err := os.ReadFile(filepath.Join(dir, "log", "LOCK"))
	if err != nil || len(pid) > 20 {
		return "another dudo"
	}
	return "process " + strings.TrimSpace(string(pid))
}

// freeBytes is what a process without privileges may still write.
func freeBytes(folder string) (uint64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(folder, &st); err != nil {
		return 0, err
	}
	return st.Bavail * uint64(st.Bsize), nil
}

// dirSync makes the names of new files in a folder durable. Badger syncs what
// it writes into a new write buffer's file, and not that the file is there.
type dirSync struct {
	folder string
	synced time.Time // the folder's time of change when it was last synced
}

// sync syncs the folder if it may have changed since the last time.
func (d *dirSync) sync() error {
	info, err := os.Stat(d.folder)
	if err != nil {
		return err
	}
	changed := info.ModTime()
	if changed.Equal(d.synced) {
		return nil
	}
	f, err := os.Open(d.folder)
	if err != nil {
		return err
	}
	start := time.Now()
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	// A change within the clock's grain of the last one would not show.
	if start.Sub(changed) > 100*time.Millisecond {
		d.synced = changed
	}
	return nil
}
