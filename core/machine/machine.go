// Package machine is the engine: it plays any game that a [Definition] describes and knows none by name.
//
// # State
//
// A position is a flat vector of bounded integers. Every variable of the definition has its cells in it, per-seat
// variables one after the other by seat, a zone (a bounded list) as its length and then its elements. A vector clones by
// copy and compares word by word, and its bounds are checked at every write, so a definition cannot leave the state that it
// declared: the step that tries fails, and with it the whole move.
//
// # Who acts
//
// A position waits for one of three: chance (the next draw of a chance phase), a seat (a decision phase), or nobody (the
// game is over). Chance and the clock are actors like the seats. The machine has no dice and no time; a draw's value and the
// fact that a clock ran out come in from outside, where they are recorded and can be decided again.
//
//	Turn       who must act
//	Legal      the moves a seat may make, as a set in a stable order
//	Act        a seat's move
//	Draw       chance's
//	Timeout    the clock's
//	View       what one viewer may know, built up from nothing
//	Result     places or payoffs
//
// A refused move leaves the position as it was, to the last cell. A [Game] is immutable and shared by every table that
// plays it; a [Position] belongs to one goroutine at a time.
//
// # Expressions
//
// Conditions and values are Go closures over a [Frame], which whoever builds the definition compiles from its own language.
// They read the cells of the position and the registers before them, and they may [Frame.Fail].
package machine

import (
	"errors"
	"fmt"
)

// Limits of a definition. They bound what a rule file of a stranger can cost.
const (
	MaxSeats    = 10   // seats at a table
	MaxParams   = 4    // parameters of an action
	MaxMoves    = 4096 // numbered moves of a game, all actions together
	MaxCells    = 4096 // integers in a position
	MaxLocals   = 64   // local slots of a frame
	MaxOutcome  = 256  // outcomes of one draw
	maxEntries  = 16   // phases entered by one move
	maxValue    = 1<<31 - 1
	maxArgument = 1<<15 - 1
	MaxLimit    = 20000 // greatest move limit
)

// Int is a compiled integer expression.
type Int func(*Frame) int

// Bool is a compiled condition.
type Bool func(*Frame) bool

// Value is what a step reads: a cell and a constant, added, or else an expression. The zero Value is 0.
type Value struct {
	Of   Int
	Cell int // 0 for none
	Plus int
}

func (v *Value) get(f *Frame) int {
	if v.Of != nil {
		return v.Of(f)
	}
	return int(f.Cells[v.Cell]) + v.Plus
}

// SeatInt is an integer expression about one seat.
type SeatInt func(f *Frame, seat int) int

// SeatBool is a condition about one seat.
type SeatBool func(f *Frame, seat int) bool

// None is the value of a seat variable that holds no seat, and the viewer number of a spectator.
const None = -1

// The cells before those of a position are registers: what an expression reads besides the position. Cell 0 is always 0.
const (
	Me        = 1               // the acting seat, or None for chance
	Arg       = Me + 1          // the move's arguments, in the order of its parameters
	Local     = Arg + MaxParams // slots for let, each and the parameters of functions
	Registers = Local + MaxLocals
)

// Frame is what an expression reads.
type Frame struct {
	Cells []int32 // the registers and then the position; see [Layout]
	err   error   // the first failure
}

// NewFrame is a frame without a position.
func NewFrame() *Frame { return &Frame{Cells: make([]int32, Registers)} }

// Fail makes the step in progress fail, and with it the whole move. The first failure is kept.
func (f *Frame) Fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// clear forgets the first failure.
func (f *Frame) clear() {
	if f.err != nil {
		f.err = nil
	}
}

// Err is the first failure since the frame was readied, nil if there is none.
func (f *Frame) Err() error { return f.err }

// See says who sees a variable while it is not revealed.
type See int

// The four ways to see a variable.
const (
	SeeAll   See = iota // everybody
	SeeOwner            // the seat it belongs to
	SeeNone             // nobody
	SeeIf               // whoever Var.SeeIf says
)

// Kind says how a variable's integers are meant when they are shown.
type Kind int

// The kinds of integers.
const (
	KindInt  Kind = iota // a number
	KindBool             // 0 or 1, shown as false or true
	KindSeat             // a seat or None, shown as a number or null
)

// Var declares a variable.
type Var struct {
	Name    string // unique; a field of a record is named "record.field"
	As      string // the name in views, Name if empty
	Doc     string
	Kind    Kind
	PerSeat bool
	Zone    int   // capacity of a bounded list, 0 for a single integer
	Min     int   // least value of the integer, or of each element
	Max     int   // greatest value
	Init    []int // the first value, one a seat if PerSeat; nil means all Min clamped to 0 where 0 is in range
	Deck    []int // first elements of a zone that does not belong to seats
	See     See
	SeeIf   func(f *Frame, viewer, owner int) bool
}

// Param declares an integer parameter of an action. Low and High are fixed bounds, within ±32,767, that number the moves; Min and Max, where
// given, narrow them in a position.
type Param struct {
	Name, Doc string
	Low, High int
	Min, Max  Int
}

// Action declares what a seat may do in a phase.
type Action struct {
	Name, Doc string
	Params    []Param
	Who       SeatBool              // which seats may act; nil means the seat whose turn it is
	When      Bool                  // the guard; nil means always, and a failing one means no. It may read the arguments, Me, and what Me sees
	Row       func(*Frame) []uint64 // the tuples of arguments for which When holds, a bit each and no others; asked instead of When where it is given
	Refuse    func(*Frame) string   // the sentence for a player whom the guard stops
	Private   bool                  // the guard reads what only its actor sees, so the list of legal moves is the actor's secret
	Do        []Step
}

// Draw declares draws of a chance phase into one variable.
type Draw struct {
	Into   int      // variable number
	Each   bool     // for every seat in order, the variable is PerSeat; the draws belong to the seat
	When   SeatBool // for which owners, all if nil; the others keep what they have. Seat is None for a variable of no seat
	Counts int      // instead of Count: the first of the cells, one a seat, that say how many; 0 for none
	Count  SeatInt  // how many, 1 if nil; a zone is cleared before its first draw of the phase
	Min    Int      // least and greatest value of a uniform draw; nil if they are Low and High in every position
	Max    Int
	Low    int
	High   int
	From   int  // zone to draw from without replacement, -1 for a uniform draw
	Sort   bool // sort the zone in ascending order after its last draw
}

// Phase is a stage of a game: a chance phase has Draws and Then, a decision phase has Actions and Turn.
type Phase struct {
	Name    string
	Draws   []Draw
	Then    []Step
	Turn    Value
	Clock   bool   // a seat has turn_seconds to act
	Timeout []Step // what a run-out clock does; Me is the seat whose turn it was
	Actions []Action
}

func (p *Phase) chance() bool { return len(p.Draws) > 0 }

// Definition is a game for one number of seats and one set of options.
type Definition struct {
	Name, Title, About string
	Seats              int
	Vars               []Var
	Alive              SeatBool // which seats still play; nil means all
	Phases             []Phase
	Start              int     // the phase a game begins with
	Rank               SeatInt // the place of each seat at the end, from 1; or
	Payoff             SeatInt // what it wins or loses
	Limit              int     // most moves in a game, at least 1
}

// header cells of a position.
const (
	cellPhase = Registers + iota
	cellOver  // an Ending
	cellMoves // acts and timeouts so far
	cellDeals // chance phases entered
	cellItem  // progress of a chance phase: the draw, the seat, how many are drawn, how many there will be
	cellSeat
	cellDrawn
	cellCount
	endHeader
)

// Layout says where each variable's cells begin in a position of that many seats, and how many cells there are with the
// registers. A variable of one seat begins Stride cells after that of the seat before; a zone is its length and then its
// elements, and its cells after these are 0.
func Layout(vars []Var, seats int) (offsets []int, size int) {
	size = endHeader
	offsets = make([]int, len(vars))
	for i, v := range vars {
		offsets[i] = size
		size += v.Stride() * v.owners(seats)
	}
	for _, v := range vars {
		if v.See != SeeAll {
			size += v.owners(seats) // a revealed flag each
		}
	}
	return offsets, size
}

// Stride is the number of cells of the variable for one owner.
func (v *Var) Stride() int { return 1 + v.Zone }

func (v *Var) owners(seats int) int {
	if v.PerSeat {
		return seats
	}
	return 1
}

// Label is the variable's name in views.
func (v *Var) Label() string {
	if v.As != "" {
		return v.As
	}
	return v.Name
}

// Game is a checked definition, ready to play. It does not change and may be shared.
type Game struct {
	Definition
	offsets []int
	flags   []int // offset of the revealed flags of a variable, 0 where it has none
	size    int
	parted  []bool // of which variables elements leave unseen; see [Game.Parted]
	owned   int    // variables, those of seats counted for each
	stages  []stage
	options []*option  // the actions of every phase, in order
	moves   []numbered // by number
	start   []int32
}

// stage is a phase with what it needs of the game looked up.
type stage struct {
	*Phase
	turn          Value
	draws         []drawing
	options       []*option
	then, timeout []linked
}

// NewGame checks a definition's shape and prepares it. The error says what the builder got wrong.
func NewGame(d Definition) (*Game, error) {
	g := &Game{Definition: d}
	if err := g.check(); err != nil {
		return nil, fmt.Errorf("game %s: %w", d.Name, err)
	}
	g.offsets, g.size = Layout(d.Vars, d.Seats)
	if n := g.size - Registers; n > MaxCells {
		return nil, fmt.Errorf("game %s: a position of %d integers is above the limit of %d", d.Name, n, MaxCells)
	}
	for i := range g.Phases {
		g.stages = append(g.stages, stage{Phase: &g.Phases[i], turn: g.Phases[i].Turn, draws: g.drawings(&g.Phases[i])})
	}
	if err := g.number(); err != nil {
		return nil, fmt.Errorf("game %s: %w", d.Name, err)
	}
	for i := range d.Vars {
		g.owned += d.Vars[i].owners(d.Seats)
	}
	g.flags = make([]int, len(d.Vars))
	at := g.size
	for i := len(d.Vars) - 1; i >= 0; i-- {
		if v := &d.Vars[i]; v.See != SeeAll {
			at -= v.owners(d.Seats)
			g.flags[i] = at
		}
	}
	g.parted = make([]bool, len(d.Vars))
	l := linker{game: g, lists: map[*Step][]linked{}}
	for _, o := range g.options {
		o.do = l.list(o.Do)
	}
	for i := range g.stages {
		s := &g.stages[i]
		s.then, s.timeout = l.list(s.Then), l.list(s.Timeout)
	}
	g.start = make([]int32, g.size)
	for i := range d.Vars {
		g.init(i)
	}
	return g, nil
}

func (g *Game) init(i int) {
	v := &g.Vars[i]
	for owner := range v.owners(g.Seats) {
		at := g.offsets[i] + owner*v.Stride()
		if v.Zone > 0 {
			g.start[at] = int32(len(v.Deck))
			for k, x := range v.Deck {
				g.start[at+1+k] = int32(x)
			}
			continue
		}
		switch {
		case v.Init != nil:
			g.start[at] = int32(v.Init[owner])
		case v.Min > 0:
			g.start[at] = int32(v.Min)
		case v.Max < 0:
			g.start[at] = int32(v.Max)
		}
	}
}

func (g *Game) check() error {
	if g.Seats < 1 || g.Seats > MaxSeats {
		return fmt.Errorf("%d seats, want 1 to %d", g.Seats, MaxSeats)
	}
	if g.Limit < 1 || g.Limit > MaxLimit {
		return fmt.Errorf("a limit of %d moves, want 1 to %d", g.Limit, MaxLimit)
	}
	if (g.Rank == nil) == (g.Payoff == nil) {
		return errors.New("want either a rank or a payoff")
	}
	if g.Start < 0 || g.Start >= len(g.Phases) {
		return errors.New("the start phase does not exist")
	}
	for i := range g.Vars {
		v := &g.Vars[i]
		n := v.owners(g.Seats)
		switch {
		case v.Min > v.Max || v.Min < -maxValue || v.Max > maxValue:
			return fmt.Errorf("variable %s: range %d to %d", v.Name, v.Min, v.Max)
		case v.Init != nil && len(v.Init) != n:
			return fmt.Errorf("variable %s: %d first values, want %d", v.Name, len(v.Init), n)
		case len(v.Deck) > v.Zone:
			return fmt.Errorf("variable %s: %d first elements in a zone of %d", v.Name, len(v.Deck), v.Zone)
		case (v.See == SeeIf) != (v.SeeIf != nil):
			return fmt.Errorf("variable %s: a condition for seeing goes with SeeIf", v.Name)
		case v.See == SeeOwner && !v.PerSeat:
			return fmt.Errorf("variable %s: an owner sees it, but it belongs to no seat", v.Name)
		}
		for _, x := range append(append([]int(nil), v.Init...), v.Deck...) {
			if x < v.Min || x > v.Max {
				return fmt.Errorf("variable %s: first value %d is not in %d to %d", v.Name, x, v.Min, v.Max)
			}
		}
	}
	for i := range g.Phases {
		if err := g.checkPhase(&g.Phases[i]); err != nil {
			return fmt.Errorf("phase %s: %w", g.Phases[i].Name, err)
		}
	}
	return nil
}

func (g *Game) checkPhase(p *Phase) error {
	if p.chance() == (len(p.Actions) > 0) {
		return errors.New("want either draws or actions")
	}
	for _, d := range p.Draws {
		if d.Into < 0 || d.Into >= len(g.Vars) || d.From >= len(g.Vars) {
			return errors.New("a draw of a variable that does not exist")
		}
		if d.Each != g.Vars[d.Into].PerSeat {
			return fmt.Errorf("draws into %s: a variable of each seat is drawn for each seat", g.Vars[d.Into].Name)
		}
		if (d.Min == nil) != (d.Max == nil) || (d.From >= 0 && d.Min != nil) || d.Low > d.High {
			return fmt.Errorf("draws into %s: want a range or a zone", g.Vars[d.Into].Name)
		}
		if d.From >= 0 && (g.Vars[d.From].Zone == 0 || g.Vars[d.From].PerSeat) {
			return fmt.Errorf("draws from %s: want a zone that belongs to no seat", g.Vars[d.From].Name)
		}
	}
	return nil
}

// Parted reports whether some step takes elements out of a zone that not everybody sees, to where not everybody sees them: what
// is then left of it is not all that was drawn into it.
func (g *Game) Parted(variable int) bool { return g.parted[variable] }

// Var finds a variable by name.
func (g *Game) Var(name string) (int, bool) {
	for i := range g.Vars {
		if g.Vars[i].Name == name {
			return i, true
		}
	}
	return 0, false
}
