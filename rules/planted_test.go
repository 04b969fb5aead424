package rules_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dudo.example/core/machine"
)

// TestPlantedFaults plants a fault in the standard game as the machine gets it, and wants the law to notice that it breaks.
func TestPlantedFaults(t *testing.T) {
	calls := 0 // what a fault remembers although nothing may
	tests := []struct {
		name  string
		law   func() law
		plant func(p *plant)
	}{
		{"who sees a public value depends on a hand", hiding, func(p *plant) {
			v := p.variable("missed")
			v.See, v.SeeIf = machine.SeeIf, func(f *machine.Frame, _, _ int) bool { return p.die(f) > 3 }
		}},
		{"the turn depends on a hand", hiding, func(p *plant) {
			p.phase("bidding").Turn = machine.Value{Of: func(f *machine.Frame) int { return p.die(f) % p.Seats }}
		}},
		{"a guard reads another's hand", hiding, func(p *plant) {
			p.action("bid").Row, p.action("bid").When = nil, func(f *machine.Frame) bool { return p.die(f) > 2 || f.Cells[machine.Arg] < 3 }
		}},
		{"a bound reads another's hand", hiding, func(p *plant) {
			p.action("bid").Params[0].Max = func(f *machine.Frame) int { return max(1, p.die(f)) }
		}},
		{"a guard reads the own hand, and the action is not private", hiding, func(p *plant) {
			p.action("challenge").When = func(f *machine.Frame) bool { return p.die(f) > 3 || f.Cells[machine.Me] != 0 }
		}},
		{"a listed move fails", listing, func(p *plant) {
			p.action("challenge").Do = []machine.Step{machine.Set{{Var: p.at["turn"], Value: machine.Value{Plus: 99}}}}
		}},
		{"a move is accepted at every other time", listing, func(p *plant) {
			p.action("challenge").When = func(*machine.Frame) bool { calls++; return calls%2 == 0 }
		}},
		{"a guard writes", listing, func(p *plant) {
			p.action("challenge").When = func(f *machine.Frame) bool { f.Cells[p.offsets[p.at["missed"]]]++; return false }
		}},
		{"nobody has a move", listing, func(p *plant) {
			never := func(*machine.Frame) bool { return false }
			p.action("bid").Row, p.action("bid").When, p.action("challenge").When = nil, never, never
		}},
		{"a step remembers another game", repeating, func(p *plant) {
			p.first("bid", machine.Set{{Var: p.at["missed"], Value: machine.Value{Of: func(*machine.Frame) int { calls++; return calls % 2 }}}})
		}},
		{"an effect remembers another game", repeating, func(p *plant) {
			p.first("bid", machine.Emit{{Name: "calls", Value: machine.Value{Of: func(*machine.Frame) int { calls++; return calls }}}})
		}},
		{"the limit is another", func() law { return &ended{limit: 3} }, func(p *plant) { p.Limit = 4 }},
		{"the game ends before its limit", func() law { return &ended{limit: 4} }, func(p *plant) { p.Limit = 3 }},
		{"chance goes on for ever", func() law { return &ended{limit: 5000} }, func(p *plant) {
			p.phase("deal").Then = []machine.Step{machine.Goto{Phase: 0}}
		}},
		{"there is no first place", ranking, func(p *plant) { p.Rank = func(_ *machine.Frame, seat int) int { return seat + 2 } }},
		{"a shared place is followed by the next", ranking, func(p *plant) { p.Rank = func(_ *machine.Frame, seat int) int { return seat/2 + 1 } }},
		{"dice are not sorted", func() law { return conserved{} }, func(p *plant) {
			deal := p.phase("deal")
			deal.Draws = slices.Clone(deal.Draws)
			deal.Draws[0].Sort = false
		}},
		{"payoffs come from nowhere", ranking, func(p *plant) {
			p.Rank, p.Payoff = nil, func(_ *machine.Frame, seat int) int { return 1 - seat/2 }
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlant(compile(t, "liars-dice/standard", 3, nil))
			if l, ok := tt.law().(*ended); ok {
				p.Limit = l.limit
			}
			if err := noticed(t, p.game(t), 2, tt.law); err != nil {
				t.Fatalf("before anything was planted: %v", err)
			}
			tt.plant(p)
			err := noticed(t, p.game(t), 40, tt.law)
			if err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("%T", tt.law())) {
				t.Fatalf("the law says %v", err)
			}
			t.Log(err)
		})
	}
}

func hiding() law    { return &hidden{} }
func listing() law   { return &listed{} }
func repeating() law { return &repeated{} }
func ranking() law   { return ranked{} }

// noticed plays some games and gives the first breach of a law.
func noticed(t *testing.T, g *machine.Game, games uint64, of func() law) error {
	t.Helper()
	for seed := range games {
		r := generator(seed)
		c := course{Position: start(t, g), r: &r, done: map[string]int{}, count: &counts{games: int(seed)}}
		if err := c.play([]law{of()}, 300); err != nil {
			return err
		}
	}
	return nil
}

// plant is a definition in which a fault is planted.
type plant struct {
	machine.Definition
	at      map[string]int // variables by name
	offsets []int
}

// newPlant copies a game's definition.
func newPlant(g *machine.Game) *plant {
	p := &plant{Definition: g.Definition, at: map[string]int{}}
	p.Vars, p.Phases = slices.Clone(p.Vars), slices.Clone(p.Phases)
	for i := range p.Phases {
		ph := &p.Phases[i]
		ph.Actions = slices.Clone(ph.Actions)
		for k := range ph.Actions {
			ph.Actions[k].Params = slices.Clone(ph.Actions[k].Params)
		}
	}
	for i, v := range p.Vars {
		p.at[v.Name] = i
	}
	p.offsets, _ = machine.Layout(p.Vars, p.Seats)
	return p
}

func (p *plant) game(t *testing.T) *machine.Game {
	t.Helper()
	g, err := machine.NewGame(p.Definition)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func (p *plant) variable(name string) *machine.Var { return &p.Vars[p.at[name]] }

func (p *plant) phase(name string) *machine.Phase {
	return &p.Phases[slices.IndexFunc(p.Phases, func(ph machine.Phase) bool { return ph.Name == name })]
}

func (p *plant) action(name string) *machine.Action {
	list := p.phase("bidding").Actions
	return &list[slices.IndexFunc(list, func(a machine.Action) bool { return a.Name == name })]
}

// first adds a step before those of an action.
func (p *plant) first(action string, s machine.Step) {
	a := p.action(action)
	a.Do = append([]machine.Step{s}, a.Do...)
}

// die is what the first die of seat 0 shows.
func (p *plant) die(f *machine.Frame) int { return int(f.Cells[p.offsets[p.at["hand"]]+1]) }

// TestPlantedDifferences lets the reference read another text than the machine plays, and wants them to disagree.
func TestPlantedDifferences(t *testing.T) {
	const standard, pushing = "liars-dice/standard", "dice/pushing"
	tests := []struct{ game, from, to string }{
		{standard, "quantity > other_quantity ||", "quantity >= other_quantity ||"},
		{standard, "sum(dice_left, #)", "sum(dice_left, # + 1)"},
		{standard, "turn: next(me)", "turn: prev(me)"},
		{standard, "alive: dice_left[seat] > 0", "alive: dice_left[seat] >= 0"},
		{standard, "sort: yes", "sort: no"},
		{standard, "from: [1, 6], sort", "from: [1, 5], sort"},
		{standard, "count: 'dice_left[seat]'", "count: 'max(1, dice_left[seat])'"},
		{standard, "see: owner", "see: all"},
		{standard, "see: owner", "see: none"},
		{standard, "- reveal: hand", "- hide: hand"},
		{standard, "found: found,", "found: found + 1,"},
		{standard, "loser: loser}", "loser: me}"},
		{standard, "found < standing.quantity ?", "found <= standing.quantity ?"},
		{standard, "missed[me] >= 2", "missed[me] >= 1"},
		{standard, "max(0, dice_left[loser] - lost)", "max(0, dice_left[loser] - lost - 1)"},
		{standard, "dice_left[opener] > 0 ? opener : next(opener)", "next(opener)"},
		{standard, "limits: {moves: 5000}", "limits: {moves: 5}"},
		{standard, "rank: 'place[seat] == 0 ? 1", "rank: 'place[seat] == 0 ? 2"},
		{standard, "refuse: There is no bid", "refuse: There was no bid"},
		{standard, "int: [1, dice_in_play()]", "int: [1, dice_in_play() - 1]"},
		{standard, "when: standing.quantity > 0", "when: standing.quantity > 1"},
		{standard, "        standing: none\n", ""},
		{standard, "- end: now", "- set: {turn: turn}"},
		{pushing, "to: 'pushed[me]', value: face, count: quantity", "to: 'pushed[me]', value: face, count: 1"},
		{pushing, "to: 'kept[me]', count: 1", "to: 'kept[me]', count: 2"},
		{pushing, "- clear: 'pushed[me]'", "- clear: 'kept[me]'"},
		{pushing, "when: seat == roller", "when: seat != roller"},
		{pushing, "{face: face, dice: quantity}", "{face: quantity, dice: quantity}"},
		{pushing, "'last_push[me]': none", "'last_push[me].dice': 0"},
		{pushing, "count(all_seats, best(#) > 0)", "count(all_seats, best(#) > 2)"},
		{pushing, "tally(hand[me], face) >= quantity", "tally(hand, face) >= quantity"},
		{pushing, "alive: '!stopped[seat]'", "alive: 'stopped[seat] == stopped[seat]'"},
	}
	for _, tt := range tests {
		t.Run(tt.from, func(t *testing.T) {
			f := fileOf(t, tt.game)
			text := string(f.Text)
			if strings.Count(text, tt.from) != 1 {
				t.Fatalf("the text is there %d times", strings.Count(text, tt.from))
			}
			all, err := f.Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			g := compile(t, tt.game, 3, nil)
			reading := func(text string) func() law {
				return func() law {
					ref, err := newReference([]byte(text), 3, all)
					if err != nil {
						t.Fatal(err)
					}
					return &agreed{ref: ref}
				}
			}
			if err := noticed(t, g, 2, reading(text)); err != nil {
				t.Errorf("of the same text the law says %v", err)
			}
			if noticed(t, g, 40, reading(strings.Replace(text, tt.from, tt.to, 1))) == nil {
				t.Error("the law says nothing")
			}
		})
	}
}

// TestPlantedBuiltins gives the reference words of the language that are a little wrong, and wants the closures to disagree.
func TestPlantedBuiltins(t *testing.T) {
	off := func(x any, err error) (any, error) {
		if n, ok := x.(int); ok {
			return n + 1, err
		}
		return x, err
	}
	for _, name := range []string{"min", "max", "abs", "div", "ceildiv", "mod", "next", "prev", "live", "tally", "len", "at", "seats", "none"} {
		t.Run(name, func(t *testing.T) {
			for _, f := range allFiles(t) {
				g, err := f.Compile(f.MinSeats, nil)
				if err != nil {
					t.Fatal(err)
				}
				probes, err := f.Probes(f.MinSeats, nil)
				if err != nil {
					t.Fatal(err)
				}
				ref := referenceOf(t, f, f.MinSeats, nil)
				was := ref.env[name]
				ref.env[name] = func(args ...any) (any, error) { return off(call(was, args)) }
				if n, ok := was.(int); ok {
					ref.env[name] = n + 1
				}
				p, r := start(t, g), generator(1)
				for range 20 {
					scatter(p, &r)
					if err := ref.load(p); err != nil {
						t.Fatal(err)
					}
					for _, probe := range probes {
						if _, err := probed(p, ref, probe, &r); err != nil {
							t.Log(err)
							return
						}
					}
				}
			}
			t.Error("nobody noticed")
		})
	}
}

// call calls a function of any type.
func call(f any, args []any) (any, error) {
	in := make([]reflect.Value, len(args))
	for i, x := range args {
		in[i] = reflect.ValueOf(x)
	}
	out := reflect.ValueOf(f).Call(in)
	if len(out) > 1 {
		err, _ := out[1].Interface().(error)
		return out[0].Interface(), err
	}
	return out[0].Interface(), nil
}
