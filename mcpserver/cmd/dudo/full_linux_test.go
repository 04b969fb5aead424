package main

import (
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dudo.example/mcpserver/client"
)

// When the disk fills up, players read a sentence, nothing that was answered is lost, and play goes on once there is room again.
func TestDiskFillsUp(t *testing.T) {
	if testing.Short() || os.Getuid() != 0 {
		t.Skip("only root may mount a small disk")
	}
	disk := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=700m", "tmpfs", disk).CombinedOutput(); err != nil {
		t.Skipf("no mount here: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", disk).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	s := startServer(t, filepath.Join(disk, "data"), "")
	a := s.agent("ann", map[string]any{"seats": 2, "public": false, "turn_seconds": 20})
	if err := a.Start(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	state := s.moveOnce(a)
	ballast := fill(t, disk, 200<<20)

	for !state.YourTurn {
		var err error
		if state, err = a.Look(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if !state.YourTurn && s.logs("the table stands still until it can be stored") {
			break // the bot's move is what cannot be stored
		}
	}
	var refusal *client.Refusal
	if state.YourTurn {
		if _, err := a.Move(t.Context(), state); !errors.As(err, &refusal) || refusal.Code != "server_full" {
			t.Errorf("a move on a full disk: %v, want a refusal", err)
		} else {
			t.Logf("the player reads: %s", refusal.Sentence)
		}
	}
	var made struct{ Table string }
	err := a.Client.Call(t.Context(), "create_table", map[string]any{}, &made)
	if !errors.As(err, &refusal) || refusal.Code != "server_full" || !strings.HasSuffix(refusal.Sentence, ".") {
		t.Errorf("a new table on a full disk: %v, want a refusal", err)
	}
	res, err := http.Get(s.address + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("readyz answers %d, want 503", res.StatusCode)
	}

	// A kill on the full disk loses nothing either.
	s.signal(syscall.SIGKILL)
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	s = startServer(t, s.data, strings.TrimPrefix(s.address, "http://"))
	s.finish(a, nil)
}

// moveOnce makes the agent's first move.
func (s *server) moveOnce(a *client.Agent) client.State {
	s.t.Helper()
	for {
		state, err := a.Look(s.t.Context(), 10)
		if err != nil {
			s.t.Fatal(err)
		}
		if state.YourTurn {
			if state, err = a.Move(s.t.Context(), state); err != nil {
				s.t.Fatal(err)
			}
			return state
		}
	}
}

// fill leaves so many bytes free on a disk.
func fill(t *testing.T, disk string, left uint64) (ballast string) {
	t.Helper()
	var stat syscall.Statfs_t
	if err := syscall.Statfs(disk, &stat); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(disk, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	size := int64(stat.Bavail)*stat.Bsize - int64(left)
	if size < 0 {
		t.Fatalf("%d bytes are free", int64(stat.Bavail)*stat.Bsize)
	}
	if err := syscall.Fallocate(int(f.Fd()), 0, 0, size); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}
