package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"dudo.example/core/record"
	"dudo.example/mcpserver/client"
	"dudo.example/rules"
)

// house is the standard game with an action of its own, fold, which costs so many dice. It is a file whose every version can be
// told from the others by playing.
func house(t *testing.T, costs string) *rules.File {
	t.Helper()
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("game: liars-dice/standard", "game: test/house", "\n      challenge:\n", `
      fold:
        doc: Begin a new round. It costs `+costs+` of your dice.
        do:
          - set: {'missed[me]': 0}
          - call: lose(me, `+costs+`)
          - call: new_round(me)
      challenge:
`).Replace(string(files[0].Text))
	text, _, _ = strings.Cut(text, "\nexamples:\n") // which count the legal moves
	f, err := rules.Parse("house.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// put writes a file as careful editors do: aside, and then over the old one.
func put(t *testing.T, path string, text []byte) {
	t.Helper()
	temp := filepath.Join(filepath.Dir(path), ".new")
	if err := errors.Join(os.WriteFile(temp, text, 0o600), os.Rename(temp, path)); err != nil {
		t.Fatal(err)
	}
}

// health is what the server says of itself.
func (s *server) health() string {
	s.t.Helper()
	res, err := http.Get(s.address + "/healthz")
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		s.t.Fatalf("healthz: %d %s (%v)", res.StatusCode, text, err)
	}
	return string(text)
}

// becomes waits for something that the server does by itself.
func (s *server) becomes(what string, is func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("it does not happen that %s; the log:\n%s", what, s.out)
		}
	}
}

// tools are the names of the tools and their descriptions.
func (s *server) tools() map[string]string {
	s.t.Helper()
	res, err := http.Post(s.address+"/mcp", "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var list struct {
		Result struct {
			Tools []struct{ Name, Description string }
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil {
		s.t.Fatal(err)
	}
	described := map[string]string{}
	for _, t := range list.Result.Tools {
		described[t.Name] = t.Description
	}
	return described
}

// seats makes a table of the house rules with two players, and starts the game if it is to.
func (s *server) seats(start bool) []*client.Agent {
	s.t.Helper()
	ann := s.agent("ann", map[string]any{"rules": "test/house", "seats": 2, "dice": 5, "public": false})
	bob := &client.Agent{Client: ann.Client, Name: "bob", Rand: ann.Rand}
	if err := bob.Join(s.t.Context(), ann.Table); err != nil {
		s.t.Fatal(err)
	}
	if start {
		if err := ann.Start(s.t.Context(), 0); err != nil {
			s.t.Fatal(err)
		}
	}
	return []*client.Agent{ann, bob}
}

// fold has whoever's turn it is fold, and gives the dice that this costs.
func (s *server) fold(pair []*client.Agent) (cost int) {
	s.t.Helper()
	for _, a := range pair {
		before, err := a.Look(s.t.Context(), 0)
		if err != nil {
			s.t.Fatal(err)
		}
		if !before.YourTurn {
			continue
		}
		var after client.State
		if err := a.Client.Call(s.t.Context(), "fold", map[string]any{"token": a.Token}, &after); err != nil {
			s.t.Fatal(err)
		}
		a.Receipts = append(a.Receipts, after.Receipt)
		return before.Seats[a.Seat].DiceLeft - after.Seats[a.Seat].DiceLeft
	}
	s.t.Fatal("it is nobody's turn")
	return 0
}

// end plays a game of two to its end and verifies its record, which must be of the rules given.
func (s *server) end(pair []*client.Agent, by *rules.File) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 2*time.Minute)
	defer cancel()
	other := make(chan error, 1)
	go func() {
		_, err := pair[1].Play(ctx, nil)
		other <- err
	}()
	s.finish(pair[0], nil)
	if err := <-other; err != nil {
		s.t.Error(err)
	}
	text, err := pair[0].Client.Record(ctx, pair[0].Table)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := verifyRecord(text, slices.Concat(pair[0].Receipts, pair[1].Receipts), s.t.Logf); err != nil {
		s.t.Error(err)
	}
	first, err := record.Parse(record.Line(strings.SplitN(string(text), "\n", 2)[0]))
	if err != nil {
		s.t.Fatal(err)
	}
	if open := first.Body.(record.Open); open.Rules.SHA256 != by.Digest || open.Rules.Text != string(by.Text) {
		s.t.Errorf("the record of table %s is of the rules %s, want %s", pair[0].Table, open.Rules.SHA256, by.Digest)
	}
}

// TestRulesChange changes a folder of rule files under a server with games in progress: a table keeps the rules it was made with,
// also one that has not begun, whatever becomes of their file, and through a kill.
func TestRulesChange(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "house.yaml")
	one, two := house(t, "1"), house(t, "2")
	put(t, file, one.Text)
	s := startServer(t, filepath.Join(t.TempDir(), "data"), "", "--rules", dir)
	old, waiting := s.seats(true), s.seats(false)

	put(t, file, two.Text)
	s.becomes("the game has new rules", func() bool { return strings.Contains(s.tools()["fold"], "costs 2 of your dice") })
	changed := s.seats(true)
	if cost := s.fold(old); cost != 1 {
		t.Errorf("at the table made before the change fold costs %d dice, want 1", cost)
	}
	if cost := s.fold(changed); cost != 2 {
		t.Errorf("at the table made after the change fold costs %d dice, want 2", cost)
	}

	// A file that is not right: all goes on as it was, and the operator reads where and why.
	put(t, file, []byte(strings.Replace(string(two.Text), "lose(me, 2)", "loose(me, 2)", 1)))
	s.becomes("the server is degraded", func() bool { return strings.Contains(s.health(), `"status":"degraded"`) })
	if h := s.health(); !strings.Contains(h, `"file":"house.yaml"`) || !strings.Contains(h, "loose") || strings.Contains(h, dir) {
		t.Errorf("healthz says %s", h)
	}
	if !s.logs("a rule file is not taken") || !s.logs(file+":") {
		t.Errorf("the log does not tell of the file:\n%s", s.out)
	}
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if !s.logs("rule files were read again") {
		t.Errorf("the log does not tell of the signal:\n%s", s.out)
	}
	if cost := s.fold(s.seats(true)); cost != 2 {
		t.Errorf("with a bad file fold costs %d dice at a new table, want 2", cost)
	}

	// Killed with the bad file in place, and started again: the game is off the offer, and its tables go on.
	s.signal(syscall.SIGKILL)
	s = startServer(t, s.data, strings.TrimPrefix(s.address, "http://"), "--rules", dir)
	if h := s.health(); !strings.Contains(h, `"file":"house.yaml"`) {
		t.Errorf("after the start healthz says %s", h)
	}
	if cost := s.fold(old); cost != 1 {
		t.Errorf("after a kill fold costs %d dice at the old table, want 1", cost)
	}
	var refusal *client.Refusal
	if err := old[0].Client.Call(t.Context(), "create_table", map[string]any{"rules": "test/house"}, nil); !errors.As(err, &refusal) ||
		!strings.HasPrefix(refusal.Sentence, "rules must be liars-dice/standard") {
		t.Errorf("a table of a game that is not on offer: %v", err)
	}

	// Put right, at once by a signal.
	if err := os.WriteFile(file, two.Text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	s.becomes("the server is well", func() bool { return strings.Contains(s.health(), `"status":"ok"`) })
	s.becomes("the game is back", func() bool { return strings.Contains(s.tools()["fold"], "costs 2") })

	// Taken away: no new tables, and the running ones keep their tool for as long as there is one.
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	s.becomes("the game is off the offer", func() bool { return !strings.Contains(s.tools()["create_table"], "test/house") })
	if h := s.health(); !strings.Contains(h, `"status":"ok"`) {
		t.Errorf("without the file healthz says %s", h)
	}
	if err := waiting[0].Start(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if cost := s.fold(waiting); cost != 1 {
		t.Errorf("at the table that waited through all of it fold costs %d dice, want 1", cost)
	}
	s.end(old, one)
	s.end(waiting, one)
	if _, ok := s.tools()["fold"]; !ok {
		t.Error("the tool is gone before the last game that has it")
	}
	s.end(changed, two)
}

// A server with nothing to read again takes the signal as well, and a config file that has become bad changes nothing.
func TestSignals(t *testing.T) {
	t.Parallel()
	config := filepath.Join(t.TempDir(), "dudo.yaml")
	put(t, config, []byte("rules: [board/nim]\n"))
	s := startServer(t, filepath.Join(t.TempDir(), "data"), "", "--config", config)
	hup := func() {
		t.Helper()
		if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	offered := func(game string) func() bool {
		return func() bool { return strings.Contains(s.tools()["create_table"], game) }
	}
	if !offered("board/nim")() || offered("dice/pig")() {
		t.Errorf("at the start create_table is %s", s.tools()["create_table"])
	}
	put(t, config, []byte("rules: [dice/pig]\n"))
	hup()
	s.becomes("the config's other game is on offer", offered("dice/pig"))
	put(t, config, []byte("rules: [dice/pig\n"))
	hup()
	if !s.logs("the settings stay as they were") {
		t.Errorf("the log does not tell of the bad config:\n%s", s.out)
	}
	put(t, config, []byte("rules: [dice/pig, dice/none]\ntables: 5\n"))
	hup()
	s.becomes("the server is degraded", func() bool { return strings.Contains(s.health(), `"file":"none"`) })
	if !s.logs("they count from the next start on") || !offered("dice/pig")() {
		t.Errorf("the log does not tell of the other settings:\n%s", s.out)
	}
	s.signal(syscall.SIGTERM)
	s.checkNothingLeft()
}
