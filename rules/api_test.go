package rules_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

func TestStandardFile(t *testing.T) {
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := rules.Shipped()
	if err != nil || len(shipped) != len(files) {
		t.Errorf("%d digests, %v; want those of %d files", len(shipped), err, len(files))
	}
	for _, f := range files {
		if !shipped[f.Digest] {
			t.Errorf("the digest of %s is not among those shipped", f.Game)
		}
	}
	f := files[0]
	sum := sha256.Sum256(f.Text)
	if f.Game != "liars-dice/standard" || f.MinSeats != 2 || f.MaxSeats != 6 || f.Digest != hex.EncodeToString(sum[:]) {
		t.Errorf("%s, %d to %d seats, digest %s", f.Game, f.MinSeats, f.MaxSeats, f.Digest)
	}
	wantOptions := []rules.Option{{Name: "dice", Doc: "how many dice each player begins with", Low: 1, High: 5, Default: 3}}
	if diff := cmp.Diff(wantOptions, f.Options); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
	wantActions := []rules.ActionDoc{
		{
			Name: "bid", Doc: "Bid that the dice of all players together show a face at least so many times.",
			Params: []rules.ParamDoc{
				{Name: "quantity", Doc: "how many dice show the face", Low: 1, High: 30},
				{Name: "face", Doc: "the face", Low: 1, High: 6},
			},
			Example: []int{3, 5},
		},
		{Name: "challenge", Doc: "Say that the standing bid is false. All dice are shown and the face is counted."},
	}
	if diff := cmp.Diff(wantActions, f.Actions()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

func TestResolve(t *testing.T) {
	f, err := rules.Parse("coin.yaml", []byte(coin))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		given map[string]int
		want  map[string]int
		err   string
	}{
		{"defaults", nil, map[string]int{"stakes": 1, "loud": 0}, ""},
		{"given", map[string]int{"stakes": 3, "loud": 1}, map[string]int{"stakes": 3, "loud": 1}, ""},
		{"too high", map[string]int{"stakes": 4}, nil, "the option stakes is 1 to 3, not 4"},
		{"no bool", map[string]int{"loud": 2}, nil, "the option loud is true or false"},
		{"unknown", map[string]int{"dice": 2}, nil, `there is no option "dice"; test/coin has stakes (1 to 3), loud (true or false)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := f.Resolve(tt.given)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if (err == nil) != (tt.err == "") || (err != nil && err.Error() != tt.err) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
	for _, seats := range []int{1, 4} {
		if _, err := f.Compile(seats, nil); err == nil {
			t.Errorf("a game for %d seats is compiled", seats)
		}
	}
}

// TestCompileShares wants one game for the same seats and options, whoever asks, and at the same time.
func TestCompileShares(t *testing.T) {
	f, err := rules.Parse("coin.yaml", []byte(coin))
	if err != nil {
		t.Fatal(err)
	}
	games := make([]*machine.Game, 8)
	var all sync.WaitGroup
	for i := range games {
		all.Go(func() {
			options := map[string]int{"loud": 0}
			if i%2 == 1 {
				options["stakes"] = 1
			}
			games[i], _ = f.Compile(2, options)
		})
	}
	all.Wait()
	for _, g := range games {
		if g == nil || g != games[0] {
			t.Fatal("the same game was compiled twice")
		}
	}
	if other, err := f.Compile(2, map[string]int{"stakes": 2}); err != nil || other == games[0] {
		t.Errorf("other options give the same game, or an error: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	g := compile(t, "liars-dice/standard", 2, nil)
	p := start(t, g)
	for range 6 {
		if err := p.Draw(2); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		seat int
		move string
		args []int
		want string
	}{
		{0, "challenge", nil, "illegal_move: There is no bid to challenge yet; open the round with a bid."},
		{0, "bid", []int{7, 1}, "bad_argument: quantity must be 1 to 6."},
		{0, "bid", []int{2, 7}, "bad_argument: face must be 1 to 6."},
		{1, "bid", []int{2, 3}, "not_your_turn: It is not your turn; wait with get_state."},
		{0, "bid", []int{2, 3}, ""},
		{
			1, "bid",
			[]int{2, 3},
			"illegal_move: Bid a higher quantity, or the same quantity of a higher face: the standing bid is 2 × 3.",
		},
	}
	for _, tt := range tests {
		m, err := p.Move(tt.move, tt.args...)
		if err == nil {
			err = p.Act(tt.seat, m)
		}
		switch {
		case err == nil && tt.want != "", err != nil && err.Error() != tt.want:
			t.Errorf("%s %v of seat %d: %v, want %q", tt.move, tt.args, tt.seat, err, tt.want)
		}
	}
}

// TestPrivateList wants a guard that reads the own hand to make the action private, and only then.
func TestPrivateList(t *testing.T) {
	for _, tt := range []struct {
		when string
		want bool
	}{{"many > 0", false}, {"'any(coins[me], # == many)'", true}} {
		text := replaced(t, "when: many > 0 || lost[me] == 0", "when: "+tt.when)
		f, err := rules.Parse("coin.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		g, err := f.Compile(2, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Phases[1].Actions[0].Private; got != tt.want {
			t.Errorf("when: %s: private %v, want %v", tt.when, got, tt.want)
		}
	}
}

// TestSeeCondition shows a variable to whom its expression says. A spectator is not none: a hand that is for a seat which is none is
// nobody's to see, and neither is one whose expression fails.
func TestSeeCondition(t *testing.T) {
	const spectator = machine.None
	for _, tt := range []struct {
		condition    string
		viewer, want int
	}{
		{"viewer == owner || viewer == turn", spectator, 0},
		{"viewer == owner || viewer == turn", 0, 3},
		{"viewer == owner || viewer == turn", 1, 1},
		{"viewer == owner || viewer == turn", 2, 1},
		{"viewer == claim.seat", spectator, 0},
		{"viewer != claim.seat", spectator, 3},
		{"lost[viewer] == 0", spectator, 0},
	} {
		text := replaced(t, "of: [0, 1], see: owner", "of: [0, 1], see: '"+tt.condition+"'")
		text = strings.Replace(text, "when: many > 0 || lost[me] == 0", "when: many > 0", 1)
		f, err := rules.Parse("coin.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		g, err := f.Compile(3, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := start(t, g)
		for range 3 {
			if err := p.Draw(1); err != nil {
				t.Fatal(err)
			}
		}
		coins, _ := g.Var("coins")
		seen := 0
		for _, s := range p.View(tt.viewer).Shown {
			if s.Var == coins {
				seen++
			}
		}
		if seen != tt.want {
			t.Errorf("see: %s: %d sees %d hands, want %d", tt.condition, tt.viewer, seen, tt.want)
		}
	}
}

// TestAceCircle is the published rule text that halves a quantity to ones and doubles it back.
func TestAceCircle(t *testing.T) {
	text := replaced(t, "  above(a, b):\n    is: a > b\n    strict_order: true\n    table: [[0, 3], [0, 3]]", `  outranks(quantity, face, other, other_face):
    is: |
      face == 1 && other_face != 1 ? quantity >= ceildiv(other, 2)
      : face != 1 && other_face == 1 ? quantity >= 2 * other
      : quantity > other || (quantity == other && face > other_face)
    order: yes
    table: [[1, 10], [1, 6], [1, 10], [1, 6]]`)
	_, err := rules.Parse("aces.yaml", []byte(text))
	if err == nil || !strings.Contains(err.Error(), "outranks() goes round: 1×1 → 2×2 → 1×1") {
		t.Errorf("Parse gave %v, want the circle of bids", err)
	}
}

// TestRows wants the liar's dice games to list bids by rows, with the most seats and dice too.
func TestRows(t *testing.T) {
	for _, f := range allFiles(t) {
		if !strings.HasPrefix(f.Game, "liars-dice/") {
			continue
		}
		options := map[string]int{}
		for _, o := range f.Options {
			if options[o.Name] = o.Default; o.Name == "dice" {
				options[o.Name] = o.High
			}
		}
		g, err := f.Compile(f.MaxSeats, options)
		if err != nil {
			t.Fatal(err)
		}
		for _, ph := range g.Phases {
			for _, a := range ph.Actions {
				if a.Name == "bid" && a.Row == nil {
					t.Errorf("%s: %s is listed by asking its guard", f.Game, a.Name)
				}
			}
		}
	}
}
