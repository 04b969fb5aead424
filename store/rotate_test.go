package store_test

import (
	"path/filepath"
	"testing"

	"dudo.example/store"
)

func TestRotateKey(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if _, _, err := store.RotateKey(dir); err == nil {
		t.Error("RotateKey of no key succeeded")
	}
	first, err := store.ServerKey(dir)
	if err != nil {
		t.Fatal(err)
	}
	if keys, err := store.RetiredKeys(dir); err != nil || len(keys) != 0 {
		t.Errorf("RetiredKeys = %d keys, %v before the first rotation", len(keys), err)
	}
	old, second, err := store.RotateKey(dir)
	if err != nil || !old.Equal(first) || second.Equal(first) {
		t.Fatalf("RotateKey: the old key is the first: %t, %v", old.Equal(first), err)
	}
	old, third, err := store.RotateKey(dir)
	if err != nil || !old.Equal(second) {
		t.Fatalf("a second RotateKey: the old key is the second: %t, %v", old.Equal(second), err)
	}
	if key, err := store.ServerKey(dir); err != nil || !key.Equal(third) {
		t.Errorf("ServerKey is the new key: %t, %v", key.Equal(third), err)
	}
	keys, err := store.RetiredKeys(dir)
	if err != nil || len(keys) != 2 {
		t.Fatalf("RetiredKeys = %d keys, %v, want 2", len(keys), err)
	}
	for _, key := range keys {
		if !key.Equal(first) && !key.Equal(second) {
			t.Error("a retired key is none of the earlier ones")
		}
	}
	private(t, dir)
}
