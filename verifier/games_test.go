package verifier_test

import (
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
