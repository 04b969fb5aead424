package verifier_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dudo.example/core/deal"
	"dudo.example/core/record"
	"dudo.example/verifier"
)

// An attack is what a lying server does that has its own key: it publishes a record other than the game that was played, or deals
// from a seed that it chose. It makes chain and receipts anew.
type attack struct {
	what string
	// lie is the record that it publishes, from the log of the game that was played.
	lie func(t *testing.T, honest []record.Line) []byte
	// during says that the game itself was played so, and players' receipts are of the lie.
	during bool
	// alone and kept are the checks that notice it: when somebody verifies the record with the server's key, and when a player does
	// who kept the receipt of one answer. "" is nobody.
	alone, kept verifier.Check
	also        string // what else stops it or tells of it
	// proof shows what also says.
	proof func(t *testing.T, honest []record.Line, lie []byte)
}

// played is the game that was played: ann gave a nonce, bob none.
var played = setting{seed: "finished", seats: 4, players: 3, options: map[string]int{"dice": 2}, nonces: []string{"purple otter 41", ""}, timeout: true, talk: true}

// edit changes the log; what follows of itself it leaves as it was.
func edit(change func(d *draft)) func(*testing.T, []record.Line) []byte {
	return func(t *testing.T, honest []record.Line) []byte {
		d := newDraft(t, honest)
		change(d)
		return d.file()
	}
}

// replay plays another game from its beginning, as consistent as the one that was played.
func replayed(change func(s *setting)) func(*testing.T, []record.Line) []byte {
	return func(t *testing.T, _ []record.Line) []byte {
		s := played
		s.nonces = slices.Clone(s.nonces)
		change(&s)
		return sign(playGame(t, s))
	}
}

var attacks = []attack{
	{
		what:   "try seeds before the commitment until a seat is dealt sixes",
		lie:    replayed(func(s *setting) { s.nonces, s.seed = nil, ground(0, nil, 6, 6) }),
		also:   "a seat's own nonce, given after it saw `commit`: its dice are then none that the server has tried",
		during: true,
		proof: func(t *testing.T, _ []record.Line, _ []byte) {
			seed := ground(0, nil, 6, 6)
			sixes := 0
			for i := range 360 {
				hand := firstHand(seed, 0, []deal.Nonce{{Seat: 0, Words: fmt.Sprint("words ", i)}})
				if hand == [2]int{6, 6} {
					sixes++
				}
			}
			if sixes > 30 { // of 10 that chance gives
				t.Errorf("%d of 360 nonces leave the ground hand as it was", sixes)
			}
		},
	},
	{
		what:  "reveal another seed than the one committed to",
		lie:   edit(func(d *draft) { d.put(d.find("end", 0), "seed", deal.Seed(sum("x")).Hex()) }),
		alone: verifier.CheckCommitment, kept: verifier.CheckCommitment,
	},
	{
		what: "swap the seed, the commitment and all that follows",
		lie:  replayed(func(s *setting) { s.seed = "another" }),
		kept: verifier.CheckKept, also: "the `commit` that `join_table` answered",
		proof: func(t *testing.T, honest []record.Line, lie []byte) {
			mine, published := newDraft(t, honest), newDraft(t, logOf(t, lie))
			if mine.get(0, "commit") == published.get(0, "commit") {
				t.Error("the commitments are the same")
			}
		},
	},
	{
		what:  "alter a hand at the showdown",
		lie:   edit(func(d *draft) { i := shown(d); d.put(i, "hands.0", otherDie(d.get(i, "hands.0"))) }),
		alone: verifier.CheckHand, kept: verifier.CheckHand,
	},
	{
		what:  "alter the commitment to a hand",
		lie:   edit(func(d *draft) { d.swap(d.find("deal", 0), "hc.0", "hc.1") }),
		alone: verifier.CheckHC, kept: verifier.CheckHC,
	},
	{
		what: "show a player another hand than it logs",
		lie:  edit(func(*draft) {}),
		also: "the player's own dice held against `dudo-verify --hands`",
		proof: func(t *testing.T, _ []record.Line, lie []byte) {
			r := verify(t, newVerifier(t, verifier.Options{}), lie)
			wasShown := []int{6, 6}
			if dealt := r.Rounds[0].Dealt["dice"][0]; slices.Equal(dealt, wasShown) {
				t.Errorf("the report says %v was dealt, and %v was shown", dealt, wasShown)
			}
		},
	},
	{
		what: "leave a player's nonce out of the dice",
		lie:  replayed(func(s *setting) { s.nonces[0] = "" }),
		kept: verifier.CheckKept, also: "the report, which names whose words are in their dice",
		proof: func(t *testing.T, _ []record.Line, lie []byte) {
			r := verify(t, newVerifier(t, verifier.Options{}), lie)
			if r.Players[0].Nonce || strings.Contains(strings.Join(r.Proved, "\n"), "ann") {
				t.Error("the report says that ann's words are in her dice")
			}
		},
	},
	{
		what:   "steer an honest hand with a late puppet's nonce",
		lie:    replayed(func(s *setting) { s.nonces[1] = "a puppet's words" }),
		during: true, also: "nothing to steer: a hand depends on its own nonce and earlier ones",
		proof: func(t *testing.T, _ []record.Line, _ []byte) {
			mine := deal.Nonce{Seat: 0, Words: "purple otter 41"}
			want := firstHand(played.seed, 0, []deal.Nonce{mine})
			for i := range 100 {
				if got := firstHand(played.seed, 0, []deal.Nonce{mine, {Seat: 1, Words: fmt.Sprint("puppet ", i)}}); got != want {
					t.Fatalf("a later nonce changes the hand from %v to %v", want, got)
				}
			}
		},
	},
	{
		what: "rewrite who said what, or a name, and sign it again",
		lie:  edit(func(d *draft) { d.put(d.find("join", 0), "name", "eve") }),
		kept: verifier.CheckKept,
	},
	{
		what: "sign two histories for two players",
		lie:  edit(func(d *draft) { d.put(d.find("join", 0), "name", "eve") }),
		kept: verifier.CheckKept, also: "`dudo-verify evidence A B` with both",
		proof: func(t *testing.T, honest []record.Line, lie []byte) {
			var s [2]verifier.Statement
			for i, text := range [][]byte{sign(honest), lie} {
				var err error
				if s[i], err = verifier.ReadStatement(bytes.NewReader(text)); err != nil {
					t.Fatal(err)
				}
			}
			if c, err := verifier.Contradict(s[0], s[1]); err != nil || c.Heads[0] == c.Heads[1] {
				t.Errorf("Contradict: %v", err)
			}
		},
	},
	{
		what: "give out the record of an old game",
		lie: func(t *testing.T, _ []record.Line) []byte {
			d := newDraft(t, playGame(t, setting{seed: "old", seats: 3, options: map[string]int{"dice": 2}}))
			return d.file()
		},
		kept: verifier.CheckKept, also: "the game's id, `gid`, of every state",
	},
	{
		what: "give out the record of another table",
		lie: func(t *testing.T, _ []record.Line) []byte {
			d := newDraft(t, playGame(t, bases["expired"]))
			d.put(0, "gid", "KQ7M-0A1B2C3D")
			return d.file()
		},
		kept: verifier.CheckKept, also: "the game's id, `gid`, of every state",
	},
	{
		what:  "cut the record short",
		lie:   edit(func(d *draft) { d.lines = d.lines[:len(d.lines)-3] }),
		alone: verifier.CheckTruncated, kept: verifier.CheckTruncated,
	},
	{
		what: "cut it short and call the game abandoned",
		lie:  replayed(func(s *setting) { s.close = 4 }),
		kept: verifier.CheckKept,
	},
	{
		what: "forge a move in a player's name, and play on from it",
		lie:  replayed(func(s *setting) { s.forge = true }),
		kept: verifier.CheckKept,
	},
	{
		what:  "let a clock run out early",
		lie:   edit(func(d *draft) { i := d.find("timeout", 0); d.add(i, "t", -30_000); d.add(i+1, "t", -30_000) }),
		alone: verifier.CheckEarly, kept: verifier.CheckEarly,
	},
	{
		what:  "accept a move after its deadline",
		lie:   edit(func(d *draft) { late(d, d.find("act", -1), 61_000) }),
		alone: verifier.CheckLate, kept: verifier.CheckLate,
	},
	{
		what:  "change the rules' text",
		lie:   edit(func(d *draft) { d.put(0, "rules.text", d.get(0, "rules.text").(string)+"\n") }),
		alone: verifier.CheckDigest, kept: verifier.CheckDigest,
	},
	{
		what:   "play by other rules and say so in the record",
		lie:    replayed(func(s *setting) { s.custom = true }),
		during: true, also: "the report, which calls them custom rules",
		proof: func(t *testing.T, _ []record.Line, lie []byte) {
			if r := verify(t, newVerifier(t, verifier.Options{}), lie); r.Rules.Known {
				t.Error("the report calls the rules known")
			}
		},
	},
	{
		what:  "change the options",
		lie:   edit(func(d *draft) { d.put(0, "options.dice", int64(3)) }),
		alone: verifier.CheckCount, kept: verifier.CheckCount,
	},
	{
		what:   "call a bot of its own a player",
		lie:    edit(func(d *draft) { d.put(d.find("join", 2), "name", "carol") }),
		during: true, also: "nothing: who sits behind a name is not proved",
	},
	{
		what:  "change the places",
		lie:   edit(func(d *draft) { d.put(d.find("end", 0), "places", []record.Value{int64(1), int64(2), int64(3)}) }),
		alone: verifier.CheckPlaces, kept: verifier.CheckPlaces,
	},
}

func logOf(t *testing.T, text []byte) []record.Line {
	t.Helper()
	f, err := record.ReadFile(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return f.Lines
}

// firstHand is the first hand of two dice of a seat.
func firstHand(seed string, seat int, nonces []deal.Nonce) [2]int {
	stream := deal.NewDealer(deal.Seed(sum(seed)), gid, nonces).Key(1, seat).Stream()
	hand := [2]int{stream.Draw(6) + 1, stream.Draw(6) + 1}
	slices.Sort(hand[:])
	return hand
}

// ground tries seeds until a seat's first hand is as wanted.
func ground(seat int, nonces []deal.Nonce, dice ...int) string {
	for i := 0; ; i++ {
		if seed := fmt.Sprint("ground ", i); firstHand(seed, seat, nonces) == [2]int(dice) {
			return seed
		}
	}
}

// TestAttacks has a server tell every lie, and holds what notices it against the README's table.
func TestAttacks(t *testing.T) {
	honest := playGame(t, played)
	v := newVerifier(t, verifier.Options{})
	mine := receipt(serverKey, origin, gid, honest, newDraft(t, honest).act("bid", -1))
	table := "| a server could | the record with the server's key | with one receipt kept | what else |\n| --- | --- | --- | --- |\n"
	for _, a := range attacks {
		t.Run(a.what, func(t *testing.T) {
			lie, mine := a.lie(t, honest), mine
			if a.during {
				log := logOf(t, lie)
				mine = receipt(serverKey, origin, gid, log, newDraft(t, log).act("bid", -1))
			}
			for _, c := range []struct {
				who  string
				kept []record.Receipt
				want verifier.Check
			}{{"the record alone", nil, a.alone}, {"a kept receipt", []record.Receipt{mine}, a.kept}} {
				r := verify(t, v.With(verifier.Options{Key: public(), Kept: c.kept}), lie)
				got := verifier.Check("")
				if r.Failure != nil {
					got = r.Failure.Check
				}
				if got != c.want {
					t.Errorf("with %s: %q notices, want %q (%v)", c.who, got, c.want, r.Failure)
				}
			}
			if a.proof != nil {
				a.proof(t, honest, lie)
			}
		})
		table += "| " + a.what + " | " + noticed(a.alone) + " | " + noticed(a.kept) + " | " + a.also + " |\n"
	}
	checkREADME(t, "attacks", table)
}

func noticed(c verifier.Check) string {
	if c == "" {
		return "not noticed"
	}
	return "✗ " + string(c)
}

// checkREADME holds a generated part of the README against what it should be; -update writes it anew.
func checkREADME(t *testing.T, name, want string) {
	t.Helper()
	const path = "../README.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	part := regexp.MustCompile(`(?s)(<!-- ` + name + `:[^\n]*-->\n).*?(<!-- /` + name + ` -->)`)
	if !part.Match(text) {
		t.Fatalf("the README has no place for %s", name)
	}
	changed := part.ReplaceAllString(string(text), "${1}"+strings.ReplaceAll(want, "$", "$$")+"${2}")
	switch {
	case changed == string(text):
	case *update:
		if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the README's %s are not those of the test; run: go test ./verifier -run Attacks -update", name)
	}
}
