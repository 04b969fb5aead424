package study_test

import (
	"slices"
	"strings"
	"testing"

	"dudo.example/rules"
	"dudo.example/rules/study"
)

func compare(t *testing.T, a, b *rules.File, games int) study.Comparison {
	t.Helper()
	c, err := study.Compare(study.Side{Name: "first", File: a}, study.Side{Name: "second", File: b}, games, 1)
	if err != nil {
		t.Fatal(err)
	}
	if c.Positions == 0 || c.Moves == 0 {
		t.Errorf("%d positions and %d moves were compared", c.Positions, c.Moves)
	}
	return c
}

// A game does not differ from itself, nor from itself in other words.
func TestCompareWithItself(t *testing.T) {
	for _, f := range library(t) {
		c := compare(t, f, f, 20)
		if c.Declared != nil || c.Differences != nil {
			t.Errorf("%s differs from itself: %v %+v", f.Game, c.Declared, c.Differences)
		}
	}
	a, b := read(t, "standard.yaml"), read(t, "standard.yaml", "quantity > other_quantity || (quantity == other_quantity && face > other_face)",
		"quantity * 6 + face > other_quantity * 6 + other_face", "title: Liar's dice", "title: Dice of liars")
	if c := compare(t, a, b, 100); c.Declared != nil || c.Differences != nil {
		t.Errorf("the same order in other words differs: %v %+v", c.Declared, c.Differences)
	}
}

func TestCompareFinds(t *testing.T) {
	tests := []struct {
		name   string
		change []string
		what   string // of a difference
		in     string // what differs
		a, b   string // in its sides
	}{
		{
			"another order",
			[]string{"face > other_face", "face < other_face"},
			"what is legal in the phase bidding", "bid", "alone allows bid ", "allows nothing that the other does not",
		},
		{
			"a bid of at most three",
			[]string{"quantity: {int: [1, dice_in_play()]", "quantity: {int: [1, 'min(3, dice_in_play())']"},
			"what is legal in the phase bidding", "bid", "alone allows bid 4", "nothing that the other does not",
		},
		{
			"a loss of two dice",
			[]string{"call: lose(loser, 1)", "call: lose(loser, 2)"},
			"what challenge does in the phase bidding", "dice_left", "dice_left ", "dice_left ",
		},
		{
			"wild sixes",
			[]string{"tally(hand, standing.face)", "tally(hand, standing.face) + tally(hand, 6)"},
			"what challenge does in the phase bidding", "what it tells", "found ", "found ",
		},
		{
			"another loser",
			[]string{"? standing.seat : me", "? me : standing.seat"},
			"what challenge does in the phase bidding", "turn", "loser seat ", "loser seat ",
		},
		{
			"dice of five faces",
			[]string{"from: [1, 6], sort", "from: [1, 5], sort"},
			"the draws of the phase deal", "values", "[1 2 3 4 5 6]", "[1 2 3 4 5]",
		},
		{
			"a milder clock",
			[]string{"missed[me] >= 2", "missed[me] >= 3", "int: [0, 2], doc: how", "int: [0, 3], doc: how"},
			"what a timeout does in the phase bidding", "dice_left", "dice_left", "dice_left",
		},
	}
	for _, tt := range tests {
		c := compare(t, read(t, "standard.yaml"), read(t, "standard.yaml", tt.change...), 100)
		found := slices.ContainsFunc(c.Differences, func(d study.Difference) bool {
			in := slices.ContainsFunc(d.In, func(c study.Count) bool { return c.What == tt.in && c.N > 0 && c.N <= d.N })
			told := slices.ContainsFunc(d.Positions, func(p study.Parting) bool {
				return strings.Contains(p.A, tt.a) && strings.Contains(p.B, tt.b) && p.Setting != "" && len(p.State) > 0
			})
			return d.What == tt.what && in && told
		})
		if !found {
			t.Errorf("%s: no difference %q in %q with %q and %q in %+v", tt.name, tt.what, tt.in, tt.a, tt.b, c.Differences)
		}
	}
}

// A change that one rule makes is told as of that rule alone: where games have gone apart, they are brought together.
func TestCompareTellsNothingElse(t *testing.T) {
	c := compare(t, read(t, "standard.yaml"), read(t, "standard.yaml", "call: lose(loser, 1)", "call: lose(loser, 2)"), 100)
	if len(c.Differences) != 1 || c.Differences[0].What != "what challenge does in the phase bidding" {
		t.Fatalf("differences: %+v, want one in what challenge does", c.Differences)
	}
	if d := c.Differences[0]; d.N < 100 || len(d.Positions) < 2 {
		t.Errorf("met %d times in 100 games, in %d kinds of positions; want more: a game goes on after one", d.N, len(d.Positions))
	}
}

func TestCompareDeclarations(t *testing.T) {
	c := compare(t, read(t, "standard.yaml"), read(t, "standard.yaml", "[1, 5], default: 3", "[1, 4], default: 2", "seats: [2, 6]", "seats: [3, 6]",
		"missed: {each", "late: {each", "'missed[me]': 'missed[me] + 1'", "'late[me]': 'late[me] + 1'", "missed[me] >= 2", "late[me] >= 2",
		"'missed[me]': 0", "'late[me]': 0", "'missed[me]': 0", "'late[me]': 0", "examples:", ""), 20)
	for _, want := range []string{
		"the number of seats: 2 to 6 in first, 3 to 6 in second",
		"the option dice: 1 to 5, 3 by default in first, 1 to 4, 2 by default in second",
		"in first alone: the variable missed", "in second alone: the variable late",
	} {
		if !slices.Contains(c.Declared, want) {
			t.Errorf("declared: %q, want %q", c.Declared, want)
		}
	}
}

func TestCompareRefuses(t *testing.T) {
	a, b := read(t, "standard.yaml", "seats: [2, 6]", "seats: [2, 3]", "examples:", ""), read(t, "standard.yaml", "seats: [2, 6]", "seats: [4, 6]", "examples:", "")
	_, err := study.Compare(study.Side{Name: "a", File: a}, study.Side{Name: "b", File: b}, 1, 1)
	if err == nil || !strings.Contains(err.Error(), "no number of seats in common") {
		t.Errorf("games without a number of seats in common: %v", err)
	}
}
