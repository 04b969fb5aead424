package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dudo.example/mcpserver/client"
)

// agent sits down at a new table of a server.
func (s *server) agent(name string, settings map[string]any) *client.Agent {
	s.t.Helper()
	c := client.New(s.address, 2)
	s.t.Cleanup(c.Close)
	a := &client.Agent{Client: c, Name: name, Rand: rand.New(rand.NewPCG(1, 2))}
	var made struct{ Table string }
	if err := c.Call(s.t.Context(), "create_table", settings, &made); err != nil {
		s.t.Fatal(err)
	}
	if err := a.Join(s.t.Context(), made.Table); err != nil {
		s.t.Fatal(err)
	}
	return a
}

// finish plays a game to its end and verifies its record with every receipt of the agent's.
func (s *server) finish(a *client.Agent, step func(client.State)) client.State {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 3*time.Minute)
	defer cancel()
	end, err := a.Play(ctx, step)
	if err != nil {
		s.t.Fatalf("%v\n%s", err, s.out)
	}
	text, err := a.Client.Record(ctx, a.Table)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := verifyRecord(text, a.Receipts, s.t.Logf); err != nil {
		s.t.Error(err)
	}
	s.checkSecrets(a, end)
	return end
}

// checkSecrets looks for what a log must not hold.
func (s *server) checkSecrets(a *client.Agent, end client.State) {
	s.t.Helper()
	for what, secret := range map[string]string{"the token": a.Token, "the seed": end.Seed, "a private table's code": a.Table} {
		if secret != "" && strings.Contains(s.out.String(), secret) {
			s.t.Errorf("the log holds %s", what)
		}
	}
}

func TestGameGoesOnAfterKill(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	s := startServer(t, data, "")
	a := s.agent("ann", map[string]any{"seats": 3, "dice": 5, "public": false})
	if err := a.Start(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	for i, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		// Play a few moves, stop in the middle of the game, and bring the server back on the same address.
		before, err := a.Look(t.Context(), 20)
		for range 2 {
			if err == nil && before.YourTurn {
				before, err = a.Move(t.Context(), before)
			}
			if err == nil {
				before, err = a.Look(t.Context(), 20)
			}
		}
		if err != nil || before.Status != "live" {
			t.Fatalf("before stop %d: %v, status %s", i, err, before.Status)
		}
		s.signal(sig)
		s.checkNothingLeft()
		s = startServer(t, data, strings.TrimPrefix(s.address, "http://"))
		after, err := a.Look(t.Context(), 20)
		if err != nil {
			t.Fatal(err)
		}
		if after.N <= before.N || after.Round < before.Round {
			t.Errorf("after stop %d event %d of round %d, before it %d of %d", i, after.N, after.Round, before.N, before.Round)
		}
	}
	s.finish(a, nil)
	s.signal(syscall.SIGTERM)
	s.checkNothingLeft()
}

func TestBotIsKilled(t *testing.T) {
	t.Parallel()
	s := startServer(t, filepath.Join(t.TempDir(), "data"), "")
	a := s.agent("ann", map[string]any{"seats": 2, "dice": 5, "public": false})
	if err := a.Start(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	killed := 0
	s.finish(a, func(st client.State) {
		if pids := s.botPIDs("croupier"); st.Round > killed && killed < 3 && len(pids) > 0 {
			killed++
			if err := syscall.Kill(pids[len(pids)-1], syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				t.Error(err)
			}
		}
	})
	if n := len(s.botPIDs("croupier")); n < 2 {
		t.Errorf("croupier was started %d times, want at least 2: it was killed", n)
	}
	s.signal(syscall.SIGTERM)
	s.checkNothingLeft()
}

func TestBotHangs(t *testing.T) {
	t.Parallel()
	s := startServer(t, filepath.Join(t.TempDir(), "data"), "")
	a := s.agent("ann", map[string]any{"seats": 2, "dice": 2, "turn_seconds": 30, "public": false})
	if err := a.Start(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	stopped := false
	s.finish(a, func(st client.State) {
		if pids := s.botPIDs("croupier"); !stopped && len(pids) > 0 {
			stopped = true
			if err := syscall.Kill(pids[len(pids)-1], syscall.SIGSTOP); err != nil {
				t.Error(err)
			}
		}
	})
	if !s.logs("outcome=timeout") {
		t.Errorf("the log does not name the timeout of the bot:\n%s", s.out)
	}
	s.signal(syscall.SIGTERM)
	s.checkNothingLeft()
}

// linkSelf puts the test binary under another name.
func linkSelf(t *testing.T, path string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if os.Link(self, path) == nil {
		return
	}
	b, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestSmoke(t *testing.T) {
	t.Parallel()
	s := startServer(t, filepath.Join(t.TempDir(), "data"), "")
	out, err := command(t, "smoke", s.address).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("✓ record verified")) {
		t.Errorf("smoke: %v\n%s", err, out)
	}
	s.signal(syscall.SIGTERM)
	s.checkNothingLeft()
	out, err = command(t, "smoke", s.address).CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("is a server running at")) {
		t.Errorf("smoke without a server: %v\n%s", err, out)
	}
}

func TestSecondServerOnTheSameFolder(t *testing.T) {
	t.Parallel()
	s := startServer(t, filepath.Join(t.TempDir(), "data"), "")
	out, err := command(t, "serve", "--addr", freeAddress(t), "--data", s.data).CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("in use by another process")) {
		t.Errorf("a second server on the same folder: %v\n%s", err, out)
	}
	out, err = command(t, "serve", "--addr", strings.TrimPrefix(s.address, "http://"), "--data", t.TempDir()).CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("--addr chooses another address")) {
		t.Errorf("a second server on the same address: %v\n%s", err, out)
	}
}

// A backup is made while the server runs or after. A server restored from it has the finished games, signs nothing over what it
// signed before, and does not start without its key unasked.
func TestBackup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, other, file := filepath.Join(dir, "data"), filepath.Join(dir, "other"), filepath.Join(dir, "backup")
	admin := freeAddress(t)
	s := startServer(t, data, "", "--admin", admin)
	over := s.agent("ann", map[string]any{"seats": 2, "public": false})
	if err := over.Start(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	s.finish(over, nil)
	running := s.agent("bob", map[string]any{"seats": 2, "public": false})
	if err := running.Start(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	run := func(want string, args ...string) {
		t.Helper()
		out, err := command(t, args...).CombinedOutput()
		if !bytes.Contains(out, []byte(want)) {
			t.Fatalf("dudo %v: %v\n%s\nwant %q", args, err, out, want)
		}
	}
	run("--admin", "backup", "--data", data, file)
	run("holds all tables", "backup", "--admin", admin, file)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has mode %v (%v), want 0600", info.Mode(), err)
	}
	run("file exists", "backup", "--admin", admin, file)
	s.finish(running, nil) // and its receipts were given out
	before, err := client.New(s.address, 1).Record(t.Context(), running.Table)
	if err != nil {
		t.Fatal(err)
	}
	s.signal(syscall.SIGTERM)
	run("holds all tables", "backup", "--data", data, file+"2")
	run("there is no server", "backup", "--admin", admin, file+"3")
	if _, err := os.Stat(file + "3"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a backup that failed left a file: %v", err)
	}

	run("The tables are in", "restore", "--data", other, file)
	run("exists already", "restore", "--data", other, file)
	run("--new-key", "serve", "--data", other, "--addr", freeAddress(t))
	key, err := os.ReadFile(filepath.Join(data, "server.key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "server.key"), key, 0o600); err != nil {
		t.Fatal(err)
	}
	s = startServer(t, other, "")
	c := client.New(s.address, 1)
	if text, err := c.Record(t.Context(), over.Table); err != nil || !bytes.Contains(text, []byte(`"receipt"`)) {
		t.Errorf("a finished game is not what it was: %v", err)
	}
	running.Client = c
	if _, err := running.Look(t.Context(), 0); err == nil {
		t.Error("a game that was running at the time of the backup goes on")
	}
	text, err := c.Record(t.Context(), running.Table)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if history := bytes.Join(lines[:len(lines)-2], nil); !bytes.HasPrefix(before, history) || bytes.Contains(history, []byte(`"seed"`)) {
		t.Errorf("the record of a game that was running is not the beginning of what it became:\n%s", history)
	}
	s.signal(syscall.SIGTERM)

	if err := os.Remove(filepath.Join(other, "server.key")); err != nil {
		t.Fatal(err)
	}
	s = startServer(t, other, "", "--new-key")
	if text, err := client.New(s.address, 1).Record(t.Context(), over.Table); err != nil || bytes.Contains(text, []byte(`"receipt"`)) {
		t.Errorf("the record has a receipt that its key did not sign (%v)", err)
	}
}
