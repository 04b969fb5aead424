package tables_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dudo.example/core/record"
	"dudo.example/mcpserver/tables"
)

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

func TestListShowsNoPrivateTable(t *testing.T) {
	r := open(t, tables.Limits{})
	ctx := t.Context()
	private := r.ok(r.Create(ctx, home, tables.Settings{Private: true})).Table
	public := r.ok(r.Create(ctx, home, tables.Settings{})).Table
	o, err := r.List(ctx, "")
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
