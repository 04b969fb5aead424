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
	cells   []int32           // the registers and then the state
	head    *[endHeader]int32 // the first of them, up to the variables
	stage   *stage            // that the state is in
	spare   []int32           // the state before the move in progress
	frame   Frame
	written [MaxAssigns]written // by the [Set] in progress
	shown   []shown             // what the last step made public
	copied  []int32             // the cells and facts of shown
	effects []Effect            // shown, for whoever asks
	values  []int               // backs Effect.Values
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
	p := &Position{game: g, cells: cells[:g.size:g.size], head: (*[endHeader]int32)(cells), spare: cells[g.size:]}
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
	c.CopyFrom(p)
	return c
}

// CopyFrom makes the position a copy of another of the same game.
func (p *Position) CopyFrom(from *Position) {
	copy(p.state(), from.state())
	p.settle()
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
	moves, deals := p.head[cellMoves], p.head[cellDeals]
	p.head[cellMoves], p.head[cellDeals] = 0, 0
	key := p.Key()
	p.head[cellMoves], p.head[cellDeals] = moves, deals
	return key
}

// Phase names the phase the position is in.
func (p *Position) Phase() string { return p.stage.Name }

// Ending says whether the game is over and why.
func (p *Position) Ending() Ending { return Ending(p.head[cellOver]) }

// Moves counts the acts and timeouts so far.
func (p *Position) Moves() int { return int(p.head[cellMoves]) }

// Deals counts the chance phases entered so far, the one in progress included.
func (p *Position) Deals() int { return int(p.head[cellDeals]) }

// Turn says who must act.
func (p *Position) Turn() Turn {
	s := p.stage
	switch {
	case p.head[cellOver] != 0:
		return Turn{Over, None}
	case !s.chance():
		return Turn{Seat, s.turn.get(p.begin(None))}
	case s.draws[p.head[cellItem]].Each:
		return Turn{Chance, int(p.head[cellSeat])}
	}
	return Turn{Chance, None}
}

// Clocked reports whether the seat whose turn it is plays against the clock.
func (p *Position) Clocked() bool {
	return p.head[cellOver] == 0 && p.stage.Clock
}

// Alive reports whether the seat still plays.
func (p *Position) Alive(seat int) bool {
	return p.game.Alive == nil || p.game.Alive(p.begin(None), seat)
}

// begin readies the frame for an expression asked on behalf of a seat.
func (p *Position) begin(me int) *Frame {
	p.head[Me] = int32(me)
	p.frame.clear()
	return &p.frame
}

// Act makes a seat's move. The error is a [*Refusal] where the rules say no; any other is a failing step of the definition.
// Either way the position is as it was.
func (p *Position) Act(seat int, m Move) error {
	o, err := p.check(seat, m)
	if err != nil {
		return err
	}
	return p.step(seat, o.do)
}

// ErrNoTimeout refuses a timeout where no seat plays against the clock.
var ErrNoTimeout = errors.New("no clock is running")

// Timeout does what the rules say of a clock that ran out.
func (p *Position) Timeout() error {
	if !p.Clocked() {
		return ErrNoTimeout
	}
	return p.step(p.Turn().Seat, p.stage.timeout)
}

// step runs a step list as one move: all of it or nothing.
func (p *Position) step(me int, list []linked) error {
	copy(p.spare, p.state())
	p.shown = p.shown[:0]
	p.copied = p.copied[:0]
	f := p.begin(me)
	to := runSteps(p, f, list)
	err := f.err
	if err == nil && to >= 0 {
		err = p.enter(to)
	}
	if err != nil {
		p.restore()
		return err
	}
	if p.head[cellMoves]++; int(p.head[cellMoves]) >= p.game.Limit && p.head[cellOver] == 0 {
		p.head[cellOver] = int32(Limit)
	}
	return nil
}

// restore takes back the move in progress.
func (p *Position) restore() {
	copy(p.state(), p.spare)
	p.settle()
	p.shown = p.shown[:0]
}

// settle finds the stage that the state is in.
func (p *Position) settle() { p.stage = &p.game.stages[p.head[cellPhase]] }

// enter goes to a phase, and on through chance phases that have nothing to draw.
func (p *Position) enter(phase int) error {
	for range maxEntries {
		p.head[cellPhase] = int32(phase)
		p.settle()
		if !p.stage.chance() {
			return nil
		}
		more, err := p.open()
		if more || err != nil {
			return err
		}
		f := p.begin(None)
		to := runSteps(p, f, p.stage.then)
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
	if p.head[cellOver] == 0 {
		return errors.New("a chance phase ends without goto or end")
	}
	return nil
}
