package verifier_test

import (
	"testing"

	"dudo.example/verifier"
)

func TestHonestGames(t *testing.T) {
	v := newVerifier(t, verifier.Options{Key: public()})
	for name, s := range bases {
		r := verify(t, v, sign(playGame(t, s)))
		if !r.Verified() {
			t.Errorf("%s: %v", name, r.Failure)
		}
	}
}
