package tables_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
	"dudo.example/rules"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	key  = ed25519.NewKeyFromSeed([]byte("a server's key for tests, 32 B. "))
	home = netip.MustParseAddr("127.0.0.1")
)

// text is a member of an answer that is text.
func text(o tables.Object, name string) string {
	v, _ := o.Get(name)
	s, _ := v.(string)
	return s
}

// room is a lobby with what a test asks of it.
type room struct {
	t     testing.TB
	store *record.Memory
	cfg   tables.Config
	*tables.Lobby
}

// open makes a lobby on an in-memory store. It is closed when the test, or its synctest bubble, ends.
func open(t testing.TB, limits tables.Limits) *room {
	t.Helper()
	return openGame(t, standard(t), limits)
}

// openGame is open with a game of one's own.
func openGame(t testing.TB, f *rules.File, limits tables.Limits) *room {
	t.Helper()
	store := record.NewMemory(time.Now)
	r := &room{t: t, store: store, cfg: tables.Config{
		Store: store, Rules: []tables.Ruleset{rulebook.Ruleset(f)}, Key: key, Origin: "dudo.example",
		LoadRules: rulebook.Load, Limits: limits,
	}}
	r.start()
	t.Cleanup(r.stop)
	return r
}

func (r *room) start() {
	r.t.Helper()
	l, err := tables.New(context.Background(), r.cfg)
	if err != nil {
		r.t.Fatal(err)
	}
	r.Lobby = l
}

func (r *room) stop() {
	r.t.Helper()
	if err := r.Close(context.Background()); err != nil {
		r.t.Error(err)
	}
}

// answer is what tests read of an answer.
type answer struct {
	Table, Token, Receipt, Status, Next, Commit, Seed, Reason, Record string
	N                                                                 int64
	Seat                                                              int
	YourTurn                                                          bool `json:"your_turn"`
	Turn                                                              int
	TurnMSLeft                                                        int64 `json:"turn_ms_left"`
	Round                                                             int
	Places                                                            []int
	You                                                               *struct{ Dice []int }
	Seats                                                             []struct {
		Name     string
		DiceLeft int `json:"dice_left"`
	}
	Standing *struct{ Seat, Quantity, Face int }
	Bids     []struct{ Seat, Quantity, Face int }
	Talk     []struct {
		Seat int
		Text string `json:"untrusted_text"`
	}
	Legal        map[string]json.RawMessage
	LastShowdown *struct{ Found, Loser int } `json:"last_showdown"`
}

// ok reads an answer that must not be an error.
func (r *room) ok(o tables.Object, err error) answer {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
	text, err := json.Marshal(o)
	if err != nil {
		r.t.Fatal(err)
	}
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		r.t.Fatal(err)
	}
	return a
}

// refused checks that an error is a refusal with a code and a sentence.
func (r *room) refused(code string) func(tables.Object, error) {
	return func(_ tables.Object, err error) {
		r.t.Helper()
		var refusal *tables.Refusal
		if !errors.As(err, &refusal) || refusal.Code != code {
			r.t.Errorf("error %v, want the refusal %s", err, code)
			return
		}
		if !strings.HasSuffix(refusal.Sentence, ".") {
			r.t.Errorf("%s: %q is no sentence", code, refusal.Sentence)
		}
	}
}

// sit makes a table of players and starts the game.
func (r *room) sit(s tables.Settings, players ...string) (table string, tokens []string) {
	r.t.Helper()
	ctx := context.Background()
	table = r.ok(r.Create(ctx, home, s)).Table
	for _, name := range players {
		tokens = append(tokens, r.ok(r.Join(ctx, home, tables.Join{Name: name, Table: table, Nonce: "words of " + name})).Token)
	}
	r.ok(r.Start(ctx, tokens[0], nil, ""))
	return table, tokens
}

func bid(quantity, face int) play.Move {
	return play.Move{Action: "bid", Args: []record.Arg{{Name: "quantity", Value: quantity}, {Name: "face", Value: face}}}
}

var challenge = play.Move{Action: "challenge"}

func look(token string) tables.Look { return tables.Look{Token: token, Since: -1} }

func spectatorGID(t *testing.T, f record.File) string {
	t.Helper()
	e, err := record.Parse(f.Lines[0])
	if err != nil {
		t.Fatal(err)
	}
	return e.Body.(record.Open).GID
}
