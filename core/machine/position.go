package machine

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
)

// Ending says whether and how a game ended.
type Ending int32

// The endings of a game.
const (
	Playing  Ending = iota
	Finished        // an end step was reached
	Limit           // the most moves were made
)

// Actor says whose turn it is.
type Actor int

// The actors.
const (
	Over   Actor = iota // nobody's: the game has ended
	Chance              // the next draw's
	Seat                // a seat's
)

// Turn is who must act: Seat holds the seat where Actor is Seat, and the owner of the next draw where it is Chance (None for
// a draw that belongs to no seat).
type Turn struct {
	Actor Actor
	Seat  int
}

// Position is a game in progress. It is not safe for concurrent use.
type Position struct {
	game    *Game
	cells   []int32 // the registers and then the state
	spare   []int32 // the state before the move in progress
	frame   Frame
	shown   []shown  // what the last step made public
	copied  []int32  // the cells and facts of shown
	effects []Effect // shown, for whoever asks
	values  []int    // backs Effect.Values
}

// NewPosition starts a game. The error is one of the definition's steps, which fail on entering the first phase.
func (g *Game) NewPosition() (*Position, error) {
	p := g.blank()
	copy(p.cells, g.start)
	if err := p.enter(g.Start); err != nil {
		return nil, fmt.Errorf("start of %s: %w", g.Name, err)
	}
	return p, nil
}

func (g *Game) blank() *Position {
	cells := make([]int32, 2*g.size-Registers)
	p := &Position{game: g, cells: cells[:g.size:g.size], spare: cells[g.size:]}
	p.frame.Cells = p.cells
	return p
}

// state is what a position is, without the registers.
func (p *Position) state() []int32 { return p.cells[Registers:] }

// Format tells how far the game is and no more, whatever the verb: a position holds every hand.
func (p *Position) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "%s after %d moves", p.game.Name, p.Moves())
}

// LogValue tells how far the game is and no more.
func (p *Position) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(p)) }

// MarshalText tells how far the game is and no more.
func (p *Position) MarshalText() ([]byte, error) { return fmt.Append(nil, p), nil }

// Game is the game played.
func (p *Position) Game() *Game { return p.game }

// Clone copies the position without the effects of its last move.
func (p *Position) Clone() *Position {
	c := p.game.blank()
	copy(c.cells, p.cells)
	return c
}

// CopyFrom makes the position a copy of another of the same game.
func (p *Position) CopyFrom(from *Position) {
	copy(p.state(), from.state())
	p.shown = p.shown[:0]
}

// Equal reports whether both positions are the same state of the same game.
func (p *Position) Equal(q *Position) bool {
	return p.game == q.game && slices.Equal(p.state(), q.state())
}

// Key is the state as a string that can be compared and hashed.
func (p *Position) Key() string {
	state := p.state()
	b := make([]byte, 0, 4*len(state))
	for _, x := range state {
		b = append(b, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
	}
	return string(b)
}

// Recurring is [Position.Key] without the counts of moves and deals: equal for positions that differ in nothing else.
func (p *Position) Recurring() string {
	moves, deals := p.cells[cellMoves], p.cells[cellDeals]
	p.cells[cellMoves], p.cells[cellDeals] = 0, 0
	key := p.Key()
	p.cells[cellMoves], p.cells[cellDeals] = moves, deals
	return key
}

// Phase names the phase the position is in.
func (p *Position) Phase() string { return p.game.Phases[p.cells[cellPhase]].Name }

// Ending says whether the game is over and why.
func (p *Position) Ending() Ending { return Ending(p.cells[cellOver]) }

// Moves counts the acts and timeouts so far.
func (p *Position) Moves() int { return int(p.cells[cellMoves]) }

// Deals counts the chance phases entered so far, the one in progress included.
func (p *Position) Deals() int { return int(p.cells[cellDeals]) }

// Turn says who must act.
func (p *Position) Turn() Turn {
	switch ph := &p.game.Phases[p.cells[cellPhase]]; {
	case p.cells[cellOver] != 0:
		return Turn{Over, None}
	case ph.chance():
		if ph.Draws[p.cells[cellItem]].Each {
			return Turn{Chance, int(p.cells[cellSeat])}
		}
		return Turn{Chance, None}
	default:
		return Turn{Seat, ph.Turn.get(p.begin(None))}
	}
}

// Clocked reports whether the seat whose turn it is plays against the clock.
func (p *Position) Clocked() bool {
	return p.cells[cellOver] == 0 && p.game.Phases[p.cells[cellPhase]].Clock
}

// Alive reports whether the seat still plays.
func (p *Position) Alive(seat int) bool {
	return p.game.Alive == nil || p.game.Alive(p.begin(None), seat)
}

// begin readies the frame for an expression asked on behalf of a seat.
func (p *Position) begin(me int) *Frame {
	p.cells[Me], p.frame.err = int32(me), nil
	return &p.frame
}

// Check says whether the seat may make the move now. The error is a [*Refusal].
func (p *Position) Check(seat int, m Move) error {
	_, err := p.check(seat, m)
	return err
}

// check gives the number of the move's action.
func (p *Position) check(seat int, m Move) (action int, err error) {
	g := p.game
	if p.cells[cellOver] != 0 {
		return 0, refuse(CodeGameOver, "The game is over; join or create another table.")
	}
	i := g.actionOf(m)
	if i < 0 {
		return 0, refuse(CodeUnknownAction, "This game has no such move; use one listed under legal.")
	}
	f := p.begin(seat)
	ph := &g.Phases[p.cells[cellPhase]]
	if ph.chance() {
		return 0, refuse(CodeNotYourTurn, "It is not your turn; wait with get_state.")
	}
	a := g.actions[i]
	if seat < 0 || seat >= g.Seats || !p.mayAct(f, a, seat, ph.Turn.get(f)) || f.err != nil {
		return 0, refuse(CodeNotYourTurn, "It is not your turn; wait with get_state.")
	}
	if g.phaseOf[i] != int(p.cells[cellPhase]) {
		return 0, refuse(CodeIllegalMove, "That action is not open now; use one listed under legal.")
	}
	for k, x := range g.args[m] {
		f.Cells[Arg+k] = int32(x)
	}
	for k := range a.Params {
		q := &a.Params[k]
		if x := int(g.args[m][k]); (q.Max != nil && x > q.Max(f)) || (q.Min != nil && x < q.Min(f)) {
			return 0, p.outOfRange(a, k)
		}
	}
	if !a.holds(f, int(m-g.first[i])) || f.err != nil {
		sentence := "That move is not legal now; use one listed under legal."
		if a.Refuse != nil {
			sentence = a.Refuse(f)
		}
		return 0, refuse(CodeIllegalMove, sentence)
	}
	return i, nil
}

// holds asks the guard about the tuple of that number, whose arguments are in the frame.
func (a *Action) holds(f *Frame, tuple int) bool {
	switch {
	case a.Row != nil:
		return a.Row(f)[tuple/64]&(1<<(tuple%64)) != 0
	case a.When != nil:
		return a.When(f)
	}
	return true
}

// Act makes a seat's move. The error is a [*Refusal] where the rules say no; any other is a failing step of the definition.
// Either way the position is as it was.
func (p *Position) Act(seat int, m Move) error {
	i, err := p.check(seat, m)
	if err != nil {
		return err
	}
	return p.step(seat, p.game.do[i])
}

// ErrNoTimeout refuses a timeout where no seat plays against the clock.
var ErrNoTimeout = errors.New("no clock is running")

// Timeout does what the rules say of a clock that ran out.
func (p *Position) Timeout() error {
	if !p.Clocked() {
		return ErrNoTimeout
	}
	return p.step(p.Turn().Seat, p.game.timeout[p.cells[cellPhase]])
}

// step runs a step list as one move: all of it or nothing.
func (p *Position) step(me int, list []linked) error {
	copy(p.spare, p.state())
	p.shown, p.copied = p.shown[:0], p.copied[:0]
	f := p.begin(me)
	err := p.run(f, list)
	if err == nil {
		if p.cells[cellMoves]++; int(p.cells[cellMoves]) >= p.game.Limit && p.cells[cellOver] == 0 {
			p.cells[cellOver] = int32(Limit)
		}
	}
	if err != nil {
		copy(p.state(), p.spare)
		p.shown = p.shown[:0]
	}
	return err
}

// run runs a step list and then enters the phases that it and they go to.
func (p *Position) run(f *Frame, list []linked) error {
	to := runSteps(p, f, list)
	if f.err != nil {
		return f.err
	}
	if to >= 0 {
		return p.enter(to)
	}
	return nil
}

// enter goes to a phase, and on through chance phases that have nothing to draw.
func (p *Position) enter(phase int) error {
	for range maxEntries {
		p.cells[cellPhase] = int32(phase)
		ph := &p.game.Phases[phase]
		if !ph.chance() {
			return nil
		}
		more, err := p.open()
		if more || err != nil {
			return err
		}
		f := p.begin(None)
		to := runSteps(p, f, p.game.then[phase])
		if f.err != nil {
			return f.err
		}
		if to < 0 {
			return p.closed()
		}
		phase = to
	}
	return errors.New("the phases go round without anybody to act")
}

// closed checks that a chance phase did not end without saying what comes next.
func (p *Position) closed() error {
	if p.cells[cellOver] == 0 {
		return errors.New("a chance phase ends without goto or end")
	}
	return nil
}
