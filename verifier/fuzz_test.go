package verifier_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"reflect"
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
	for _, g := range hostile.Games() {
		if len(g.Rules) < 4000 {
			f.Add(g.Rules)
		}
	}
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

// What is read as a statement does not contradict itself, and keeps to the limits of a record.
func FuzzStatement(f *testing.F) {
	for _, s := range bases {
		lines := playGame(f, s)
		f.Add(sign(lines))
		f.Add(sign(lines[:3]))
		f.Add([]byte(text(lines)))
		f.Add([]byte(`{"gid":"ZCLP-0A1B2C3D","key":"` + record.KeyText(public()) + `","origin":"` + origin + `","receipt":"` +
			receipt(serverKey, origin, "ZCLP-0A1B2C3D", lines, 4).String() + "\"}\n"))
	}
	f.Add([]byte(`{"receipt":"0.a.b"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := verifier.ReadStatement(bytes.NewReader(text))
		if err != nil {
			return
		}
		if len(s.Lines) > record.MaxLines || len(text) > record.MaxRecord || s.Receipt.N < int64(len(s.Lines)-1) {
			t.Errorf("%d lines and a receipt of event %d were read from %d bytes", len(s.Lines), s.Receipt.N, len(text))
		}
		var no *verifier.NoContradiction
		if _, err := verifier.Contradict(s, s); !errors.As(err, &no) {
			t.Errorf("a statement contradicts itself: %v", err)
		}
	})
}

// Pins are what they are written as.
func FuzzPins(f *testing.F) {
	const key = "1qredKTRIo7nq8E16gz62Po1hNrqWroszoiB8qtUeik"
	f.Add("# servers\n\ndudo.example " + key + "\r\n\texample.org\t" + key)
	f.Add("dudo.example " + key + "\ndudo.example " + key)
	f.Add("127.0.0.1:8787 " + key + "\n\x00")
	f.Fuzz(func(t *testing.T, text string) {
		pins, err := verifier.ReadPins(strings.NewReader(text))
		if err != nil {
			return
		}
		var b strings.Builder
		for origin, keys := range pins {
			for _, key := range keys {
				if !strings.Contains(text, origin) || !strings.Contains(text, record.KeyText(key)) {
					t.Errorf("%q gives the pin %s of %s", text, record.KeyText(key), origin)
				}
				b.WriteString(origin + " " + record.KeyText(key) + "\n")
			}
		}
		if again, err := verifier.ReadPins(strings.NewReader(b.String())); err != nil || !reflect.DeepEqual(again, pins) {
			t.Errorf("%q gives %v, which is read as %v, %v", text, pins, again, err)
		}
	})
}
