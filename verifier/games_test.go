package verifier_test

import (
	"crypto/ed25519"
	"os"
	"path/filepath"
	"testing"

	"dudo.example/core/record"
	"dudo.example/verifier"
)

const gamesFolder = "testdata/games"

// The folder has the honest games as files, for the command's tests, with their server's key and a receipt that ann kept.
func TestGames(t *testing.T) {
	if *update {
		updateGames(t)
	}
	text, err := os.ReadFile(filepath.Join(gamesFolder, "key"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := record.ParseKey(string(text))
	if err != nil {
		t.Fatal(err)
	}
	v := newVerifier(t, verifier.Options{Key: key})
	for _, name := range []string{"finished", "abandoned", "expired", "take"} {
		text, err := os.ReadFile(filepath.Join(gamesFolder, name+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if got := outcome(v, text); got != "verified" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if text, err = os.ReadFile(filepath.Join(gamesFolder, "running.jsonl")); err != nil {
		t.Fatal(err)
	}
	r := verify(t, v, text)
	if got := verifier.NewVerdict("", r, nil).Verdict; got != verifier.Unfinished || !r.Receipt.Checked || r.Receipt.N != 11 || r.Verified() {
		t.Errorf("a game that is not over is %s: %+v", got, r)
	}
}

// What is wrong with the record of a game that is not over is told all the same.
func TestUnfinished(t *testing.T) {
	lines := playGame(t, bases["finished"])
	other := append([]record.Line{}, lines...)
	other[8] = said(t, lines[8])
	kept := receipt(serverKey, origin, gid, lines, 9)
	tests := []struct {
		name string
		text []byte
		o    verifier.Options
		want string // the check, or that the game is not over
	}{
		{"as it is", sign(lines[:12]), verifier.Options{}, verifier.Unfinished},
		{"with the key", sign(lines[:12]), verifier.Options{Key: public()}, verifier.Unfinished},
		{"with a receipt that was kept", sign(lines[:12]), verifier.Options{Kept: []record.Receipt{kept}}, verifier.Unfinished},
		{"only open", sign(lines[:1]), verifier.Options{}, verifier.Unfinished},
		{"changed since", sign(other[:12]), verifier.Options{Key: public(), Kept: []record.Receipt{kept}}, string(verifier.CheckKept)},
		{"shorter than what was kept", sign(lines[:9]), verifier.Options{Kept: []record.Receipt{kept}}, string(verifier.CheckKept)},
		{"another server's", signAs(otherKey, origin, gid, lines[:12]), verifier.Options{}, string(verifier.CheckTruncated)},
		{"another key is known", sign(lines[:12]), verifier.Options{Key: otherKey.Public().(ed25519.PublicKey)}, string(verifier.CheckKey)},
		{"no receipt", []byte(text(lines[:12])), verifier.Options{}, string(verifier.CheckTruncated)},
		{"no receipt, though the key is known", []byte(text(lines[:12])), verifier.Options{Key: public()}, string(verifier.CheckTruncated)},
		{"the receipt of another event", append([]byte(text(lines[:11])), sign(lines[:12])[len(text(lines[:12])):]...), verifier.Options{}, string(verifier.CheckTruncated)},
		{"changed, the receipt left", append([]byte(text(other[:12])), sign(lines[:12])[len(text(lines[:12])):]...), verifier.Options{}, string(verifier.CheckTruncated)},
		{"something after the receipt", append(sign(lines[:12]), "{}\n"...), verifier.Options{}, string(verifier.CheckTruncated)},
	}
	for _, tt := range tests {
		r := verify(t, newVerifier(t, tt.o), tt.text)
		got := verifier.NewVerdict("", r, nil).Verdict
		if got == verifier.Refuted {
			got = string(r.Failure.Check)
		}
		if got != tt.want {
			t.Errorf("%s: %s (%v), want %s", tt.name, got, r.Failure, tt.want)
		}
	}
}

func updateGames(t *testing.T) {
	t.Helper()
	if err := os.MkdirAll(gamesFolder, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{
		"key":        []byte(record.KeyText(public())),
		"take.jsonl": sign(playGame(t, setting{seed: "take", text: takeRules, seats: 2})),
	}
	for name, s := range bases {
		lines := playGame(t, s)
		files[name+".jsonl"] = sign(lines)
		if name == "finished" {
			files["running.jsonl"] = sign(lines[:12])
			files["receipt"] = []byte(receipt(serverKey, origin, gid, lines, 9).String())
			lines[8] = said(t, lines[8])
			files["other-receipt"] = []byte(receipt(serverKey, origin, gid, lines, 9).String())
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(gamesFolder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// said is a move with something said.
func said(t *testing.T, line record.Line) record.Line {
	t.Helper()
	d := newDraft(t, []record.Line{line})
	d.put(0, "say", "I never said that")
	return d.log()[0]
}
