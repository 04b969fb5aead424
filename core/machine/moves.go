package machine

import "fmt"

// Move numbers an action with its arguments. Numbers are fixed for a game: actions in the order of the definition, the
// first parameter most significant. Each action begins at a multiple of 64, so that a row of legal moves is whole words;
// numbers in between name nothing.
type Move int

// numbered is what a move's number stands for.
type numbered struct {
	*option // nil for a number that names nothing
	args    [MaxParams]int32
}

// number gives every move its number.
func (g *Game) number() error {
	for i := range g.stages {
		s := &g.stages[i]
		for k := range s.Actions {
			o := &option{Action: &s.Actions[k], phase: i, first: Move(len(g.moves))}
			if err := o.count(); err != nil {
				return err
			}
			o.from = len(g.moves) / 64
			if o.end = o.from + len(o.all); o.end*64 > MaxMoves {
				return fmt.Errorf("more than %d moves", MaxMoves)
			}
			g.options, s.options = append(g.options, o), append(s.options, o)
			g.enumerate(o)
			o.bound(g.moves[o.first:])
		}
	}
	return nil
}

// count makes the set of all tuples of arguments.
func (o *option) count() error {
	if len(o.Params) > MaxParams {
		return fmt.Errorf("action %s: %d parameters, at most %d", o.Name, len(o.Params), MaxParams)
	}
	o.tuples = 1
	for _, q := range o.Params {
		if q.Low > q.High || q.Low < -maxArgument || q.High > maxArgument {
			return fmt.Errorf("action %s: %s from %d to %d", o.Name, q.Name, q.Low, q.High)
		}
		if o.tuples *= q.High - q.Low + 1; o.tuples > MaxMoves || q.High-q.Low >= MaxMoves {
			return fmt.Errorf("action %s has more than %d moves", o.Name, MaxMoves)
		}
	}
	o.all = make([]uint64, (o.tuples+63)/64)
	for id := range o.tuples {
		o.all[id/64] |= 1 << (id % 64)
	}
	return nil
}

func (g *Game) enumerate(o *option) {
	for id := range len(o.all) * 64 {
		var n numbered
		if id < o.tuples {
			n.option = o
			for i, rest := len(o.Params)-1, id; i >= 0; i-- {
				span := o.Params[i].High - o.Params[i].Low + 1
				n.args[i] = int32(o.Params[i].Low + rest%span)
				rest /= span
			}
		}
		g.moves = append(g.moves, n)
	}
}

// Moves is one more than the greatest move number of the game.
func (g *Game) Moves() int { return len(g.moves) }

// Action says what a move does and with which arguments; ok is false for a number that names no move.
func (g *Game) Action(m Move) (a *Action, args []int32, ok bool) {
	n := g.named(m)
	if n == nil {
		return nil, nil, false
	}
	return n.Action, n.args[:len(n.Params):len(n.Params)], true
}

func (g *Game) named(m Move) *numbered {
	if m < 0 || int(m) >= len(g.moves) || g.moves[m].option == nil {
		return nil
	}
	return &g.moves[m]
}

// FindAction finds an action of the phase the position is in, else of any phase.
func (p *Position) FindAction(name string) (*Action, bool) {
	o := p.game.find(name, int(p.head[cellPhase]))
	if o == nil {
		return nil, false
	}
	return o.Action, true
}

// find gives the action of that name in the phase, else in any other phase, else nil.
func (g *Game) find(name string, phase int) *option {
	var other *option
	for _, o := range g.options {
		if o.Name != name {
			continue
		}
		if o.phase == phase {
			return o
		}
		if other == nil {
			other = o
		}
	}
	return other
}

// Move numbers an action of the position's phase with arguments in the order of its parameters. The error is a
// [*Refusal] that says what would be accepted.
func (p *Position) Move(name string, args ...int) (Move, error) {
	o := p.game.find(name, int(p.head[cellPhase]))
	if o == nil {
		return 0, refuse(CodeUnknownAction, "This game has no such action; use one listed under legal.")
	}
	if len(args) != len(o.Params) {
		return 0, refuse(CodeBadArgument, fmt.Sprintf("%s takes %d arguments.", o.Name, len(o.Params)))
	}
	id := 0
	for k, q := range o.Params {
		if args[k] < q.Low || args[k] > q.High {
			return 0, p.outOfRange(o.Action, k)
		}
		id = id*(q.High-q.Low+1) + args[k] - q.Low
	}
	return o.first + Move(id), nil
}

// Text writes a move as its action and arguments, such as "bid 3 5".
func (g *Game) Text(m Move) string {
	a, args, ok := g.Action(m)
	if !ok {
		return fmt.Sprintf("move(%d)", int(m))
	}
	s := a.Name
	for _, x := range args {
		s += fmt.Sprintf(" %d", x)
	}
	return s
}
