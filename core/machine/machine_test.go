package machine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"dudo.example/core/machine"
	"github.com/google/go-cmp/cmp"
)

// lit, cell and sum are expressions as a rule compiler would make them.
func lit(n int) machine.Int { return func(*machine.Frame) int { return n } }

func cell(at int) machine.Int { return func(f *machine.Frame) int { return int(f.Cells[at]) } }

// The test game: two seats are dealt two cards each of a deck of five, and one open die. In turn a seat adds 1 to 3 to its
// score, at most up to its better card, or stops and ends the game, which shows the cards.
const (
	deck = iota
	cards
	die
	score
	turn
	moves
)

type game struct {
	*machine.Game
	at []int
}

func newGame(t *testing.T, change func(*machine.Definition, []int)) *game {
	t.Helper()
	vars := []machine.Var{
		{Name: "deck", Zone: 5, Min: 1, Max: 5, Deck: []int{1, 2, 3, 4, 5}, See: machine.SeeNone},
		{Name: "cards", As: "hand", PerSeat: true, Zone: 2, Min: 1, Max: 5, See: machine.SeeOwner},
		{Name: "die", Min: 0, Max: 6},
		{Name: "score", PerSeat: true, Min: 0, Max: 9},
		{Name: "turn", Kind: machine.KindSeat, Min: machine.None, Max: 1, Init: []int{0}},
		{Name: "moves.made", Min: 0, Max: 100},
	}
	at, _ := machine.Layout(vars, 2)
	best := func(f *machine.Frame) int {
		hand := at[cards] + f.Me*3
		return int(max(f.Cells[hand+1], f.Cells[hand+2]))
	}
	me := func(f *machine.Frame) int { return f.Me }
	d := machine.Definition{
		Name: "test/cards", Seats: 2, Vars: vars, Limit: 50, Start: 0,
		Rank: func(f *machine.Frame, seat int) int {
			if f.Cells[at[score]+seat] >= f.Cells[at[score]+1-seat] {
				return 1
			}
			return 2
		},
		Phases: []machine.Phase{
			{
				Name: "deal",
				Draws: []machine.Draw{
					{Into: cards, Each: true, Count: func(*machine.Frame, int) int { return 2 }, From: deck, Sort: true},
					{Into: die, Min: lit(1), Max: lit(6), From: -1},
				},
				Then: []machine.Step{machine.Goto{Phase: 1}},
			},
			{
				Name: "play", Turn: cell(at[turn]), Clock: true,
				Timeout: []machine.Step{machine.Set{{Var: turn, Value: func(f *machine.Frame) int { return 1 - f.Me }}}},
				Actions: []machine.Action{
					{
						Name:   "add",
						Params: []machine.Param{{Name: "n", Low: 1, High: 3}},
						When:   func(f *machine.Frame) bool { return int(f.Cells[at[score]+f.Me])+f.Args[0] <= best(f) },
						Refuse: func(*machine.Frame) string { return "That is more than your better card." },
						Do: []machine.Step{
							machine.Set{
								{Var: score, Seat: me, Value: func(f *machine.Frame) int { return int(f.Cells[at[score]+f.Me]) + f.Args[0] }},
								{Var: turn, Value: func(f *machine.Frame) int { return 1 - f.Me }},
							},
							machine.Set{{Var: moves, Value: func(f *machine.Frame) int { return int(f.Cells[at[moves]]) + 1 }}},
						},
					},
					{
						Name: "stop",
						Do: []machine.Step{
							machine.Reveal{Var: cards},
							machine.Emit{{Name: "by", Kind: machine.KindSeat, Value: me}},
							machine.End{},
						},
					},
				},
			},
		},
	}
	if change != nil {
		change(&d, at)
	}
	g, err := machine.NewGame(d)
	if err != nil {
		t.Fatal(err)
	}
	return &game{g, at}
}

// dealt plays the deal: seat 0 gets 2 and 4, seat 1 gets 1 and 5, the die shows 6.
func (g *game) dealt(t *testing.T) *machine.Position {
	t.Helper()
	p, err := g.NewPosition()
	if err != nil {
		t.Fatal(err)
	}
	for _, draw := range []struct{ owner, outcomes, value int }{{0, 5, 3}, {0, 4, 1}, {1, 3, 2}, {1, 2, 0}, {machine.None, 6, 5}} {
		if got := p.Turn(); got != (machine.Turn{Actor: machine.Chance, Seat: draw.owner}) {
			t.Fatalf("turn %v, want chance for %d", got, draw.owner)
		}
		_, n, err := p.Outcomes()
		if err != nil || n != draw.outcomes {
			t.Fatalf("%d outcomes (%v), want %d", n, err, draw.outcomes)
		}
		if err := p.Draw(n); err == nil {
			t.Fatal("a draw beyond the outcomes was taken")
		}
		if err := p.Draw(draw.value); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func move(t *testing.T, p *machine.Position, name string, args ...int) machine.Move {
	t.Helper()
	m, err := p.Move(name, args...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDealing(t *testing.T) {
	g := newGame(t, nil)
	p := g.dealt(t)
	for name, tt := range map[string]struct{ got, want []int }{
		"cards of seat 0, sorted": {p.Values(cards, 0), []int{2, 4}},
		"cards of seat 1, sorted": {p.Values(cards, 1), []int{1, 5}},
		"what is left":            {p.Values(deck, 0), []int{3}},
		"the die":                 {p.Values(die, 0), []int{6}},
	} {
		if d := cmp.Diff(tt.want, tt.got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	if p.Phase() != "play" || p.Deals() != 1 || p.Turn() != (machine.Turn{Actor: machine.Seat, Seat: 0}) {
		t.Errorf("phase %s, deal %d, turn %v", p.Phase(), p.Deals(), p.Turn())
	}
}

func TestLegalMovesAreTheOnesAccepted(t *testing.T) {
	g := newGame(t, nil)
	p := g.dealt(t)
	var set machine.MoveSet
	for seat := range 2 {
		p.Legal(seat, &set)
		var texts []string
		for m := range set.All() {
			texts = append(texts, g.Text(m))
		}
		want := []string(nil)
		if seat == 0 {
			want = []string{"add 1", "add 2", "add 3", "stop"}
		}
		if d := cmp.Diff(want, texts); d != "" {
			t.Errorf("seat %d (-want +got):\n%s", seat, d)
		}
		for m := machine.Move(-1); int(m) <= g.Moves(); m++ {
			before := p.Key()
			err := p.Check(seat, m)
			if (err == nil) != set.Has(m) {
				t.Errorf("seat %d, %s: listed %t, refused with %v", seat, g.Text(m), set.Has(m), err)
			}
			if err != nil && p.Act(seat, m) == nil {
				t.Errorf("seat %d, %s: checked as illegal and accepted", seat, g.Text(m))
			}
			if p.Key() != before {
				t.Fatalf("seat %d, %s: a refused move changed the position", seat, g.Text(m))
			}
		}
	}
	if n := set.Len(); n != 0 {
		t.Errorf("seat 1 has %d moves when it is not its turn", n)
	}
}

func TestRefusals(t *testing.T) {
	g := newGame(t, nil)
	p := g.dealt(t)
	if err := p.Act(0, move(t, p, "add", 3)); err != nil {
		t.Fatal(err)
	}
	if err := p.Act(1, move(t, p, "add", 1)); err != nil {
		t.Fatal(err)
	}
	over := p.Clone()
	if err := over.Act(0, move(t, over, "stop")); err != nil {
		t.Fatal(err)
	}
	_, unknown := p.Move("fold")
	_, missing := p.Move("add")
	_, beyond := p.Move("add", 4)
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"the guard", p.Act(0, move(t, p, "add", 2)), "illegal_move: That is more than your better card."},
		{"the turn", p.Act(1, move(t, p, "add", 1)), "not_your_turn: It is not your turn; wait with get_state."},
		{"no such seat", p.Act(2, move(t, p, "stop")), "not_your_turn: It is not your turn; wait with get_state."},
		{"after the end", over.Act(1, move(t, over, "stop")), "game_over: The game is over; join or create another table."},
		{"no such action", unknown, "unknown_action: This game has no such action; use one listed under legal."},
		{"too few arguments", missing, "bad_argument: add takes 1 arguments."},
		{"out of range", beyond, "bad_argument: n must be 1 to 3."},
	}
	for _, tt := range tests {
		var r *machine.Refusal
		if !errors.As(tt.err, &r) || tt.err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, tt.err, tt.want)
		}
	}
}

func TestSetIsSimultaneousAndChecked(t *testing.T) {
	swap := []machine.Step(nil)
	g := newGame(t, func(d *machine.Definition, at []int) {
		swap = []machine.Step{
			machine.Set{{Var: moves, Value: lit(1)}}, // undone with the rest if a later step fails
			machine.Set{{Var: score, Seat: lit(0), Value: cell(at[die])}, {Var: die, Value: cell(at[score])}},
		}
		d.Phases[1].Actions[1].Do = swap
	})
	p := g.dealt(t)
	if err := p.Act(0, move(t, p, "stop")); err != nil {
		t.Fatal(err)
	}
	if s, d := p.Values(score, 0)[0], p.Values(die, 0)[0]; s != 6 || d != 0 {
		t.Errorf("score %d, die %d after a swap of 0 and 6", s, d)
	}
	for name, bad := range map[string]machine.Assign{
		"above the range": {Var: score, Seat: lit(0), Value: lit(10)},
		"below the range": {Var: score, Seat: lit(0), Value: lit(-1)},
		"no such seat":    {Var: score, Seat: lit(2), Value: lit(1)},
		"seat none":       {Var: score, Seat: lit(machine.None), Value: lit(1)},
		"a failing value": {Var: score, Seat: lit(0), Value: func(f *machine.Frame) int { f.Fail(errors.New("no")); return 0 }},
	} {
		g := newGame(t, func(d *machine.Definition, _ []int) {
			d.Phases[1].Actions[1].Do = []machine.Step{machine.Set{{Var: moves, Value: lit(1)}}, machine.Set{bad}}
		})
		p := g.dealt(t)
		before := p.Key()
		err := p.Act(0, move(t, p, "stop"))
		var r *machine.Refusal
		if err == nil || errors.As(err, &r) {
			t.Errorf("%s: error %v, want a fault", name, err)
		}
		if p.Key() != before || len(p.Effects()) != 0 {
			t.Errorf("%s: a failing move changed the position", name)
		}
	}
}

func TestViews(t *testing.T) {
	g := newGame(t, nil)
	p := g.dealt(t)
	see := func(viewer int) string {
		var b strings.Builder
		for _, s := range p.View(viewer).Shown {
			fmt.Fprintf(&b, "%s/%d=%v ", g.Vars[s.Var].Label(), s.Owner, s.Values)
		}
		return b.String()
	}
	tail := "die/-1=[6] score/0=[0] score/1=[0] turn/-1=[0] moves.made/-1=[0] "
	for viewer, want := range map[int]string{
		machine.None: tail,
		0:            "hand/0=[2 4] " + tail,
		1:            "hand/1=[1 5] " + tail,
	} {
		if got := see(viewer); got != want {
			t.Errorf("viewer %d sees %s, want %s", viewer, got, want)
		}
	}
	if err := p.Act(0, move(t, p, "stop")); err != nil {
		t.Fatal(err)
	}
	if got, want := see(machine.None), "hand/0=[2 4] hand/1=[1 5] "+tail; got != want {
		t.Errorf("after the reveal a spectator sees %s, want %s", got, want)
	}
	want := []machine.Effect{
		{Var: cards, Owner: 0, Name: "cards", Values: []int{2, 4}},
		{Var: cards, Owner: 1, Name: "cards", Values: []int{1, 5}},
		{Var: -1, Owner: machine.None, Name: "by", Kind: machine.KindSeat, Values: []int{0}},
	}
	if d := cmp.Diff(want, p.Effects()); d != "" {
		t.Errorf("effects (-want +got):\n%s", d)
	}
	if p.Ending() != machine.Finished || p.Turn().Actor != machine.Over {
		t.Errorf("ending %d, turn %v", p.Ending(), p.Turn())
	}
	if d := cmp.Diff([]int{1, 1}, p.Places()); d != "" {
		t.Errorf("places (-want +got):\n%s", d)
	}
}

func TestTimeoutAndLimit(t *testing.T) {
	g := newGame(t, func(d *machine.Definition, _ []int) { d.Limit = 2 })
	p, err := g.NewPosition()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Timeout(); !errors.Is(err, machine.ErrNoTimeout) {
		t.Errorf("a timeout of chance: %v", err)
	}
	p = g.dealt(t)
	if err := p.Timeout(); err != nil {
		t.Fatal(err)
	}
	if p.Turn().Seat != 1 {
		t.Errorf("after the timeout it is seat %d's turn, want 1", p.Turn().Seat)
	}
	if err := p.Act(1, move(t, p, "add", 1)); err != nil {
		t.Fatal(err)
	}
	if p.Ending() != machine.Limit {
		t.Errorf("ending %d after the most moves, want %d", p.Ending(), machine.Limit)
	}
}

func TestPhasesThatGoRoundEnd(t *testing.T) {
	g := newGame(t, func(d *machine.Definition, _ []int) {
		d.Phases[0].Draws = []machine.Draw{{Into: cards, Each: true, Count: func(*machine.Frame, int) int { return 0 }, From: deck}}
		d.Phases[0].Then = []machine.Step{machine.Goto{Phase: 0}}
	})
	if _, err := g.NewPosition(); err == nil || !strings.Contains(err.Error(), "go round") {
		t.Errorf("error %v", err)
	}
}

func TestNewGameRefuses(t *testing.T) {
	tests := []struct {
		name   string
		change func(*machine.Definition)
		want   string
	}{
		{"seats", func(d *machine.Definition) { d.Seats = 11 }, "11 seats"},
		{"limit", func(d *machine.Definition) { d.Limit = 0 }, "a limit of 0 moves"},
		{"result", func(d *machine.Definition) { d.Payoff = d.Rank }, "either a rank or a payoff"},
		{"start", func(d *machine.Definition) { d.Start = 2 }, "start phase"},
		{"range", func(d *machine.Definition) { d.Vars[score].Min = 10 }, "range 10 to 9"},
		{"first value", func(d *machine.Definition) { d.Vars[turn].Init = []int{5} }, "first value 5"},
		{"first values", func(d *machine.Definition) { d.Vars[score].Init = []int{1} }, "1 first values"},
		{"deck", func(d *machine.Definition) { d.Vars[deck].Zone = 3 }, "5 first elements"},
		{"owner", func(d *machine.Definition) { d.Vars[die].See = machine.SeeOwner }, "belongs to no seat"},
		{"phase", func(d *machine.Definition) { d.Phases[1].Turn = nil }, "either draws or a turn"},
		{"moves", func(d *machine.Definition) { d.Phases[1].Actions[0].Params[0].High = 5000 }, "more than 4096 moves"},
		{"draw", func(d *machine.Definition) { d.Phases[0].Draws[1].From = cards }, "draws into die"},
	}
	for _, tt := range tests {
		d := newGame(t, nil).Definition
		d.Vars = append([]machine.Var(nil), d.Vars...)
		d.Phases = append([]machine.Phase(nil), d.Phases...)
		d.Phases[0].Draws = append([]machine.Draw(nil), d.Phases[0].Draws...)
		d.Phases[1].Actions = append([]machine.Action(nil), d.Phases[1].Actions...)
		d.Phases[1].Actions[0].Params = append([]machine.Param(nil), d.Phases[1].Actions[0].Params...)
		tt.change(&d)
		if _, err := machine.NewGame(d); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}
