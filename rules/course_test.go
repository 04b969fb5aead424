package rules_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// setting is a way to play a rule file.
type setting struct {
	name    string
	file    *rules.File
	seats   int
	options map[string]int
}

// settings are the ways in which the laws play a file: with its defaults, with every preset, with every option at its least and its
// greatest, with three sets of random options, and with so few moves that every game ends at its limit.
func settings(t *testing.T, f *rules.File) (list []setting) {
	t.Helper()
	r := generator(len(f.Text))
	add := func(name string, f *rules.File, options map[string]int) {
		seats := []int{f.MinSeats, f.MaxSeats, f.MinSeats + r.below(f.MaxSeats-f.MinSeats+1)}[len(list)%3]
		list = append(list, setting{name, f, seats, options})
	}
	add("defaults", f, nil)
	for _, p := range f.Presets {
		add(p.Name, f, p.Options)
	}
	for _, o := range f.Options {
		add(o.Name+" least", f, map[string]int{o.Name: o.Low})
		add(o.Name+" greatest", f, map[string]int{o.Name: o.High})
	}
	random := func() map[string]int {
		options := map[string]int{}
		for _, o := range f.Options {
			options[o.Name] = o.Low + r.below(o.High-o.Low+1)
		}
		return options
	}
	for i := range 3 {
		add(fmt.Sprint("random ", i), f, random())
	}
	for _, moves := range []int{1, 3 + r.below(20)} {
		add(fmt.Sprint("at most ", moves, " moves"), limited(t, f, moves), random())
	}
	return list
}

var limits = regexp.MustCompile(`(?m)^limits: .*\n`)

// limited is the same game with another limit of moves.
func limited(t *testing.T, f *rules.File, moves int) *rules.File {
	t.Helper()
	text := fmt.Sprintf("%s\nlimits: {moves: %d}\n", limits.ReplaceAllString(string(f.Text), ""), moves)
	short, err := rules.Parse(f.Game, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return short
}

func (s setting) compile(t *testing.T) *machine.Game {
	t.Helper()
	g, err := s.file.Compile(s.seats, s.options)
	if err != nil {
		t.Fatalf("%s, %d seats, options %v: %v", s.name, s.seats, s.options, err)
	}
	return g
}

// course is a random game in progress. Laws look at it in every position, from the first to the last.
type course struct {
	*machine.Position
	r     *generator
	log   []input
	done  map[string]int // how often each action was taken, and a clock ran out
	count *counts
}

// counts says how much was checked.
type counts struct{ games, whole, moves, probes, refused, evals int }

// input is what came from outside: a draw, a move, or a clock that ran out.
type input struct {
	actor machine.Actor // Over for the clock
	seat  int
	value int // the outcome, or the move
}

func (i input) apply(p *machine.Position) error {
	switch i.actor {
	case machine.Chance:
		return p.Draw(i.value)
	case machine.Seat:
		return p.Act(i.seat, machine.Move(i.value))
	default:
		return p.Timeout()
	}
}

// next picks what happens next.
func (c *course) next() (input, error) {
	switch turn := c.Turn(); {
	case turn.Actor == machine.Chance:
		_, n, err := c.Outcomes()
		if err != nil {
			return input{}, err
		}
		return input{machine.Chance, machine.None, c.r.below(n)}, nil
	case c.Clocked() && c.r.below(10+20*(c.count.games%3)) == 0:
		return input{machine.Over, turn.Seat, 0}, nil
	default:
		return c.choose()
	}
}

// choose picks a random move, mostly of the seat whose turn it is. In every other game an action is as likely as another, so that
// rounds are short.
func (c *course) choose() (input, error) {
	var set machine.MoveSet
	seat := c.r.below(3 * c.Game().Seats)
	if c.Legal(seat, &set); set.Len() == 0 {
		seat = c.Turn().Seat
		c.Legal(seat, &set)
	}
	moves := set.Append(nil)
	if len(moves) == 0 {
		return input{}, fmt.Errorf("seat %d has no move", seat)
	}
	if c.count.games%2 == 0 {
		actions := map[string][]machine.Move{}
		for _, m := range moves {
			a, _, _ := c.Game().Action(m)
			actions[a.Name] = append(actions[a.Name], m)
		}
		names := slices.Sorted(maps.Keys(actions))
		moves = actions[names[c.r.below(len(names))]]
	}
	return input{machine.Seat, seat, int(moves[c.r.below(len(moves))])}, nil
}

// law is what must hold in every position of every game. It says what is wrong. Some laws remember what they saw, so each game
// has laws of its own.
type law interface{ broken(c *course) error }

// play plays a game and gives the first breach of a law.
func (c *course) play(laws []law, most int) error {
	c.count.games++
	for {
		for _, l := range laws {
			if err := l.broken(c); err != nil {
				return fmt.Errorf("%T after %d moves, in the phase %s: %w", l, c.Moves(), c.Phase(), err)
			}
		}
		if c.Turn().Actor == machine.Over {
			c.count.whole++
			return nil
		}
		if len(c.log) == most {
			return nil
		}
		in, err := c.next()
		if err != nil {
			return err
		}
		what := "timeout"
		if in.actor == machine.Seat {
			a, _, _ := c.Game().Action(machine.Move(in.value))
			what = a.Name
		}
		if in.actor != machine.Chance {
			c.done[what]++
			c.count.moves++
		}
		c.log = append(c.log, in)
		if err := in.apply(c.Position); err != nil {
			return fmt.Errorf("%s of seat %d after %d moves: %w", what, in.seat, c.Moves(), err)
		}
	}
}

// start begins a game.
func start(tb testing.TB, g *machine.Game) *machine.Position {
	tb.Helper()
	p, err := g.NewPosition()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// played plays a random game to its end.
func played(g *machine.Game, seed uint64, laws ...law) (*machine.Position, error) {
	p, err := g.NewPosition()
	if err != nil {
		return nil, err
	}
	r := generator(seed)
	c := course{Position: p, r: &r, done: map[string]int{}, count: &counts{games: int(seed)}}
	return p, c.play(laws, 1<<30)
}
