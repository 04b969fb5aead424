package verifier_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"dudo.example/core/record"
	"dudo.example/verifier"
	"dudo.example/verifier/internal/hostile"
)

// Whatever the bytes, a verdict or an error comes back, and never by way of a panic. What is verified is canonical: it can be
// written again from its lines.
func FuzzVerify(f *testing.F) {
	paths, err := filepath.Glob(rejectFolder + "/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if r, err := readReject(text); err == nil && len(r.record) < 20_000 {
			f.Add(r.record)
		}
	}
	for _, s := range bases {
		f.Add(sign(playGame(f, s)))
	}
	v := newVerifier(f, verifier.Options{Key: public()})
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := v.Verify(bytes.NewReader(text))
		var fault *verifier.Fault
		if errors.As(err, &fault) {
			t.Fatalf("%v\n%s", fault, fault.Stack)
		}
		if err != nil || !r.Verified() {
			return
		}
		again, err := record.ReadFile(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("a verified record cannot be read: %v", err)
		}
		if got := file(again); !bytes.Equal(got, text) {
			t.Errorf("a verified record is written as %q", got)
		}
	})
}

// Lines of records in another order, doubled and left out, in which the chain and receipt are made anew: what one of the
// lines says can be the first thing that another is asked about.
func FuzzLines(f *testing.F) {
	var all []record.Line
	for _, lines := range shortGames(f) {
		all = append(all, lines...)
	}
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
	f.Add([]byte{0, 2, 4, 6, 0, 33, 34, 33})
	v := newVerifier(f, verifier.Options{Key: public()})
	f.Fuzz(func(t *testing.T, picks []byte) {
		if len(picks) > 60 {
			return
		}
		d := newDraft(t, nil)
		for _, k := range picks {
			o, err := record.ParseObject(all[int(k)%len(all)])
			if err != nil {
				t.Fatal(err)
			}
			d.lines = append(d.lines, o)
		}
		if len(d.lines) > 0 {
			d.renumber()
		}
		_, err := v.Verify(bytes.NewReader(d.file()))
		var fault *verifier.Fault
		if errors.As(err, &fault) {
			t.Fatalf("%v\n%s", fault, fault.Stack)
		}
	})
}

// A stranger's rules are compiled and played under limits, whatever they say.
func FuzzRules(f *testing.F) {
	short, _, _ := strings.Cut(standardText(f), "\nexamples:")
	f.Add(short)
	f.Add(hostile.Rules("", "{into: x, from: [0, 5]}", "          - emit: {a: x}\n          - goto: deal"))
	f.Add(hostile.Rules("  y: {each: seat, list: 4, of: [1, 6], see: owner}",
		"{into: y, each: seat, count: '2', from: [1, 6], sort: yes}", "          - reveal: y\n          - set: {x: 'x + len(y)'}"))
	lines := playGame(f, setting{seed: "rules", seats: 2, nonces: []string{"a"}, timeout: true, close: 12})
	v := newVerifier(f, verifier.Options{Key: public()})
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 20_000 || !utf8.ValidString(text) {
			return
		}
		d := newDraft(t, lines)
		digest := sha256.Sum256([]byte(text))
		d.put(0, "rules.text", text)
		d.put(0, "rules.sha256", hex.EncodeToString(digest[:]))
		if _, game, ok := strings.Cut(text, "\ngame: "); ok {
			game, _, _ = strings.Cut(game, "\n")
			d.put(0, "rules.game", game)
		}
		if !strings.Contains(text, "dice:") {
			d.put(0, "options", record.Object{})
		}
		start := time.Now()
		_, err := v.Verify(bytes.NewReader(d.file()))
		var fault *verifier.Fault
		if errors.As(err, &fault) {
			t.Fatalf("%v\n%s", fault, fault.Stack)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("verification took %v", took)
		}
	})
}
