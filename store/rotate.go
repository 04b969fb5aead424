package store

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// RetiredFolder is the name of the folder in the data folder that holds the server's earlier keys.
const RetiredFolder = "retired-keys"

// RotateKey gives the server a new key, for the games that are opened from its next start on, and keeps the old one in the folder
// retired-keys: games that it opened go on being signed with it, and their receipts stay checkable. A crash leaves the old key or
// both.
func RotateKey(dir string) (old, current ed25519.PrivateKey, err error) {
	path := filepath.Join(dir, KeyFile)
	if old, err = readKey(path); err != nil {
		return nil, nil, err
	}
	retired := filepath.Join(dir, RetiredFolder)
	if err := ensureFolder(retired); err != nil {
		return nil, nil, err
	}
	name := hex.EncodeToString(old.Public().(ed25519.PublicKey)) + ".key"
	if err := os.Link(path, filepath.Join(retired, name)); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, nil, fmt.Errorf("keep the old key: %w", err)
	}
	if err := syncFolder(retired); err != nil {
		return nil, nil, fmt.Errorf("keep the old key: %w", err)
	}
	if err := newKey(dir, func(made string) error { return os.Rename(made, path) }); err != nil {
		return nil, nil, fmt.Errorf("make a new key: %w", err)
	}
	current, err = readKey(path)
	return old, current, err
}

// RetiredKeys gives the server's earlier keys, none if there was no [RotateKey].
func RetiredKeys(dir string) ([]ed25519.PrivateKey, error) {
	folder := filepath.Join(dir, RetiredFolder)
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("retired keys: %w", err)
	}
	var keys []ed25519.PrivateKey
	for _, e := range entries {
		key, err := readKey(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}
