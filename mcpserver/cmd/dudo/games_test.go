package main

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dudo.example/mcpserver/client"
	"dudo.example/plugins/bot"
	"dudo.example/rules"
)

// TestEveryGame plays every game that ships on the real server, one player and the house bots, and verifies its record. The player
// knows nothing but what legal says, and takes its chances out of turn as well.
func TestEveryGame(t *testing.T) {
	t.Parallel()
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, f := range files {
		if !f.InFamily() {
			named = append(named, f.Game)
		}
	}
	s := startServer(t, filepath.Join(t.TempDir(), "data"), "", "--rules", strings.Join(named, ","))
	for _, f := range files {
		t.Run(f.Game, func(t *testing.T) {
			settings := map[string]any{"rules": f.Game, "public": false}
			if f.Game == "liars-dice/perudo" {
				settings["options"] = map[string]any{"spot_on_by": 2}
			}
			a := s.agent("ann", settings)
			if err := a.Start(t.Context(), min(2, f.MaxSeats-1)); err != nil {
				t.Fatal(err)
			}
			s.playAny(t, a, f)
			text, err := a.Client.Record(t.Context(), a.Table)
			if err != nil {
				t.Fatal(err)
			}
			if err := verifyRecord(text, a.Receipts, t.Logf); err != nil {
				t.Error(err)
			}
		})
	}
	if strings.Contains(s.out.String(), "a bot did not move") {
		t.Errorf("a bot did not know what to do:\n%s", s.out)
	}
	s.signal(syscall.SIGTERM)
	s.checkNothingLeft()
}

// playAny plays a game to its end with whatever is legal.
func (s *server) playAny(t *testing.T, a *client.Agent, f *rules.File) {
	t.Helper()
	params := map[string][]string{}
	for _, action := range f.Actions() {
		params[action.Name] = []string{}
		for _, p := range action.Params {
			params[action.Name] = append(params[action.Name], p.Name)
		}
	}
	rnd := rand.New(rand.NewPCG(8, 9))
	state := func(tool string, args map[string]any) (view bot.View, receipt string) {
		t.Helper()
		args["token"] = a.Token
		var raw json.RawMessage
		var refusal *client.Refusal
		err := a.Client.Call(t.Context(), tool, args, &raw)
		if errors.As(err, &refusal) && (refusal.Code == "moved_on" || refusal.Code == "not_your_turn" || refusal.Code == "game_over") {
			err = a.Client.Call(t.Context(), "get_state", map[string]any{"token": a.Token}, &raw)
		}
		if err != nil {
			t.Fatalf("%s %v: %v", tool, args, err)
		}
		if view, err = bot.ParseView(raw); err != nil {
			t.Fatal(err)
		}
		var made struct{ Receipt string }
		if err := json.Unmarshal(raw, &made); err != nil {
			t.Fatal(err)
		}
		return view.WithActions(params), made.Receipt
	}
	view, _ := state("get_state", map[string]any{})
	for deadline := time.Now().Add(2 * time.Minute); view.Status != "over"; {
		if time.Now().After(deadline) {
			t.Fatalf("the game does not end:\n%s", s.out)
		}
		moves := view.Legal()
		if len(moves) == 0 || (!view.YourTurn && rnd.IntN(3) > 0) {
			view, _ = state("get_state", map[string]any{"wait_seconds": 20})
			continue
		}
		move := moves[rnd.IntN(len(moves))]
		args := map[string]any{}
		for name, value := range move.Args {
			args[name] = value
		}
		var receipt string
		if view, receipt = state(move.Action, args); receipt != "" {
			a.Receipts = append(a.Receipts, receipt)
		}
	}
}
