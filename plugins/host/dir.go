package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A host keeps its sockets in a directory of its own, which only its user may enter.
// It holds a lock in it, so that the next host can tell what was left behind.
const (
	dirPattern = "dudo-bots-*"
	lockName   = "lock"
	// unlockedAge is how old a directory without a lock is when it is no
	// longer one that is just being made.
	unlockedAge = time.Hour
	// maxDir keeps the paths of sockets within what the kernel takes.
	maxDir = 70
	// randomName is how long a random part of a directory's name can be.
	randomName = 10
)

// privateDir is the directory of a host.
type privateDir struct {
	path string
	lock *os.File
}

// makeDir makes a host's directory in base, "" for the system's directory for
// temporary files, and removes those of hosts that have ended.
func makeDir(base string) (*privateDir, error) {
	if base == "" {
		if base = os.TempDir(); len(base)+len(dirPattern)+randomName > maxDir {
			base = "/tmp" // the system's own is too deep for a socket
		}
	}
	base, err := filepath.Abs(base)
	if err != nil {
		return nil, fmt.Errorf("directory for sockets: %w", err)
	}
	removeStale(base)
	path, err := os.MkdirTemp(base, dirPattern)
	if err != nil {
		return nil, fmt.Errorf("directory for sockets: %w", err)
	}
	if len(path) > maxDir {
		_ = os.Remove(path)
		return nil, fmt.Errorf("directory for sockets: %s is longer than the %d bytes that leave room for a socket's name", path, maxDir)
	}
	// The lock appears under its name only once it is held.
	hidden := filepath.Join(path, lockName+".new")
	f, err := os.OpenFile(hidden, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		_, err = lock(f)
	}
	if err == nil {
		err = os.Rename(hidden, filepath.Join(path, lockName))
	}
	if err != nil {
		if f != nil {
			_ = f.Close()
		}
		_ = os.RemoveAll(path)
		return nil, fmt.Errorf("directory for sockets: %w", err)
	}
	return &privateDir{path: path, lock: f}, nil
}

// sub makes a directory in d, or takes the one that is there.
func (d *privateDir) sub(name string) (string, error) {
	path := filepath.Join(d.path, name)
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("directory for a bot: %w", err)
	}
	return path, nil
}

// close removes the directory.
func (d *privateDir) close() {
	_ = os.RemoveAll(d.path)
	_ = d.lock.Close()
}

// removeStale removes the directories in base whose host has ended.
func removeStale(base string) {
	paths, _ := filepath.Glob(filepath.Join(base, dirPattern))
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err != nil || !info.IsDir() || !mine(info) {
			continue
		}
		f, err := os.OpenFile(filepath.Join(path, lockName), os.O_RDWR, 0)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if time.Since(info.ModTime()) > unlockedAge {
				_ = os.RemoveAll(path)
			}
		case err == nil:
			if free, err := lock(f); err == nil && free {
				_ = os.RemoveAll(path)
			}
			_ = f.Close()
		}
	}
}
