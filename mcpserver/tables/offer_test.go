package tables_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"dudo.example/core/record"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
	"dudo.example/rules"
)

// edition is the standard game with another file of the same id.
func edition(t *testing.T, name string) tables.Ruleset {
	t.Helper()
	f, err := rules.Parse(name, append([]byte("# "+name+"\n"), standard(t).Text...))
	if err != nil {
		t.Fatal(err)
	}
	return rulebook.Ruleset(f)
}

// digest is that of a table's rules, by its record.
func (r *room) digest(table string) string {
	r.t.Helper()
	file, err := r.Record(r.t.Context(), table)
	if err != nil {
		r.t.Fatal(err)
	}
	e, err := record.Parse(file.Lines[0])
	if err != nil {
		r.t.Fatal(err)
	}
	return e.Body.(record.Open).Rules.SHA256
}

func (r *room) playedSays(want ...tables.Ruleset) {
	r.t.Helper()
	var got, wanted []string
	for _, p := range r.Played() {
		got = append(got, p.SHA256)
	}
	for _, w := range want {
		wanted = append(wanted, w.SHA256)
	}
	if strings.Join(got, " ") != strings.Join(wanted, " ") {
		r.t.Errorf("played besides what is on offer are %q, want %q", got, wanted)
	}
}

func (r *room) changed(want bool) {
	r.t.Helper()
	got := false
	select {
	case <-r.PlayedChanged():
		got = true
	default:
	}
	if got != want {
		r.t.Errorf("it is told that what is played has changed: %v, want %v", got, want)
	}
}

// Tables keep the rules that they were made with while others are on offer, through a restart and to the end.
func TestOffer(t *testing.T) {
	r := open(t, tables.Limits{})
	first, second := r.Rules()[0], edition(t, "second")
	table, tokens := r.sit(tables.Settings{Options: map[string]int{"dice": 1}, Seats: 2}, "ann", "bob")
	waiting := r.ok(r.Create(t.Context(), home, tables.Settings{Seats: 2})).Table
	r.playedSays()
	r.Offer([]tables.Ruleset{second})
	r.playedSays(first)
	r.changed(false)
	made := r.ok(r.Create(t.Context(), home, tables.Settings{})).Table
	if r.digest(made) != second.SHA256 || r.digest(table) != first.SHA256 || r.digest(waiting) != first.SHA256 {
		t.Errorf("the tables are of %s, %s and %s", r.digest(made), r.digest(table), r.digest(waiting))
	}
	// A restart with the other offer: the rules of the log are read once, however many tables have them.
	loads := &atomic.Int64{}
	r.stop()
	r.cfg.Rules = []tables.Ruleset{second}
	r.cfg.LoadRules = func(text string) (tables.Ruleset, error) {
		loads.Add(1)
		return rulebook.Load(text)
	}
	r.start()
	r.playedSays(first)
	if n := loads.Load(); n != 1 {
		t.Errorf("the same rules were loaded %d times for two tables", n)
	}
	ann := r.ok(r.Join(t.Context(), home, tables.Join{Name: "ann", Table: waiting})).Token
	r.ok(r.Join(t.Context(), home, tables.Join{Name: "bob", Table: waiting}))
	r.ok(r.Start(t.Context(), ann, nil, ""))
	r.ok(r.Act(t.Context(), tokens[0], -1, bid(2, 6)))
	if end := r.ok(r.Act(t.Context(), tokens[1], -1, challenge)); end.Status != "over" {
		t.Errorf("the game is %s", end.Status)
	}
	r.changed(true)
	r.playedSays(first) // of the other table
	if r.digest(waiting) != first.SHA256 {
		t.Errorf("the table that waited is of %s", r.digest(waiting))
	}
	// What is on offer again is not only played.
	r.Offer([]tables.Ruleset{second, renamed(first)})
	r.playedSays(first)
	r.Offer([]tables.Ruleset{first})
	r.playedSays(second)
}

// renamed is a ruleset of other bytes.
func renamed(r tables.Ruleset) tables.Ruleset {
	r.Game, r.SHA256 = "test/other", strings.Repeat("0", 64)
	return r
}

// Many tables are made while what is on offer changes; each has rules that were on offer, and plays by them.
func TestOfferWhileTablesAreMade(t *testing.T) {
	r := open(t, tables.Limits{NewPerAddr: 1000})
	editions := []tables.Ruleset{edition(t, "a"), edition(t, "b")}
	known := map[string]bool{editions[0].SHA256: true, editions[1].SHA256: true, r.Rules()[0].SHA256: true}
	stop := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				r.Offer(editions[i%2 : i%2+1])
				_ = r.Played()
			}
		}
	}()
	for range 50 {
		table, tokens := r.sit(tables.Settings{Options: map[string]int{"dice": 1}, Seats: 2}, "ann", "bob")
		if !known[r.digest(table)] {
			t.Errorf("table %s is of rules that were never on offer", table)
		}
		r.ok(r.Act(t.Context(), tokens[0], -1, bid(1, 6)))
		r.ok(r.Act(t.Context(), tokens[1], -1, challenge))
	}
	close(stop)
	<-stopped
}
