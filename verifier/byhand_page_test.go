package verifier_test

import (
	"crypto/ed25519"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dudo.example/core/record"
)

// Every command on the page prints what stands below it; -update writes that anew.
func TestByHandPage(t *testing.T) {
	needs(t, "bash", "jq", "openssl", "awk", "basenc")
	path := filepath.Join(byHandFolder, "README.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range []string{"recordings", "verifier"} {
		at, err := filepath.Abs("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(at, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	var run strings.Builder
	inside, commands := false, 0
	for line := range strings.Lines(string(page)) {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console\n"
		case inside && !strings.HasPrefix(line, "$ "):
			continue // an output
		case inside:
			run.WriteString(line)
			run.WriteString(output(t, folder, line[2:]))
			commands++
			continue
		}
		run.WriteString(line)
	}
	if commands < 20 {
		t.Errorf("%d commands", commands)
	}
	if *update {
		if err := os.WriteFile(path, []byte(run.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(page), run.String()); d != "" {
		t.Errorf("%s (-as it stands +as it runs):\n%s", path, d)
	}
}

func output(t *testing.T, folder, command string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-c", command)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
	if s := string(out); s != "" && !strings.HasSuffix(s, "\n") {
		return s + "\n"
	}
	return string(out)
}

// verify.sh --commands prints every hash as a command, and each prints the same when it is run, also where the record's
// words, and the name of the file, are anything.
func TestByHandCommands(t *testing.T) {
	needs(t, "bash", "jq", "openssl", "awk", "basenc")
	folder := t.TempDir()
	lines := playGame(t, setting{
		seed: "commands", seats: 3, options: map[string]int{"dice": 2}, nonces: []string{"a\x00b\n$(touch pwned)", "", "`touch pwned` 👩‍👩‍👧 '\""}, talk: true,
	})
	d := newDraft(t, lines)
	d.put(0, "origin", "'$(touch${IFS}pwned)'\"`touch${IFS}pwned`\\")
	name := "a game of 'ann' & $(touch pwned).jsonl"
	if err := os.WriteFile(filepath.Join(folder, name), d.file(), 0o600); err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs(filepath.Join(byHandFolder, "verify.sh"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "bash", script, "--commands", "--key", record.KeyText(public()), name)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.HasSuffix(string(out), "the places\n") {
		t.Errorf("it ends with %q", out[max(0, len(out)-80):])
	}
	// The steps between are ticks, and how draws are read.
	var commands, wants []string
	for line := range strings.Lines(string(out)) {
		switch {
		case strings.HasPrefix(line, "$ "):
			commands, wants = append(commands, line[2:]), append(wants, "")
		case strings.HasPrefix(line, "✓ "), strings.HasPrefix(line, "  its bytes"), strings.HasPrefix(line, "verified"):
		default:
			wants[len(wants)-1] += line
		}
	}
	for i, command := range commands {
		if got := output(t, folder, command); got != wants[i] {
			t.Errorf("$ %sprints %swant %s", command, got, wants[i])
		}
	}
	// Seed, rules, two nonces and mixes, every line, three commands and an answer for the receipt; and every hand.
	if least := 1 + 1 + 4 + len(lines) + 4; len(commands) < least+6 {
		t.Errorf("%d commands, want more than %d", len(commands), least)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 4 {
		t.Errorf("%v in the folder, %v; want the game, key.der, message and signature", left, err)
	}
}

// How the two are called: what is not so ends with 2 and a sentence, like a file that cannot be read.
func TestByHandUsage(t *testing.T) {
	needs(t, "bash", "jq", "openssl", "awk", "basenc")
	programs := map[string][]string{"verify.sh": {"bash", filepath.Join(byHandFolder, "verify.sh")}}
	if haveNode(t) {
		programs["cli.mjs"] = []string{"node", "--no-warnings", filepath.Join(byHandFolder, "cli.mjs")}
	}
	game := filepath.Join(gamesFolder, "finished.jsonl")
	tests := []struct {
		args []string
		exit int
		says string // in what it prints
	}{
		{[]string{game}, 0, "verified"},
		{[]string{"--help"}, 0, "--receipt RECEIPT"},
		{nil, 2, "which record?"},
		{[]string{"--nonsense", game}, 2, "--nonsense"},
		{[]string{"--key", "x", game}, 2, "a key is 43 characters of base64url"},
		{[]string{"--key", record.KeyText(public())[:42] + "B", game}, 2, "a key is 43 characters of base64url"},
		{[]string{"--receipt", "1.x.y", game}, 2, "a receipt is a number, a head and a signature"},
		{[]string{"--key", record.KeyText(otherKey.Public().(ed25519.PublicKey)), game}, 1, "another key"},
		{[]string{"testdata/nowhere.jsonl"}, 2, "nowhere.jsonl"},
		{[]string{"testdata"}, 2, "directory"},
		{[]string{"byhand_test.go"}, 2, "this is not a record"},
	}
	for name, program := range programs {
		for _, tt := range tests {
			cmd := exec.CommandContext(t.Context(), program[0], append(program[1:len(program):len(program)], tt.args...)...)
			out, err := cmd.CombinedOutput()
			if exit := exitCode(t, err); exit != tt.exit || !strings.Contains(string(out), tt.says) {
				t.Errorf("%s %q: exit %d, %q; want exit %d and %q", name, tt.args, exit, out, tt.exit, tt.says)
			}
		}
	}
}
