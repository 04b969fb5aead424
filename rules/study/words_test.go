package study_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dudo.example/core/machine"
	"dudo.example/rules/study"
)

// A position of the standard game in words: what a seat sees, what a spectator sees, all there is, and what a move made public.
func TestWords(t *testing.T) {
	g, err := read(t, "standard.yaml").Compile(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := g.NewPosition()
	if err != nil {
		t.Fatal(err)
	}
	for k := 0; p.Turn().Actor == machine.Chance; k = (k + 1) % 6 { // 1, 2, 3 and 4, 5, 6
		if err := p.Draw(k); err != nil {
			t.Fatal(err)
		}
	}
	before := []string{"dice_left: 3, 3", "missed: 0, 0", "place: 0, 0"}
	after := []string{"turn: seat 0", "standing: seat none; quantity 0; face 0"}
	for _, tt := range []struct {
		who string
		got []string
		own string
	}{
		{"seat 0", study.Seen(p, 0), "dice: [1 2 3], hidden"},
		{"seat 1", study.Seen(p, 1), "dice: hidden, [4 5 6]"},
		{"a spectator", study.Seen(p, machine.None), "dice: hidden, hidden"},
		{"nobody in particular", study.Whole(p), "dice: [1 2 3], [4 5 6]"},
	} {
		if diff := cmp.Diff(slices.Concat(before, []string{tt.own}, after), tt.got); diff != "" {
			t.Errorf("what %s sees: want -, got +\n%s", tt.who, diff)
		}
	}
	for seat, move := range [][]int{{2, 1}, nil} {
		name := [2]string{"bid", "challenge"}[seat]
		m, err := p.Move(name, move...)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Act(seat, m); err != nil {
			t.Fatal(err)
		}
	}
	want := "dice of seat 0 [1 2 3], dice of seat 1 [4 5 6], bid seat 0, bid quantity 2, bid face 1, found 1, loser seat 0"
	if got := strings.Join(study.Told(p), ", "); got != want {
		t.Errorf("told: %s, want %s", got, want)
	}
}
