package store_test

import (
	"crypto/ed25519"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"dudo.example/store"
)

func TestServerKey(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	const callers = 20
	keys := make([]ed25519.PrivateKey, callers)
	var wg sync.WaitGroup
	for i := range callers { // at once
		wg.Go(func() {
			key, err := store.ServerKey(dir)
			if err != nil {
				t.Error(err)
			}
			keys[i] = key
		})
	}
	wg.Wait()
	again, err := store.ServerKey(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if !again.Equal(key) {
			t.Fatal("two calls gave two keys")
		}
	}
	if !ed25519.Verify(again.Public().(ed25519.PublicKey), []byte("x"), ed25519.Sign(again, []byte("x"))) {
		t.Error("the key does not sign")
	}
	private(t, dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || entries[0].Name() != "server.key" {
		t.Errorf("the folder holds %v, want server.key alone", entries)
	}
	other, err := store.ServerKey(filepath.Join(t.TempDir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	if other.Equal(again) {
		t.Error("two folders have one key")
	}
}

// A key file in the format that openssl genpkey writes, of a known seed.
func TestServerKeyFormat(t *testing.T) {
	const file = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIFIh9an1Vvp0KI5JZMEQxXBS7Lsv/UyBP6hBRNFocL6k\n-----END PRIVATE KEY-----\n"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "server.key"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	key, err := store.ServerKey(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := hex.EncodeToString(key.Seed()), "5221f5a9f556fa74288e4964c110c57052ecbb2ffd4c813fa84144d16870bea4"; got != want {
		t.Errorf("the seed is %s, want %s", got, want)
	}
}

func TestServerKeyRefused(t *testing.T) {
	good := filepath.Join(t.TempDir(), "good")
	if _, err := store.ServerKey(good); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(good, "server.key"))
	if err != nil {
		t.Fatal(err)
	}
	const p256 = "-----BEGIN PRIVATE KEY-----\nMEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCAAAAAAAAAAAAAAAAAA\nAAAAAAAAAAAAAAAAAAAAAAAAAQ==\n-----END PRIVATE KEY-----\n"
	tests := []struct {
		name string
		text string
		mode os.FileMode
		want string
	}{
		{"readable for the group", string(text), 0o640, "chmod 600"},
		{"readable for all", string(text), 0o604, "chmod 600"},
		{"empty", "", 0o600, "not a PEM file"},
		{"cut", string(text[:len(text)-9]), 0o600, "not a PEM file"},
		{"two keys", string(text) + string(text), 0o600, "not a PEM file"},
		{"another kind of PEM", strings.ReplaceAll(string(text), "PRIVATE", "PUBLIC"), 0o600, "not a PEM file"},
		{"another kind of key", p256, 0o600, "is not an Ed25519 key"},
		{"long", strings.Repeat("x", 5000), 0o600, "is not a key file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "server.key")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, tt.mode); err != nil {
				t.Fatal(err)
			}
			_, err := store.ServerKey(dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("ServerKey: %v, want %q and the path", err, tt.want)
			}
			if now, err := os.ReadFile(path); err != nil || string(now) != tt.text {
				t.Error("the refused key was touched")
			}
		})
	}
	t.Run("a link", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.Symlink(filepath.Join(good, "server.key"), filepath.Join(dir, "server.key")); err != nil {
			t.Fatal(err)
		}
		if _, err := store.ServerKey(dir); err == nil || !strings.Contains(err.Error(), "is not a key file") {
			t.Errorf("ServerKey: %v", err)
		}
	})
}
