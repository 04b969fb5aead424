package tables_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
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
	t     *testing.T
	store *record.Memory
	cfg   tables.Config
	*tables.Lobby
}

// open makes a lobby on an in-memory store. It is closed when the test, or its synctest bubble, ends.
func open(t *testing.T, limits tables.Limits) *room {
	t.Helper()
	store := record.NewMemory(time.Now)
	r := &room{t: t, store: store, cfg: tables.Config{
		Store: store, Rules: []tables.Ruleset{rulebook.Ruleset(standard(t))}, Key: key, Origin: "dudo.example",
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

func TestAGame(t *testing.T) {
	r := open(t, tables.Limits{})
	ctx := t.Context()
	table, tokens := r.sit(tables.Settings{Options: map[string]int{"dice": 1}, Seats: 2}, "ann", "bob")

	s := r.ok(r.State(ctx, home, look(tokens[0])))
	if !s.YourTurn || len(s.You.Dice) != 1 || s.Round != 1 || s.Next != "Your turn: open the round with bid." {
		t.Errorf("the opener's state is %+v", s)
	}
	r.refused("not_your_turn")(r.Act(ctx, tokens[1], -1, bid(1, 1)))
	r.refused("illegal_move")(r.Act(ctx, tokens[0], -1, challenge))
	r.refused("bad_argument")(r.Act(ctx, tokens[0], -1, bid(3, 1)))
	move := bid(2, 6)
	move.Say = "  I am sure "
	made := r.ok(r.Act(ctx, tokens[0], s.N, move))
	if made.Receipt == "" || made.YourTurn || made.Standing == nil || made.Standing.Quantity != 2 {
		t.Errorf("the answer to a bid is %+v", made)
	}
	r.refused("not_your_turn")(r.Act(ctx, tokens[0], -1, bid(2, 6)))

	other := r.ok(r.State(ctx, home, look(tokens[1])))
	if other.Next != "Your turn: 2 × 6 cannot be raised; call it with challenge." || len(other.Legal) != 1 || len(other.Talk) != 1 {
		t.Errorf("the second player's state is %+v", other)
	}
	r.refused("moved_on")(r.Act(ctx, tokens[1], other.N-1, challenge))
	end := r.ok(r.Act(ctx, tokens[1], other.N, challenge))
	if end.Status != "over" || len(end.Places) != 2 || end.Seed == "" || end.Record != "/record/"+table || end.LastShowdown == nil {
		t.Errorf("the end is %+v", end)
	}
	r.refused("game_over")(r.Act(ctx, tokens[0], -1, bid(1, 1)))
	spectator := r.ok(r.State(ctx, home, tables.Look{Table: strings.ToLower(table), Since: -1}))
	if spectator.Status != "over" || spectator.You != nil {
		t.Errorf("the spectator's state is %+v", spectator)
	}
	file, err := r.Record(ctx, table)
	if err != nil {
		t.Fatal(err)
	}
	last, err := record.Parse(file.Lines[len(file.Lines)-1])
	if err != nil || last.Body.Type() != "end" {
		t.Errorf("the record ends with %s (%v)", file.Lines[len(file.Lines)-1], err)
	}
	receipt, err := record.ParseReceipt(file.Receipt)
	if err != nil || !receipt.Verify(key.Public().(ed25519.PublicKey), "dudo.example", spectatorGID(t, file)) {
		t.Errorf("the record's receipt does not verify (%v)", err)
	}
	if file.Receipt != end.Receipt {
		t.Error("the record's receipt is another than the last move's")
	}
}

func spectatorGID(t *testing.T, f record.File) string {
	t.Helper()
	e, err := record.Parse(f.Lines[0])
	if err != nil {
		t.Fatal(err)
	}
	return e.Body.(record.Open).GID
}

func TestRefusals(t *testing.T) {
	r := open(t, tables.Limits{})
	ctx := t.Context()
	r.refused("no_such_rules")(r.Create(ctx, home, tables.Settings{Rules: "liars-dice/none"}))
	r.refused("bad_setting")(r.Create(ctx, home, tables.Settings{Seats: 7}))
	r.refused("bad_setting")(r.Create(ctx, home, tables.Settings{TurnSeconds: 19}))
	r.refused("bad_setting")(r.Create(ctx, home, tables.Settings{TurnSeconds: 121}))
	r.refused("bad_setting")(r.Create(ctx, home, tables.Settings{Options: map[string]int{"dice": 6}}))
	r.refused("bad_setting")(r.Create(ctx, home, tables.Settings{Options: map[string]int{"jokers": 1}}))
	r.refused("no_such_table")(r.Join(ctx, home, tables.Join{Name: "ann", Table: "ZZZZ"}))
	r.refused("no_such_table")(r.Join(ctx, home, tables.Join{Name: "ann", Table: "../../etc/passwd"}))
	r.refused("no_such_table")(r.State(ctx, home, tables.Look{Table: "ZZZZ", Since: -1}))
	r.refused("no_such_table")(r.State(ctx, home, tables.Look{Table: strings.Repeat("Z", 1000), Since: -1}))
	r.refused("unknown_token")(r.State(ctx, home, look("nobody's")))
	r.refused("unknown_token")(r.Act(ctx, "nobody's", -1, challenge))
	r.refused("unknown_token")(r.Start(ctx, "nobody's", nil, ""))

	table := r.ok(r.Create(ctx, home, tables.Settings{Seats: 2})).Table
	ann := r.ok(r.Join(ctx, home, tables.Join{Name: "ann", Table: table})).Token
	r.refused("not_started")(r.Act(ctx, ann, -1, challenge))
	r.refused("need_players")(r.Start(ctx, ann, nil, ""))
	r.refused("no_such_bot")(r.Start(ctx, ann, []string{"croupier"}, ""))
	r.refused("name_taken")(r.Join(ctx, home, tables.Join{Name: "Ann", Table: table}))
	r.ok(r.State(ctx, home, tables.Look{Token: ann, Since: -1, Nonce: "mine"}))
	r.refused("nonce_given")(r.State(ctx, home, tables.Look{Token: ann, Since: -1, Nonce: "again"}))
	r.ok(r.Join(ctx, home, tables.Join{Name: "bob", Table: table}))
	r.refused("table_full")(r.Join(ctx, home, tables.Join{Name: "cid", Table: table}))
	r.ok(r.Start(ctx, ann, nil, ""))
	r.refused("already_started")(r.Start(ctx, ann, nil, ""))
	r.refused("already_started")(r.Join(ctx, home, tables.Join{Name: "cid", Table: table}))
	r.refused("already_started")(r.State(ctx, home, tables.Look{Token: ann, Since: -1, Nonce: "late"}))
}

func TestQuickMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		private := r.ok(r.Create(ctx, home, tables.Settings{Private: true})).Table
		a := r.ok(r.Join(ctx, home, tables.Join{Name: "ann"}))
		if a.Table == private {
			t.Error("quick match found a private table")
		}
		time.Sleep(time.Second)
		b := r.ok(r.Join(ctx, home, tables.Join{Name: "bob"}))
		if b.Table != a.Table || b.Seat != 1 {
			t.Errorf("bob sits at %s, seat %d; want %s, seat 1", b.Table, b.Seat, a.Table)
		}
		again := r.ok(r.Join(ctx, home, tables.Join{Name: "ann"}))
		if again.Table == a.Table {
			t.Error("a second ann was put beside the first")
		}
		c := r.ok(r.Join(ctx, home, tables.Join{Name: "cid"}))
		if c.Table != a.Table {
			t.Error("quick match did not find the oldest table")
		}
		time.Sleep(3 * time.Minute) // nobody is there any more
		d := r.ok(r.Join(ctx, home, tables.Join{Name: "dan"}))
		if d.Table == a.Table || d.Table == again.Table {
			t.Error("quick match found a table that nobody had touched for three minutes")
		}
		r.ok(r.State(ctx, home, look(a.Token))) // ann is back
		if e := r.ok(r.Join(ctx, home, tables.Join{Name: "eve"})); e.Table != a.Table {
			t.Error("quick match did not find the table that was touched again")
		}
	})
}

func TestClockRunsWithoutRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		table, tokens := r.sit(tables.Settings{TurnSeconds: 20, Options: map[string]int{"dice": 3}}, "ann", "bob", "cid")
		time.Sleep(19 * time.Second)
		synctest.Wait()
		if s := r.ok(r.State(ctx, home, look(tokens[0]))); s.Round != 1 || s.TurnMSLeft != 1000 {
			t.Errorf("after 19 of 20 seconds: round %d, %d ms left; want 1, 1000", s.Round, s.TurnMSLeft)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		s := r.ok(r.State(ctx, home, look(tokens[0])))
		if s.Round != 2 || s.Seats[0].DiceLeft != 2 || s.Turn != 0 {
			t.Errorf("after the clock: round %d, %d dice, turn %d; want 2, 2, 0", s.Round, s.Seats[0].DiceLeft, s.Turn)
		}
		time.Sleep(21 * time.Second)
		synctest.Wait()
		if s := r.ok(r.State(ctx, home, look(tokens[0]))); s.Seats[0].DiceLeft != 0 || s.Turn != 1 {
			t.Errorf("after two clocks in a row: %d dice, turn %d; want 0, 1", s.Seats[0].DiceLeft, s.Turn)
		}
		time.Sleep(2 * time.Minute) // bob is out too, and cid wins
		synctest.Wait()
		if s := r.ok(r.State(ctx, home, tables.Look{Table: table, Since: -1})); s.Status != "over" || fmt.Sprint(s.Places) != "[3 2 1]" {
			t.Errorf("nobody plays on: %s, places %v; want over, [3 2 1]", s.Status, s.Places)
		}
	})
}

func TestLateMoveIsRefusedAndNeverLandsInTheNextRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		_, tokens := r.sit(tables.Settings{TurnSeconds: 20}, "ann", "bob")
		s := r.ok(r.State(ctx, home, look(tokens[0])))
		time.Sleep(20*time.Second + 500*time.Millisecond)
		r.refused("moved_on")(r.Act(ctx, tokens[0], -1, bid(1, 1)))
		r.refused("moved_on")(r.Act(ctx, tokens[0], s.N, bid(1, 1)))
		if s := r.ok(r.State(ctx, home, look(tokens[0]))); s.Round != 2 || s.Standing != nil {
			t.Errorf("round %d with standing bid %v, want round 2 and none", s.Round, s.Standing)
		}
		r.ok(r.Act(ctx, tokens[0], -1, bid(1, 1))) // made for the round that it saw
	})
}

func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		table, tokens := r.sit(tables.Settings{}, "ann", "bob")
		before := r.ok(r.State(ctx, home, look(tokens[1])))
		got := make(chan answer)
		began := time.Now()
		go func() {
			got <- r.ok(r.State(ctx, home, tables.Look{Token: tokens[1], Since: before.N, Wait: tables.MaxWait}))
		}()
		time.Sleep(5 * time.Second)
		r.ok(r.Act(ctx, tokens[0], -1, bid(1, 4)))
		if s := <-got; !s.YourTurn || len(s.Bids) != 1 || s.You != nil || time.Since(began) != 5*time.Second {
			t.Errorf("woken after %v with %+v; want 5s, a turn and one bid", time.Since(began), s)
		}

		began = time.Now()
		s := r.ok(r.State(ctx, home, tables.Look{Token: tokens[0], Since: 100, Wait: 7 * time.Second}))
		if s.YourTurn || time.Since(began) != 7*time.Second {
			t.Errorf("an empty wait took %v, your_turn %t", time.Since(began), s.YourTurn)
		}
		o, err := r.State(ctx, home, tables.Look{Token: tokens[0], Since: s.N, Wait: time.Second})
		if text, _ := json.Marshal(o); err != nil || len(text) >= 400 {
			t.Errorf("an empty wait is answered with %d bytes (%v), want less than 400: %s", len(text), err, text)
		}

		gone, cancel := context.WithCancel(ctx)
		go func() {
			_, err := r.State(gone, home, tables.Look{Table: table, Since: s.N, Wait: tables.MaxWait})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("a waiter that hung up got %v", err)
			}
			got <- answer{}
		}()
		synctest.Wait()
		began = time.Now()
		cancel()
		if <-got; time.Since(began) != 0 {
			t.Error("a waiter that hung up was kept")
		}

		stop := make(chan struct{})
		go func() {
			got <- r.ok(r.State(ctx, home, tables.Look{Table: table, Since: s.N, Wait: tables.MaxWait, Stop: stop}))
		}()
		synctest.Wait()
		close(stop)
		if <-got; time.Since(began) != 0 {
			t.Error("a waiter was kept through a shutdown")
		}
	})
}

// fullStore refuses appends while it is full, and takes its time.
type fullStore struct {
	*record.Memory
	full  atomic.Bool
	tries atomic.Int64 // while it is full
	wait  atomic.Int64 // a time.Duration, for the next append only
}

func (s *fullStore) AppendPrivate(ctx context.Context, table string, after record.Rev, lines []record.Line, private map[string][]byte) (record.Rev, error) {
	time.Sleep(time.Duration(s.wait.Swap(0)))
	if s.full.Load() {
		s.tries.Add(1)
		return 0, fmt.Errorf("%w: a test", record.ErrFull)
	}
	return s.Memory.AppendPrivate(ctx, table, after, lines, private)
}

// A full disk refuses what needs room and costs nobody anything: neither a die while it lasts, nor a game across a restart.
func TestFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		store := &fullStore{Memory: r.store}
		r.stop()
		r.cfg.Store = store
		r.start()
		ctx := t.Context()
		_, tokens := r.sit(tables.Settings{TurnSeconds: 20}, "ann", "bob")
		store.full.Store(true)
		r.refused("server_full")(r.Act(ctx, tokens[0], -1, bid(1, 1)))
		r.refused("server_full")(r.Create(ctx, home, tables.Settings{}))
		time.Sleep(time.Minute)
		r.stop()
		r.start()
		if s := r.ok(r.State(ctx, home, look(tokens[0]))); s.Status != "live" || s.Seats[0].DiceLeft != 3 {
			t.Errorf("after a minute and a restart without room: %s, %d dice", s.Status, s.Seats[0].DiceLeft)
		}
		time.Sleep(time.Minute)
		store.full.Store(false)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		s := r.ok(r.State(ctx, home, look(tokens[0])))
		if s.Seats[0].DiceLeft != 3 || s.TurnMSLeft < 18_000 {
			t.Errorf("when there is room again: %d dice, %d ms left, want 3 and nearly 20 s", s.Seats[0].DiceLeft, s.TurnMSLeft)
		}
		r.ok(r.Act(ctx, tokens[0], -1, bid(1, 1)))
		time.Sleep(21 * time.Second)
		synctest.Wait()
		if s := r.ok(r.State(ctx, home, look(tokens[1]))); s.Seats[1].DiceLeft != 2 {
			t.Errorf("the clock does not run again: %d dice", s.Seats[1].DiceLeft)
		}
	})
}

// A table that expires while nothing can be stored tries again once a second, and says so once.
func TestExpiryOnAFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var logs bytes.Buffer
		r := open(t, tables.Limits{})
		store := &fullStore{Memory: r.store}
		r.stop()
		r.cfg.Store, r.cfg.Log = store, slog.New(slog.NewTextHandler(&logs, nil))
		r.start()
		table := r.ok(r.Create(t.Context(), home, tables.Settings{})).Table
		store.full.Store(true)
		time.Sleep(31 * time.Minute)
		if n := store.tries.Load(); n < 30 || n > 70 {
			t.Errorf("%d appends were tried in the minute after the table had expired, want one a second", n)
		}
		store.full.Store(false)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if s := r.ok(r.State(t.Context(), home, tables.Look{Table: table, Since: -1})); s.Reason != "expired" {
			t.Errorf("when there is room again the table is %s (%s)", s.Status, s.Reason)
		}
		if n := strings.Count(logs.String(), "level=ERROR"); n != 1 {
			t.Errorf("%d errors were logged, want 1:\n%s", n, &logs)
		}
	})
}

// Receipts and records of a table that another key opened are not signed: the record names that key.
func TestAnotherKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		table, tokens := r.sit(tables.Settings{}, "ann", "bob")
		r.stop()
		r.cfg.Key = ed25519.NewKeyFromSeed([]byte("another server's key for tests. "))
		r.start()
		if s := r.ok(r.Act(ctx, tokens[0], -1, bid(1, 1))); s.Receipt != "" {
			t.Errorf("the receipt is %q", s.Receipt)
		}
		f, err := r.Record(ctx, table)
		if err != nil || f.Receipt != "" {
			t.Errorf("the record's receipt is %q (%v)", f.Receipt, err)
		}
	})
}

// A disk that sleeps longer than a turn, like a machine that does, costs nobody a die.
func TestSlowDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		store := &fullStore{Memory: r.store}
		r.stop()
		r.cfg.Store = store
		r.start()
		ctx := t.Context()
		_, tokens := r.sit(tables.Settings{TurnSeconds: 20}, "ann", "bob")
		store.wait.Store(int64(30 * time.Second))
		r.ok(r.Act(ctx, tokens[0], -1, bid(1, 1)))
		synctest.Wait()
		s := r.ok(r.State(ctx, home, look(tokens[1])))
		if s.Seats[1].DiceLeft != 3 || s.TurnMSLeft < 19_000 || !s.YourTurn {
			t.Errorf("after 30 s of the disk bob has %d dice and %d ms, want 3 and 20 s", s.Seats[1].DiceLeft, s.TurnMSLeft)
		}
	})
}

// Players who come at the same moment find each other.
func TestQuickMatchTogether(t *testing.T) {
	r := open(t, tables.Limits{})
	codes := make(chan string)
	for i := range 6 {
		go func() {
			o, err := r.Join(context.Background(), home, tables.Join{Name: fmt.Sprintf("agent%c", 'a'+i)})
			if err != nil {
				t.Error(err)
			}
			codes <- text(o, "table")
		}()
	}
	seen := map[string]bool{}
	for range 6 {
		seen[<-codes] = true
	}
	if len(seen) != 1 {
		t.Errorf("six players at once were put at %d tables", len(seen))
	}
}

func TestWaiterLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{TableWaiters: 3, AddrWaiters: 2, Waiters: 4})
		table, tokens := r.sit(tables.Settings{}, "ann", "bob")
		other, _ := r.sit(tables.Settings{}, "ann", "bob")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		addr := func(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}) }
		wait := func(a netip.Addr) {
			go func() { _, _ = r.State(ctx, a, tables.Look{Table: table, Since: 99, Wait: tables.MaxWait}) }()
			synctest.Wait()
		}
		blocked := tables.Look{Token: tokens[1], Since: -1, Wait: time.Second}
		wait(addr(1))
		wait(addr(1))
		r.refused("too_many_waiters")(r.State(ctx, addr(1), blocked))
		wait(addr(2))
		r.refused("too_many_waiters")(r.State(ctx, addr(3), blocked))
		r.ok(r.State(ctx, addr(3), look(tokens[1]))) // without waiting it is answered
		elsewhere := tables.Look{Table: other, Since: 99, Wait: tables.MaxWait}
		go func() { _, _ = r.State(ctx, addr(3), elsewhere) }()
		synctest.Wait()
		r.refused("too_many_waiters")(r.State(ctx, addr(4), elsewhere)) // four wait in all
		cancel()
		synctest.Wait()
		r.ok(r.State(t.Context(), addr(1), blocked))
	})
}

func TestTableLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{Tables: 3, NewPerAddr: 2})
		ctx := t.Context()
		other := netip.MustParseAddr("10.0.0.1")
		r.ok(r.Create(ctx, home, tables.Settings{}))
		r.ok(r.Create(ctx, home, tables.Settings{}))
		r.refused("too_many_new_tables")(r.Create(ctx, home, tables.Settings{}))
		time.Sleep(5 * time.Minute)
		r.ok(r.Create(ctx, home, tables.Settings{}))
		r.refused("too_many_tables")(r.Create(ctx, other, tables.Settings{}))
		time.Sleep(26 * time.Minute) // the first two expire after 30
		synctest.Wait()
		r.ok(r.Create(ctx, other, tables.Settings{}))
		r.ok(r.Create(ctx, other, tables.Settings{}))
		r.refused("too_many_tables")(r.Create(ctx, home, tables.Settings{}))
	})
}

func TestExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		unstarted := r.ok(r.Create(ctx, home, tables.Settings{}))
		time.Sleep(29 * time.Minute)
		r.ok(r.Join(ctx, home, tables.Join{Name: "ann", Table: unstarted.Table}))
		time.Sleep(29 * time.Minute)
		synctest.Wait()
		if s := r.ok(r.State(ctx, home, tables.Look{Table: unstarted.Table, Since: -1})); s.Status != "open" {
			t.Errorf("29 minutes after somebody joined the table is %s", s.Status)
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		s := r.ok(r.State(ctx, home, tables.Look{Table: unstarted.Table, Since: -1}))
		if s.Status != "over" || s.Reason != "expired" || s.Seed == "" {
			t.Errorf("after 31 minutes the table is %s (%s)", s.Status, s.Reason)
		}
		time.Sleep(7*24*time.Hour - 2*time.Minute)
		synctest.Wait()
		if _, err := r.Record(ctx, unstarted.Table); err != nil {
			t.Errorf("a minute before seven days the record is gone: %v", err)
		}
		time.Sleep(2 * time.Minute)
		if _, err := r.Record(ctx, unstarted.Table); err == nil {
			t.Error("after seven days the record is still there")
		}
		r.refused("no_such_table")(r.State(ctx, home, tables.Look{Table: unstarted.Table, Since: -1}))
	})
}

func TestFinishedTablesAreLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		table, tokens := r.sit(tables.Settings{Options: map[string]int{"dice": 1}}, "ann", "bob")
		r.ok(r.Act(ctx, tokens[0], -1, bid(2, 6)))
		r.ok(r.Act(ctx, tokens[1], -1, challenge))
		r.ok(r.State(ctx, home, look(tokens[0])))
		time.Sleep(6 * time.Minute)
		synctest.Wait()
		r.refused("unknown_token")(r.State(ctx, home, look(tokens[0])))
		if s := r.ok(r.State(ctx, home, tables.Look{Table: table, Since: -1})); s.Status != "over" || len(s.Places) != 2 {
			t.Errorf("from the store the table is %+v", s)
		}
	})
}

func TestRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		_, tokens := r.sit(tables.Settings{TurnSeconds: 60}, "ann", "bob")
		waiting := r.ok(r.Create(ctx, home, tables.Settings{}))
		cid := r.ok(r.Join(ctx, home, tables.Join{Name: "cid", Table: waiting.Table}))
		r.ok(r.Act(ctx, tokens[0], -1, bid(1, 4)))
		before := r.ok(r.State(ctx, home, look(tokens[1])))
		time.Sleep(50 * time.Second)
		r.stop()
		time.Sleep(10 * time.Minute) // nobody pays for that
		r.start()
		after := r.ok(r.State(ctx, home, look(tokens[1])))
		if after.TurnMSLeft != 60_000 || !after.YourTurn || fmt.Sprint(after.You, after.Standing) != fmt.Sprint(before.You, before.Standing) {
			t.Errorf("after the restart %+v, before %+v", after, before)
		}
		if after.N != before.N+1 {
			t.Errorf("event %d, want one more than %d: the resume", after.N, before.N)
		}
		r.ok(r.Act(ctx, tokens[1], -1, challenge))
		r.ok(r.Join(ctx, home, tables.Join{Name: "dan", Table: waiting.Table}))
		r.ok(r.Start(ctx, cid.Token, nil, ""))

		// A running table keeps the rules it was made with, whatever is on offer now.
		r.stop()
		other := standard(t)
		set, err := rulebook.Load(strings.Replace(string(other.Text), "default: 3", "default: 4", 1))
		if err != nil {
			t.Fatal(err)
		}
		r.cfg.Rules = []tables.Ruleset{set}
		r.start()
		if s := r.ok(r.State(ctx, home, look(tokens[0]))); s.Status != "live" {
			t.Errorf("after the rules were changed the table is %s", s.Status)
		}
	})
}

// A table whose log cannot be decided again is ended, so that its seed is known, and the others go on.
func TestRestartWithATableThatCannotGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		bad, badTokens := r.sit(tables.Settings{}, "ann", "bob")
		_, tokens := r.sit(tables.Settings{}, "ann", "bob")
		r.stop()
		lines := 0
		for _, err := range r.store.Read(ctx, bad, 0) {
			if err != nil {
				t.Fatal(err)
			}
			lines++
		}
		stray := record.Event{N: int64(lines), T: time.Now().UnixMilli(), Body: record.Act{Seat: 1, Action: "challenge"}}
		if _, err := r.store.Append(ctx, bad, record.Rev(lines), []record.Line{stray.Encode()}); err != nil {
			t.Fatal(err)
		}
		r.start()
		r.refused("unknown_token")(r.State(ctx, home, look(badTokens[0])))
		r.ok(r.Act(ctx, tokens[0], -1, bid(1, 1)))
		file, err := r.Record(ctx, bad)
		if err != nil {
			t.Fatal(err)
		}
		if last := file.Lines[len(file.Lines)-1]; !strings.Contains(string(last), `"reason":"abandoned"`) {
			t.Errorf("the log of the broken table ends with %s", last)
		}
	})
}

// Finished public tables are listed after a restart too, the latest first.
func TestListAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, tables.Limits{})
		ctx := t.Context()
		var played []string
		for range 3 {
			table, tokens := r.sit(tables.Settings{Options: map[string]int{"dice": 1}}, "ann", "bob")
			r.ok(r.Act(ctx, tokens[0], -1, bid(2, 6)))
			r.ok(r.Act(ctx, tokens[1], -1, challenge))
			played = append([]string{table}, played...)
			time.Sleep(time.Second)
		}
		for range 2 {
			o, err := r.List(ctx)
			if err != nil {
				t.Fatal(err)
			}
			var listed []string
			list, _ := o.Get("tables")
			for _, s := range list.([]record.Value) {
				listed = append(listed, text(s.(tables.Object), "table"))
			}
			if fmt.Sprint(listed) != fmt.Sprint(played) {
				t.Errorf("listed %v, want %v", listed, played)
			}
			r.stop()
			r.start()
		}
	})
}

func TestListShowsNoPrivateTable(t *testing.T) {
	r := open(t, tables.Limits{})
	ctx := t.Context()
	private := r.ok(r.Create(ctx, home, tables.Settings{Private: true})).Table
	public := r.ok(r.Create(ctx, home, tables.Settings{})).Table
	o, err := r.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(o)
	if strings.Contains(string(text), private) || !strings.Contains(string(text), public) {
		t.Errorf("the list is %s", text)
	}
	if len(private) < 16 {
		t.Errorf("a private code of %d characters has less than 80 bits", len(private))
	}
}

// Every code that can be given out is found again, typed small or large.
func TestCodesAreFound(t *testing.T) {
	r := open(t, tables.Limits{NewPerAddr: 100})
	for i := range 60 {
		code := r.ok(r.Create(t.Context(), home, tables.Settings{Private: i%2 == 0})).Table
		r.ok(r.State(t.Context(), home, tables.Look{Table: strings.ToLower(code), Since: -1}))
	}
}
