package verifier_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"strings"
	"testing"
	"time"

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
		})
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
