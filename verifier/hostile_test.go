package verifier_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"strings"
	"testing"
	"time"

	"dudo.example/core/record"
	"dudo.example/verifier"
	"dudo.example/verifier/internal/hostile"
)

func TestHostileRules(t *testing.T) {
	for _, g := range hostile.Games() {
		t.Run(g.Name, func(t *testing.T) {
			o := verifier.Options{Key: hostile.Key().Public().(ed25519.PublicKey)}
			if g.Want == "verified" {
				o.Patience = time.Minute // for slow machines
			}
			text, err := g.Record()
			if err != nil {
				t.Fatal(err)
			}
			v := newVerifier(t, o)
			start := time.Now()
			got := outcome(v, text)
			took := time.Since(start)
			t.Logf("%d bytes, %d lines: %s in %v", len(text), bytes.Count(text, []byte("\n")), got, took)
			if !strings.HasPrefix(got, g.Want) || strings.Contains(got, "fault of the verifier") {
				t.Errorf("got %s, want %s", got, g.Want)
			}
			if took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			if got == "verified" {
				readable(t, text)
			}
		})
	}
}

// readable wants every line to be an event to whoever reads the record without the rules.
func readable(t *testing.T, text []byte) {
	t.Helper()
	f, err := record.ReadFile(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range f.Lines {
		if _, err := record.Parse(line); err != nil {
			t.Fatalf("event %d is verified and is no event: %v", i, err)
		}
	}
}

// A record that takes longer than the verifier is patient gets no verdict.
func TestPatience(t *testing.T) {
	text, err := hostile.Games()[0].Record()
	if err != nil {
		t.Fatal(err)
	}
	v := newVerifier(t, verifier.Options{Patience: time.Nanosecond})
	if _, err := v.Verify(bytes.NewReader(text)); !errors.Is(err, verifier.ErrTooCostly) {
		t.Errorf("error %v, want ErrTooCostly", err)
	}
}

func TestHostileBytes(t *testing.T) {
	v := newVerifier(t, verifier.Options{Key: public()})
	for name, text := range hostile.Bytes() {
		start := time.Now()
		got := outcome(v, text)
		t.Logf("%s: %.80s in %v", name, got, time.Since(start))
		if got == "verified" || strings.Contains(got, "fault of the verifier") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// The verifier in JavaScript comes to the same verdicts about the beginning of each, where this one comes to one.
func TestByHandHostile(t *testing.T) {
	if testing.Short() || !haveNode(t) {
		t.Skip("without Node.js, or in a hurry")
	}
	var records []held
	for name, text := range hostile.Bytes() {
		records = append(records, held{name: name, text: text[:min(len(text), 1<<18)]})
	}
	for _, g := range hostile.Games() {
		g.Moves = 100
		text, err := g.Record()
		if err != nil {
			t.Fatal(err)
		}
		v := newVerifier(t, verifier.Options{})
		if _, err := v.Verify(bytes.NewReader(text)); !errors.Is(err, verifier.ErrTooCostly) {
			records = append(records, held{name: g.Name, text: text})
		}
	}
	compare(t, records, map[string][]verdictByHand{"verify.mjs": runNode(t, records)})
}
