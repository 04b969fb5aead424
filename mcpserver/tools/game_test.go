package tools_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"dudo.example/core/record"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
	"dudo.example/mcpserver/tools"
)

// library is what a server offers whose operator says nothing.
func library(t *testing.T) []tables.Ruleset {
	t.Helper()
	files, err := rulebook.Offer(nil)
	if err != nil {
		t.Fatal(err)
	}
	return rulebook.Rulesets(files)
}

func realLobby(t *testing.T, sets []tables.Ruleset) *tables.Lobby {
	t.Helper()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := tables.New(t.Context(), tables.Config{
		Store: record.NewMemory(time.Now), Rules: sets, LoadRules: rulebook.Load, Key: key, Origin: "dudo.example",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return l
}

// TestLibrary has the rule files that the server ships with: every text fits, and the first thing said is how to play.
func TestLibrary(t *testing.T) {
	sets := library(t)
	s := serve(t, realLobby(t, sets))
	text := instructionsOf(t, s)
	if len(text) >= 2048 || strings.Contains(text, "…") || !strings.HasPrefix(text, "To play: join_table") || !strings.Contains(text, "ones not wild") {
		t.Errorf("instructions of %d bytes:\n%s", len(text), text)
	}
	for _, tool := range listOf(t, s).Tools {
		if len(tool.Description) > tools.MaxDescription {
			t.Errorf("the description of %s has %d bytes", tool.Name, len(tool.Description))
		}
	}
	table, err := tools.Markdown(sets, nil)
	if err != nil || !strings.Contains(table, "\n| `bid` | `token`, `quantity` 1–42, `face` 1–6, `say`?, `on`? |") {
		t.Errorf("Markdown: %v\n%s", err, table)
	}
}

type state struct {
	Table, Token, Status, Next, Receipt string

	N        int64
	Seat     int
	YourTurn bool `json:"your_turn"`
	Places   []int
	Legal    struct {
		Bid       map[int][2]int
		Challenge *struct{}
	}
}

// read calls a tool that has to succeed.
func (s *site) read(t *testing.T, tool, args string) state {
	t.Helper()
	got := s.call(t, tool, args)
	if got.isError {
		t.Fatalf("%s: %s", tool, got.text)
	}
	var st state
	if err := json.Unmarshal([]byte(got.text), &st); err != nil {
		t.Fatal(err)
	}
	return st
}

// TestGame plays a whole game with two agents that know nothing but what the tools answer. Now and then one tries what it
// may not do, and reads a sentence that holds neither its token nor its words.
func TestGame(t *testing.T) {
	s := serve(t, realLobby(t, library(t)))
	rnd := rand.New(rand.NewPCG(1, 2))
	table := s.read(t, "create_table", `{"rules":"liars-dice/standard","seats":"2","dice":2.0,"turn_seconds":120,"public":false}`).Table
	var tokens []string
	for _, name := range []string{"ann", "bob"} {
		st := s.read(t, "join_table", fmt.Sprintf(`{"name":%q,"table":%q,"nonce":"kettle"}`, name, table))
		if st.Seat != len(tokens) || st.Receipt == "" || st.Next == "" {
			t.Fatalf("join_table: %+v", st)
		}
		tokens = append(tokens, st.Token)
	}
	refuse := func(tool, args, code string) {
		t.Helper()
		got := s.call(t, tool, args)
		if !got.isError || got.code != code || strings.Contains(got.raw, "hidden words") ||
			slices.ContainsFunc(tokens, func(token string) bool { return strings.Contains(got.raw, token) }) {
			t.Fatalf("%s: got %s, want %s", tool, got.raw, code)
		}
	}
	refuse("join_table", fmt.Sprintf(`{"name":"Ann","table":%q}`, table), "name_taken")
	refuse("join_table", fmt.Sprintf(`{"name":"eve","table":%q}`, table), "table_full")
	refuse("bid", fmt.Sprintf(`{"token":%q,"quantity":1,"face":1}`, tokens[0]), "not_started")
	refuse("get_state", fmt.Sprintf(`{"token":"%sx"}`, tokens[0]), "unknown_token")
	s.read(t, "start_game", fmt.Sprintf(`{"token":%q}`, tokens[1]))
	refuse("start_game", fmt.Sprintf(`{"token":%q}`, tokens[1]), "already_started")

	for range 200 {
		for seat, token := range tokens {
			st := s.read(t, "get_state", fmt.Sprintf(`{"token":%q}`, token))
			if st.Status == "over" {
				if len(st.Places) != 2 || st.Places[0]+st.Places[1] != 3 {
					t.Errorf("places %v, want 1 and 2", st.Places)
				}
				if strings.Contains(s.log.String(), tokens[0]) || strings.Contains(s.log.String(), tokens[1]) {
					t.Error("a token is in the log")
				}
				return
			}
			if !st.YourTurn {
				continue
			}
			refuse("bid", fmt.Sprintf(`{"token":%q,"quantity":30,"face":6,"say":"hidden words"}`, token), "bad_argument")
			refuse("bid", fmt.Sprintf(`{"token":%q,"quantity":1,"face":6,"say":"hidden words\n"}`, token), "bad_text")
			refuse("challenge", fmt.Sprintf(`{"token":%q}`, tokens[1-seat]), "not_your_turn")
			if st.Legal.Challenge != nil && (len(st.Legal.Bid) == 0 || rnd.IntN(3) == 0) {
				s.read(t, "challenge", fmt.Sprintf(`{"token":%q,"say":"<liar>","on":%d}`, token, st.N))
				continue
			}
			faces := slices.Sorted(maps.Keys(st.Legal.Bid))
			face := faces[rnd.IntN(len(faces))]
			s.read(t, "bid", fmt.Sprintf(`{"token":%q,"quantity":"%d","face":%d.0,"on":%d}`, token, st.Legal.Bid[face][0], face, st.N))
		}
	}
	t.Error("the game did not end")
}
