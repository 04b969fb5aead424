package rulebook_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dudo.example/mcpserver/rulebook"
	"dudo.example/rules"
)

// pick is a game of one move, under an id.
func pick(game string) string {
	return `dudo: 1
game: ` + game + `
title: Pick a number
about: The first player picks a number, and that is all.
seats: [1, 2]
state:
  turn: {seat: 0, doc: whose turn it is}
  picked: {int: [0, 9], doc: the number}
start: picking
phases:
  picking:
    turn: turn
    clock: yes
    timeout:
      - end: now
    actions:
      pick:
        doc: Pick a number.
        params:
          number: {int: [1, 9], doc: the number}
        do:
          - set: {picked: number}
          - end: now
result:
  rank: '1'
`
}

// write puts files into a folder and gives it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func games(files []*rules.File) (ids []string) {
	for _, f := range files {
		ids = append(ids, f.Game)
	}
	return ids
}

// family are the games of liar's dice that ship, the standard one first.
func family(t *testing.T) (ids []string, all []*rules.File) {
	t.Helper()
	all, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if f.InFamily() {
			ids = append(ids, f.Game)
		}
	}
	return ids, all
}

func TestOfferOfNothingIsTheFamily(t *testing.T) {
	want, all := family(t)
	files, err := rulebook.Offer(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := games(files); !slices.Equal(got, want) || got[0] != "liars-dice/standard" || !slices.IsSorted(got[1:]) {
		t.Errorf("on offer are %q, want the standard game and then the others of %q", got, want)
	}
	if strings.HasPrefix(all[len(all)-1].Game, "liars-dice/") && len(all) != len(want) {
		t.Error("the games of other families are not the last of the library")
	}
}

func TestOffer(t *testing.T) {
	shipped, all := family(t)
	dir := write(t, map[string]string{"b.yaml": pick("test/b"), "a.yaml": pick("test/a"), "notes.txt": "no rules"})
	other := filepath.Join(write(t, map[string]string{"c.yaml": pick("test/c")}), "c.yaml")
	standard := filepath.Join(write(t, map[string]string{"mine.yaml": string(all[0].Text) + "# mine\n"}), "mine.yaml")
	tests := []struct {
		names []string
		want  []string
	}{
		{[]string{dir}, append([]string{shipped[0], "test/a", "test/b"}, shipped[1:]...)},
		{[]string{dir, filepath.Join(dir, "b.yaml")}, append([]string{"test/b", "test/a"}, shipped...)},
		{[]string{dir, other}, append([]string{"test/c", "test/a", "test/b"}, shipped...)},
		{[]string{filepath.Join(dir, "b.yaml")}, append([]string{"test/b"}, shipped...)},
		{[]string{"liars-dice/standard", dir}, append([]string{"liars-dice/standard", "test/a", "test/b"}, shipped[1:]...)},
		{[]string{standard}, shipped},
	}
	for _, f := range all {
		if !f.InFamily() {
			tests = append(tests, struct{ names, want []string }{[]string{f.Game}, append([]string{f.Game}, shipped...)})
		}
	}
	for _, tt := range tests {
		files, err := rulebook.Offer(tt.names)
		if err != nil {
			t.Errorf("%q: %v", tt.names, err)
			continue
		}
		if got := games(files); !slices.Equal(got, tt.want) {
			t.Errorf("%q offers %q, want %q", tt.names, got, tt.want)
		}
	}
	files, err := rulebook.Offer([]string{standard})
	if err != nil || files[0].Digest == all[0].Digest {
		t.Errorf("a file of the standard game does not stand in its place (%v)", err)
	}
}

func TestOfferRefuses(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": pick("test/a"), "b.yaml": pick("test/a")})
	bad := write(t, map[string]string{"bad.yaml": "dudo: 2\n"})
	tests := []struct {
		name, want string
	}{
		{dir, "the game test/a is in both a.yaml and b.yaml; give one of them another id"},
		{bad, "bad.yaml:1:7: "},
		{"liars-dice/nothing", "no such file or directory; the games that ship are liars-dice/standard"},
	}
	for _, tt := range tests {
		if _, err := rulebook.Offer([]string{tt.name}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
