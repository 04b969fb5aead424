package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"dudo.example/core/record"
	"dudo.example/mcpserver/client"
	"dudo.example/plugins/bot"
)

// listener is a bot that writes down, beside its program, all that it is told.
type listener struct{ to *os.File }

func listen() {
	to, err := os.OpenFile(os.Args[0]+".heard", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		os.Exit(1)
	}
	bot.Serve(bot.Info{Name: "listener", Version: "1"}, func(s bot.SeatInfo) bot.Player {
		_, _ = fmt.Fprintf(to, "%q\n", fmt.Sprint(s))
		return listener{to}
	})
}

func (l listener) Decide(_ context.Context, v bot.View) (bot.Move, error) {
	l.hear(v)
	return v.Legal()[len(v.Legal())-1], nil
}

func (l listener) hear(v bot.View) { _, _ = l.to.Write(append(v.JSON, '\n')) }

func (l listener) Observe(v bot.View) { l.hear(v) }

// secret is something that must not be found, in any of the ways that it could be written.
type secret struct {
	what  string
	forms [][]byte
}

// newSecret takes a secret of random bytes.
func newSecret(what string, raw []byte) secret {
	s := secret{what: what, forms: [][]byte{raw}}
	for _, text := range []string{
		hex.EncodeToString(raw), strings.ToUpper(hex.EncodeToString(raw)), base64.RawStdEncoding.EncodeToString(raw),
		base64.RawURLEncoding.EncodeToString(raw), fmt.Sprint(raw),
	} {
		s.forms = append(s.forms, []byte(text))
	}
	return s
}

// leaks names the secrets that a text holds.
func leaks(text []byte, secrets []secret) (found []string) {
	for _, s := range secrets {
		for _, form := range s.forms {
			if bytes.Contains(text, form) {
				found = append(found, s.what)
				break
			}
		}
	}
	return found
}

// The search finds what it looks for, however it is written.
func TestLeaksAreFound(t *testing.T) {
	raw := []byte("a secret of thirty-two bytes, ok")
	for i, form := range newSecret("it", raw).forms {
		text := append(append([]byte("before"), form...), "after"...)
		if got := leaks(text, []secret{newSecret("it", raw)}); len(got) != 1 {
			t.Errorf("form %d: found %v", i, got)
		}
	}
	if got := leaks([]byte("nothing"), []secret{newSecret("it", raw)}); got != nil {
		t.Errorf("found %v in nothing", got)
	}
}

const secretGames = 100

// After 100 games over HTTP with bots, at the most talkative log level, no token stands in logs, metrics, records, what bots are told
// or the data folder; no seed or key of a hand in logs, metrics or what bots are told while a game runs; and no hand in logs and metrics.
func TestSecrets(t *testing.T) {
	t.Parallel()
	bots := t.TempDir()
	ears := filepath.Join(bots, "dudo-bot-listener")
	linkSelf(t, ears)
	admin := freeAddress(t)
	s := startServer(t, filepath.Join(t.TempDir(), "data"), "", "--plugins", bots, "--admin", admin, "--log-level", "debug", "--log-format", "json")

	var mu sync.Mutex
	var tokens []secret
	var games []secret // seeds and keys of hands
	var records [][]byte
	var players sync.WaitGroup
	next := make(chan int)
	for range 4 {
		players.Go(func() {
			c := client.New(s.address, 1)
			defer c.Close()
			for i := range next {
				a := &client.Agent{Client: c, Name: "ann", Rand: rand.New(rand.NewPCG(uint64(i), 7))}
				text, err := secretGame(t, a, i)
				if err != nil {
					t.Errorf("game %d: %v", i, err)
					continue
				}
				token, err := base64.RawURLEncoding.DecodeString(a.Token)
				if err != nil {
					t.Errorf("game %d: token: %v", i, err)
				}
				secrets := secretsOf(t, text)
				mu.Lock()
				tokens = append(tokens, newSecret(fmt.Sprintf("the token of game %d", i), token))
				games = append(games, secrets...)
				records = append(records, text)
				mu.Unlock()
			}
		})
	}
	for i := range secretGames {
		next <- i
	}
	close(next)
	players.Wait()

	res, err := http.Get("http://" + admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil || len(metrics) == 0 {
		t.Fatalf("metrics: %d bytes, %v", len(metrics), err)
	}
	s.signal(syscall.SIGTERM)
	heard, err := os.ReadFile(ears + ".heard")
	if err != nil {
		t.Fatal(err)
	}
	logs := []byte(s.out.String())
	t.Logf("%d games, %d tokens, %d seeds and keys; looked through %d bytes of log, %d of metrics, %d of records, %d that a bot heard",
		len(records), len(tokens), len(games), len(logs), len(metrics), len(bytes.Join(records, nil)), len(heard))
	if len(tokens) != secretGames || len(heard) == 0 || len(games) < 5*secretGames {
		t.Fatal("there was too little to look for")
	}

	for _, look := range []struct {
		where string
		text  []byte
		what  []secret
	}{
		{"the log", logs, slices.Concat(tokens, games)},
		{"metrics", metrics, slices.Concat(tokens, games)},
		{"what a bot heard while games ran", whileRunning(heard), games},
		{"what a bot heard", heard, tokens},
		{"records", bytes.Join(records, nil), tokens},
		{"the data folder", folder(t, s.data), tokens},
	} {
		for _, found := range leaks(look.text, look.what) {
			t.Errorf("%s holds %s", look.where, found)
		}
	}
	if hand := regexp.MustCompile(`\[[1-6]([ ,]+[1-6])*\]|"dice":|dice=`).Find(logs); hand != nil {
		t.Errorf("the log holds what looks like a hand: %s", hand)
	}
	if hand := bytes.Index(metrics, []byte("hand")); hand >= 0 {
		t.Errorf("metrics tell of hands: %.80s", metrics[hand:])
	}
	checkHeard(t, heard)
}

// secretGame plays one game against two bots, looks at the record before the end, and gives the record.
func secretGame(t *testing.T, a *client.Agent, i int) ([]byte, error) {
	t.Helper()
	ctx := t.Context()
	var made struct{ Table string }
	if err := a.Client.Call(ctx, "create_table", map[string]any{"seats": 3, "dice": 2, "public": i%2 == 0}, &made); err != nil {
		return nil, err
	}
	if err := a.Join(ctx, made.Table); err != nil {
		return nil, err
	}
	if err := a.Client.Call(ctx, "start_game", map[string]any{"token": a.Token, "bots": []string{"listener", "croupier"}}, &struct{}{}); err != nil {
		return nil, err
	}
	running, err := a.Client.Record(ctx, a.Table)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(running, []byte(`"seed"`)) && !bytes.Contains(running, []byte(`"type":"end"`)) {
		t.Errorf("game %d: the record of a running game holds a seed", i)
	}
	if _, err := a.Play(ctx, nil); err != nil {
		return nil, err
	}
	return a.Client.Record(ctx, a.Table)
}

// secretsOf gives what a game keeps to itself while it runs: the seed, and the key of every hand.
func secretsOf(t *testing.T, text []byte) []secret {
	t.Helper()
	f, err := record.ReadFile(bytes.NewReader(text))
	if err != nil {
		t.Error(err)
		return nil
	}
	var secrets []secret
	var gid string
	for _, line := range f.Lines {
		e, err := record.Parse(line)
		if err != nil {
			t.Error(err)
			return nil
		}
		switch b := e.Body.(type) {
		case record.Open:
			gid = b.GID
		case record.Show:
			for _, k := range b.Keys {
				secrets = append(secrets, hexSecret(t, fmt.Sprintf("the key of a hand of seat %d of %s", k.Owner, gid), k.Value))
			}
		case record.End:
			secrets = append(secrets, hexSecret(t, "the seed of "+gid, b.Seed))
		}
	}
	return secrets
}

func hexSecret(t *testing.T, what, text string) secret {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != 32 {
		t.Errorf("%s is %q", what, text)
	}
	return newSecret(what, raw)
}

// whileRunning leaves out what was heard of games that were over.
func whileRunning(heard []byte) []byte {
	var running []byte
	for line := range bytes.Lines(heard) {
		if !bytes.Contains(line, []byte(`"status":"over"`)) {
			running = append(running, line...)
		}
	}
	return running
}

// checkHeard wants the bot to have been told of no dice but its own.
func checkHeard(t *testing.T, heard []byte) {
	t.Helper()
	views := 0
	for line := range bytes.Lines(heard) {
		var v struct {
			You   struct{ Seat int }
			Seats []map[string]any
		}
		if line[0] != '{' {
			continue
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		views++
		for _, seat := range v.Seats {
			if _, ok := seat["dice"]; ok {
				t.Errorf("seat %d is told the dice of seat %v", v.You.Seat, seat["seat"])
			}
		}
	}
	if views < secretGames {
		t.Errorf("%d views were heard", views)
	}
}

// folder is all files of a folder but the server's key.
func folder(t *testing.T, path string) (all []byte) {
	t.Helper()
	err := filepath.WalkDir(path, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "server.key" {
			return err
		}
		text, err := os.ReadFile(path)
		all = append(all, text...)
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d bytes in the data folder, %v", len(all), err)
	}
	return all
}
