package rules_test

import (
	"errors"
	"strings"
	"testing"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// TestReasons wants a refused player to read the sentence of the first reason that holds.
func TestReasons(t *testing.T) {
	text := replaced(t, "        refuse: Guess more than {total()}.\n", `        refuse:
          - {if: 'lost[1 - me] > 0', say: 'Guess, as {lost[1 - me]} are lost.'}
          - {if: 'lost[me] > 1', say: 'Guess at least 1.'}
          - say: Guess more.
`)
	f, err := rules.Parse("coin.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Compile(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	lost, _ := g.Var("lost")
	tests := []struct {
		lost [2]int
		want string
	}{
		{[2]int{1, 0}, "illegal_move: Guess more."},
		{[2]int{2, 0}, "illegal_move: Guess at least 1."},
		{[2]int{2, 1}, "illegal_move: Guess, as 1 are lost."},
	}
	for _, tt := range tests {
		p := start(t, g)
		p.PutPhase("play")
		for seat, n := range tt.lost {
			p.Put(lost, seat, n)
		}
		m, err := p.Move("guess", 0)
		if err == nil {
			err = p.Act(0, m)
		}
		if err == nil || err.Error() != tt.want {
			t.Errorf("with %v lost: %v, want %q", tt.lost, err, tt.want)
		}
	}
}

// TestBrokenReasons wants a list without an end, or with one too early, to be refused.
func TestBrokenReasons(t *testing.T) {
	tests := []struct{ name, list, want string }{
		{"no list", "{say: Guess more.}", "refuse is a list"},
		{"empty", "[]", "refuse is a sentence, or a list of 1 to 8 of them"},
		{"only conditions", "[{if: 'lost[me] > 1', say: More.}]", "the last sentence of refuse has no if"},
		{"an early end", "[{say: More.}, {say: Less.}]", "only the last sentence of refuse has no if"},
		{"no sentence", "[{if: 'lost[me] > 1'}, {say: Less.}]", "a reason needs the key say"},
		{"another's hand", "[{if: 'any(coins[me], # == 1)', say: More.}, {say: Less.}]", "coins reads hidden values and cannot be used in a refusal"},
	}
	for _, tt := range tests {
		_, err := rules.Parse("coin.yaml", []byte(replaced(t, "refuse: Guess more than {total()}.", "refuse: "+tt.list)))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestSentences reads what the shipped variants tell players to do instead.
func TestSentences(t *testing.T) {
	const raise = "Raise 3 × 5: "
	tests := []struct {
		game   string
		wild   int
		bid    [2]int // that stands; none if its quantity is 0
		action string
		args   []int
		want   string
	}{
		{"perudo", 1, [2]int{}, "bid", []int{1, 1}, "Aces do not open a round here; open with a face from 2 to 6."},
		{"perudo", 1, [2]int{3, 5}, "bid", []int{1, 1}, raise + "bid at least 2 of face 1. There are 10 dice in play."},
		{"perudo", 1, [2]int{3, 5}, "bid", []int{3, 4}, raise + "bid at least 4 of face 4. There are 10 dice in play."},
		{"perudo", 1, [2]int{2, 1}, "bid", []int{4, 4}, "Raise 2 × 1: bid at least 5 of face 4. There are 10 dice in play."},
		{"perudo", 0, [2]int{3, 5}, "bid", []int{4, 6}, "The face stays in a palifico round: bid at least 4 of face 5, or challenge."},
		{"perudo", 0, [2]int{3, 5}, "bid", []int{3, 5}, "The face stays in a palifico round: bid at least 4 of face 5, or challenge."},
		{"perudo", 0, [2]int{3, 5}, "spot_on", nil, "Nobody says spot on in a palifico round; bid or challenge instead."},
		{"perudo", 1, [2]int{}, "spot_on", nil, "There is no bid yet that could be spot on; open the round with a bid."},
		{"bluff", 6, [2]int{3, 5}, "bid", []int{1, 6}, raise + "on the board, bid at least 2 of face 6."},
		{"bluff", 6, [2]int{3, 5}, "bid", []int{11, 6}, "The board ends at 10 stars, which are face 6; bid fewer, or another face."},
		{"bluff", 6, [2]int{3, 5}, "push", []int{1, 6, 1}, "You can push out only dice that you have under your cup, and one of them stays there."},
		{"bluff", 6, [2]int{}, "push", []int{1, 1, 0}, "Only before a raise dice are pushed out; open the round with a bid."},
		{"bluff", 6, [2]int{20, 5}, "push", []int{1, 1, 0}, "After pushing dice out you would have to raise, and the board has ended; challenge."},
		{"face-first", 0, [2]int{3, 6}, "spot_on", nil, "Nobody says spot on at this table; bid or challenge instead."},
	}
	for _, tt := range tests {
		g := compile(t, "liars-dice/"+tt.game, 2, nil)
		p := start(t, g)
		p.PutPhase("bidding")
		put := func(name string, owner int, values ...int) {
			if v, ok := g.Var(name); ok && !p.Put(v, owner, values...) {
				t.Fatalf("%s cannot be %v", name, values)
			}
		}
		put("hand", 0, 1, 2, 3, 4, 5)
		put("hand", 1, 1, 2, 3, 4, 5)
		put("wild", 0, tt.wild)
		if tt.bid[0] > 0 {
			put("standing.seat", 0, 1)
			put("standing.quantity", 0, tt.bid[0])
			put("standing.face", 0, tt.bid[1])
		}
		m, err := p.Move(tt.action, tt.args...)
		if err == nil {
			err = p.Check(0, m)
		}
		var refusal *machine.Refusal
		if !errors.As(err, &refusal) || refusal.Sentence != tt.want {
			t.Errorf("%s: %s %v over %v: %v, want %q", tt.game, tt.action, tt.args, tt.bid, err, tt.want)
		}
	}
}
