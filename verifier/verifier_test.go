package verifier_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"dudo.example/core/record"
	"dudo.example/verifier"
)

func TestHonestGames(t *testing.T) {
	v := newVerifier(t, verifier.Options{Key: public()})
	for name, s := range bases {
		if got := outcome(v, sign(playGame(t, s))); got != "verified" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Games of every size that the standard rules allow are verified, whatever the players do.
func TestRandomGames(t *testing.T) {
	v := newVerifier(t, verifier.Options{Key: public()})
	for seats := 2; seats <= 6; seats++ {
		for dice := 1; dice <= 5; dice++ {
			s := setting{
				seed: strings.Repeat("x", seats*10+dice), seats: seats, options: map[string]int{"dice": dice},
				nonces: []string{"a", "", "c"}, timeout: dice%2 == 0, resume: seats%2 == 0, talk: true,
			}
			if got := outcome(v, sign(playGame(t, s))); got != "verified" {
				t.Errorf("%d seats, %d dice: %s", seats, dice, got)
			}
		}
	}
}

func TestReport(t *testing.T) {
	lines := playGame(t, bases["finished"])
	got := verify(t, newVerifier(t, verifier.Options{Key: public()}), sign(lines))
	if got.GID != gid || got.Origin != origin || got.Events != len(lines) || !got.Rules.Known || got.Rules.Options["dice"] != 2 {
		t.Errorf("report of another game: %+v", got)
	}
	players := []verifier.Player{
		{Seat: 0, Name: "ann", Nonce: true, Place: 2},
		{Seat: 1, Name: "bob", Nonce: true, Place: 1},
		{Seat: 2, Name: "croupier", Bot: true, Place: 3},
	}
	if d := cmp.Diff(players, got.Players); d != "" {
		t.Errorf("players (-want +got):\n%s", d)
	}
	var rounds []string
	at := int64(0)
	for _, r := range got.Rounds {
		rounds = append(rounds, r.Text)
		if r.First <= at || r.Last < r.First {
			t.Errorf("round %d goes from event %d to %d, after %d", r.Round, r.First, r.Last, at)
		}
		at = r.Last
	}
	if d := cmp.Diff([]string{
		"croupier ran out of time",
		"croupier challenged 3 × 4 by bob: found 0 × 4, bob lost",
		"croupier challenged 1 × 2 by bob: found 2 × 2, croupier lost",
		"bob challenged 2 × 3 by ann: found 0 × 3, ann lost",
		"bob challenged 1 × 4 by ann: found 0 × 4, ann lost",
	}, rounds); d != "" {
		t.Errorf("rounds (-want +got):\n%s", d)
	}
}

// The two lists say what is known of the record at hand, and no more.
func TestClaims(t *testing.T) {
	const (
		dice    = "by this log, the dice of all deals"
		shipped = "a file that ships"
		custom  = "a custom file"
		own     = "their own nonce"
		signed  = "this is the history that dudo.example signed, up to event"
	)
	const (
		winner   = "who would have won"
		moves    = "that a given player sent a given move"
		operator = "that no operator"
		entropy  = "that the dice of those who gave no nonce"
		versions = "anything at all about other versions"
		later    = "anything about other versions of this log after event 9"
		server   = "that dudo.example has anything to do with this record"
	)
	everybody := bases["finished"]
	everybody.nonces = []string{"a", "b", "c"}
	nobody := bases["finished"]
	nobody.nonces = nil
	other := bases["finished"]
	other.text = standardText(t) + "# changed\n"
	tests := []struct {
		name        string
		game        setting
		key         ed25519.PublicKey
		bare        bool // no receipt in the file
		kept        bool
		proved, not []string
	}{
		{"with the key", bases["finished"], public(), false, false, []string{dice, shipped, own, signed}, []string{moves, operator, entropy, versions}},
		{"with a kept receipt", bases["finished"], public(), false, true, []string{dice, shipped, own, signed}, []string{moves, operator, entropy, later}},
		{"with a kept receipt alone", bases["finished"], public(), true, true, []string{dice, shipped, own, signed}, []string{moves, operator, entropy, later}},
		{"a kept receipt, no key", bases["finished"], nil, false, true, []string{dice, shipped, own}, []string{moves, operator, entropy, server}},
		{"no key", bases["finished"], nil, false, false, []string{dice, shipped, own}, []string{moves, operator, entropy, versions, server}},
		{"no receipt", bases["finished"], nil, true, false, []string{dice, shipped, own}, []string{moves, operator, entropy, versions, server}},
		{"everybody gave a nonce", everybody, public(), false, false, []string{dice, shipped, own, signed}, []string{moves, operator, versions}},
		{"nobody gave a nonce", nobody, public(), false, false, []string{dice, shipped, signed}, []string{moves, operator, entropy, versions}},
		{"custom rules", other, public(), false, false, []string{dice, custom, own, signed}, []string{moves, operator, entropy, versions}},
		{"abandoned", bases["abandoned"], public(), false, false, []string{dice, shipped, own, signed}, []string{winner, moves, operator, entropy, versions}},
		{"never started", bases["expired"], public(), false, false, []string{signed}, []string{winner, moves, operator, versions}},
	}
	all := newVerifier(t, verifier.Options{})
	for _, tt := range tests {
		lines := playGame(t, tt.game)
		o := verifier.Options{Key: tt.key}
		if tt.kept {
			o.Kept = []record.Receipt{receipt(serverKey, origin, gid, lines, 9)}
		}
		text := sign(lines)
		if tt.bare {
			text = file(record.File{Lines: lines})
		}
		r := verify(t, all.With(o), text)
		if !r.Verified() {
			t.Errorf("%s: %v", tt.name, r.Failure)
		}
		match(t, tt.name+", proved", r.Proved, tt.proved)
		match(t, tt.name+", not proved", r.NotProved, tt.not)
	}
}

func match(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %q, want %q", what, got, want)
		return
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("%s: %q, want %q in it", what, got[i], want[i])
		}
	}
}

// Without a key of the user's anybody can make a record, and the report does not hide it.
func TestForgedKey(t *testing.T) {
	d := newDraft(t, playGame(t, bases["finished"]))
	d.put(0, "key", record.KeyText(otherKey.Public().(ed25519.PublicKey)))
	text := signAs(otherKey, origin, gid, d.log())
	v := newVerifier(t, verifier.Options{})
	r := verify(t, v, text)
	if !r.Verified() || r.Receipt.Checked || !strings.Contains(strings.Join(r.NotProved, "\n"), "has anything to do with this record") {
		t.Errorf("a record of unknown origin: %v, checked %t, not proved %q", r.Failure, r.Receipt.Checked, r.NotProved)
	}
	pinned := v.With(verifier.Options{Pins: verifier.Pins{origin: {public()}}})
	if r := verify(t, pinned, text); r.Verified() || r.Failure.Check != verifier.CheckKey {
		t.Errorf("a record by another key than the pinned one: %v", r.Failure)
	}
}

func TestPinnedKey(t *testing.T) {
	v := newVerifier(t, verifier.Options{Pins: verifier.Pins{origin: {otherKey.Public().(ed25519.PublicKey), public()}, "example.org": {otherKey.Public().(ed25519.PublicKey)}}})
	r := verify(t, v, sign(playGame(t, bases["abandoned"])))
	want := verifier.Receipt{Present: true, N: 15, Checked: true, Key: record.KeyText(public()), KeyFrom: verifier.KeyPinned}
	if d := cmp.Diff(want, r.Receipt); d != "" || !r.Verified() {
		t.Errorf("%v, receipt (-want +got):\n%s", r.Failure, d)
	}
}

func TestReadErrors(t *testing.T) {
	v := newVerifier(t, verifier.Options{})
	broken := errors.New("broken")
	if _, err := v.Verify(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the reader", err)
	}
	if _, err := v.Verify(strings.NewReader("")); !errors.Is(err, verifier.ErrNotRecord) {
		t.Errorf("error %v, want ErrNotRecord", err)
	}
	endless := &endless{}
	if _, err := v.Verify(endless); !errors.Is(err, verifier.ErrTooLarge) || endless.read > 2*record.MaxRecord {
		t.Errorf("error %v after %d bytes, want ErrTooLarge", err, endless.read)
	}
	if r, err := v.Verify(iotest.OneByteReader(bytes.NewReader(sign(playGame(t, bases["expired"]))))); err != nil || !r.Verified() {
		t.Errorf("read byte by byte: %v, %v", r, err)
	}
}

type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	e.read += len(b)
	return len(b), nil
}

var _ io.Reader = (*endless)(nil)

// A verifier is shared, and what it keeps of one record does not show in another.
func TestShared(t *testing.T) {
	v := newVerifier(t, verifier.Options{Key: public()})
	var all sync.WaitGroup
	for i := range 40 {
		s := bases["abandoned"]
		s.text = standardText(t) + strings.Repeat("#", 1+i%20) + "\n" // more rule files than are kept
		text := sign(playGame(t, s))
		all.Go(func() {
			r, err := v.Verify(bytes.NewReader(text))
			if err != nil || !r.Verified() || r.Rules.Known {
				t.Errorf("game %d: %v, %v", i, r, err)
			}
		})
	}
	all.Wait()
}

func TestPlain(t *testing.T) {
	tests := []struct {
		s    string
		most int
		want string
	}{
		{"ann", 3, "ann"},
		{"anna", 3, "ann…"},
		{"süß × 3", 10, "süß × 3"},
		{"a\x1b[31mb", 20, `a\u{1b}[31mb`},
		{"a\nb\tc\x00", 20, `a\u{a}b\u{9}c\u{0}`},
		{"a\u202eb\u200bc\ufeff", 20, `a\u{202e}b\u{200b}c\u{feff}`},
		{"a\xffb", 20, `a\u{fffd}b`},
		{"\U000e0041", 20, `\u{e0041}`},
	}
	for _, tt := range tests {
		if got := verifier.Plain(tt.s, tt.most); got != tt.want {
			t.Errorf("Plain(%q, %d) = %q, want %q", tt.s, tt.most, got, tt.want)
		}
	}
}

// Whatever a stranger calls himself, a report has no control characters in it.
func TestNothingForTheTerminal(t *testing.T) {
	const evil = "\x1b]0;owned\x07\u202e"
	v := newVerifier(t, verifier.Options{})
	lines := playGame(t, bases["finished"])
	for i, line := range lines {
		for path, values := range scalars(t, line) {
			if _, ok := values[0].(string); !ok {
				continue
			}
			d := newDraft(t, lines)
			d.put(i, path, evil)
			r := verify(t, v, d.file())
			said := r.GID + r.Origin + strings.Join(append(r.Proved, r.NotProved...), "")
			if r.Failure != nil {
				said += r.Failure.Error() + r.Failure.Member
			}
			for _, p := range r.Players {
				said += p.Name
			}
			for _, round := range r.Rounds {
				said += round.Text + round.Move
			}
			if strings.ContainsAny(said, "\x1b\x07\u202e") {
				t.Errorf("event %d, %s: the report says %q", i, path, said)
			}
		}
	}
}
