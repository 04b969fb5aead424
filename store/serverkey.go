package store

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// KeyFile is the name of the server's key in the data folder.
const KeyFile = "server.key"

// ServerKey returns the key that signs the receipts of the server whose data
// folder is dir, and makes one if there is none. It is PEM-encoded PKCS #8 in
// the file server.key, which openssl reads too. Who loses it can verify old
// receipts no less, but the server is then another one to its players.
//
// A key that others may read is refused: the file must be a regular one with
// mode 0600 or less. Of several processes that make the key at the same time
// all return the same one.
func ServerKey(dir string) (ed25519.PrivateKey, error) {
	if err := ensureFolder(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, KeyFile)
	key, err := readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	err = newKey(dir, func(made string) error { return os.Link(made, path) }) // unlike a rename it replaces nothing
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("make the server's key: %w", err)
	}
	return readKey(path)
}

func readKey(path string) (ed25519.PrivateKey, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("the server's key: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > 4096 {
		return nil, fmt.Errorf("the server's key %s is not a key file", path)
	}
	if open := info.Mode().Perm() & 0o077; open != 0 && runtime.GOOS != "windows" {
		return nil, fmt.Errorf("the server's key %s has mode %04o: run chmod 600 %s if you know that nobody else has read it, and move it away for a new one if not",
			path, info.Mode().Perm(), path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the server's key: %w", err)
	}
	block, rest := pem.Decode(text)
	if block == nil || block.Type != "PRIVATE KEY" || len(rest) != 0 {
		return nil, fmt.Errorf("the server's key %s is not a PEM file with one private key", path)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("the server's key %s cannot be read", path) // the cause may quote it
	}
	ed, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("the server's key %s is not an Ed25519 key", path)
	}
	return ed, nil
}

// newKey writes a new key under a name of its own and has it put in place, so that there is never a part of one there.
func newKey(dir string, put func(made string) error) (err error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, KeyFile+".*") // with mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if gone := os.Remove(f.Name()); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}()
	if err := errors.Join(pem.Encode(f, &pem.Block{Type: "PRIVATE KEY", Bytes: der}), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := put(f.Name()); err != nil {
		return err
	}
	return syncFolder(dir)
}
