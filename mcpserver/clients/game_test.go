package clients_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"dudo.example/core/record"
	"dudo.example/verifier"
)

// A game is one to be played: who sits at the table and what happens there. The first player makes it start when all are there.
type game struct {
	name    string
	table   map[string]any // arguments of create_table
	players []player
	bots    int
	kill    bool // kill the server in the middle
}

type player struct {
	client  string
	options []string
}

// patience is how long a game may take, with every call of the inspector a process.
const patience = 5 * time.Minute

// play plays a game to its end, verifies its record and gives its text.
func (g game) play(t *testing.T, s *server) []byte {
	t.Helper()
	begin := time.Now()
	arguments := map[string]any{"seats": len(g.players) + g.bots, "public": false}
	for name, value := range g.table {
		arguments[name] = value
	}
	var made struct{ Table string }
	s.call(t, "create_table", arguments, &made)

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var commands []*exec.Cmd
	for i, p := range g.players {
		line := append(command(t, p.client), "-t", made.Table, "-p", "0")
		if i == 0 {
			line = append(line[:len(line)-1], strconv.Itoa(len(g.players)), "-b", strconv.Itoa(g.bots))
		}
		line = append(append(line, p.options...), s.endpoint())
		commands = append(commands, exec.CommandContext(ctx, line[0], line[1:]...))
	}
	var wg sync.WaitGroup
	kept := make([]string, len(commands))
	for i, cmd := range commands {
		wg.Go(func() { kept[i] = result(t, cmd, made.Table) })
	}
	if g.kill {
		s.until(t, made.Table, func(status string, n int64) bool { return status == "live" && n >= 12 })
		s.kill(t)
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
	// Who walked away leaves the game to the clock.
	s.until(t, made.Table, func(status string, _ int64) bool { return status == "over" })
	text := s.record(t, made.Table)
	if g.kill && !bytes.Contains(text, []byte(`"type":"resume"`)) {
		t.Fatal("the game was over before the server came back")
	}
	report := verify(t, text, verifier.Options{Key: s.key(t), Kept: receipts(t, kept)})
	note(t, fmt.Sprintf("%s: %d seats, %d events, %.1f s", t.Name(), len(report.Players), report.Events, time.Since(begin).Seconds()))
	return text
}

// result runs a client and gives the receipt that it kept, empty if it made no move or walked away.
func result(t *testing.T, cmd *exec.Cmd, table string) string {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, stderr.Bytes())
		return ""
	}
	if len(out) == 0 {
		return ""
	}
	code, rest, _ := strings.Cut(string(out), "\n")
	if code != table {
		t.Errorf("%s played at table %q, not at %s", cmd.Args[0], code, table)
	}
	return strings.TrimSpace(rest)
}

// receipts reads those that were kept.
func receipts(t *testing.T, kept []string) (all []record.Receipt) {
	t.Helper()
	for _, text := range kept {
		if text == "" {
			continue
		}
		receipt, err := record.ParseReceipt(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, receipt)
	}
	return all
}

// verify fails the test if the record is not that of a whole game, signed by a server whose key is known, or if a receipt that was
// kept is not of it.
func verify(t *testing.T, text []byte, o verifier.Options) *verifier.Report {
	t.Helper()
	report, err := verifier.Verify(bytes.NewReader(text), o)
	switch {
	case err != nil:
		t.Fatal(err)
	case report.Failure != nil:
		t.Fatalf("the record is refuted: %v", report.Failure)
	case !report.Receipt.Checked:
		t.Fatal("the receipt was not checked")
	case report.Ending == nil || report.Ending.Reason != record.ReasonFinished:
		t.Fatalf("the game ended with %+v", report.Ending)
	}
	return report
}

// note adds a line to the file that PLAYED_GAMES names, where CI looks for what was played.
func note(t *testing.T, line string) {
	t.Helper()
	t.Log(line)
	path := os.Getenv("PLAYED_GAMES")
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintln(f, line); err != nil {
		t.Fatal(err)
	}
}
