// Package play is the state of a table as its log tells it, and the one place where events are decided: the server asks it for
// the events that follow a request, and a verifier asks it the same questions again and compares the lines.
//
// A [Table] never changes. Each decision — [Table.Join], [Table.Nonce], [Table.Start], [Table.Act], [Table.Timeout],
// [Table.Resume], [Table.Close] — gives a [Batch]: the lines to append and the table after them, or an error and nothing. Whoever
// keeps the log appends the lines first and only then looks at the next table, so that a crash in between loses nothing that a
// player saw.
//
// The events that follow of themselves (a deal, a show, the end) are in the batch of the decision that led to them. Time comes
// in as an argument, in milliseconds since 1970; dice come from the seed.
package play

import (
	"fmt"
	"log/slog"
	"slices"

	"dudo.example/core/deal"
	"dudo.example/core/machine"
	"dudo.example/core/record"
)

// Status says where a table is in its life.
type Status string

// The states of a table.
const (
	Open Status = "open" // seats can be taken
	Live Status = "live" // the game is on
	Over Status = "over"
)

// Compile gives the game of the table's rules and options for a number of players. Its error for a number that the rules do
// not take is a [*machine.Refusal].
type Compile func(players int) (*machine.Game, error)

// Player is who holds a seat.
type Player struct {
	Name  string
	Bot   *record.Bot // nil for a player who is not a bot of the server's
	Nonce bool        // their own words are in their dice
}

// Table is a table at one moment. It does not change; see [Batch].
type Table struct {
	open    *record.Open
	seed    deal.Seed
	compile Compile

	rev     record.Rev  // events so far
	head    record.Head // after them
	last    int64       // time of the last
	players []Player
	nonces  []deal.Nonce

	dealer  *deal.Dealer
	pos     *machine.Position // nil before the start
	turn    machine.Turn      // whose turn it is
	clocked bool              // and whether against the clock
	since   int64             // when the turn in progress was given
	round   int               // deals so far but for those that rolled some dice again
	dealt   int               // number of the last deal
	dealtAt int64             // its event
	drawn   []drawn           // in it, and before it where it replaced nothing
	acts    *made             // the last one since the last deal
	show    *Shown            // the last one
	end     *record.End

	replayed bool        // by a Replay, which has no use for the table before a decision and lets it go
	given    record.Line // the line of the decision being taken again, once its members are what the decision makes of them
}

// drawn is what a deal drew for one owner.
type drawn struct {
	owner     int
	key       deal.Key
	variables []int
}

// Batch is a decision: the lines it adds to the log, at least one, and the table after them.
type Batch struct {
	Next  *Table
	Lines []record.Line

	events []record.Event // which the lines are
}

// Info is what the open event says. It is shared and for reading only.
func (t *Table) Info() *record.Open { return t.open }

// Format tells which table it is and no more, whatever the verb: a table holds the seed and every hand.
func (t *Table) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "game %s at event %d", t.open.GID, t.rev)
}

// LogValue tells which table it is and no more.
func (t *Table) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(t)) }

// MarshalText tells which table it is and no more.
func (t *Table) MarshalText() ([]byte, error) { return fmt.Append(nil, t), nil }

// Rev counts the events so far.
func (t *Table) Rev() record.Rev { return t.rev }

// Head is the chain's head after them.
func (t *Table) Head() record.Head { return t.head }

// LastTime is the time of the last event.
func (t *Table) LastTime() int64 { return t.last }

// Status says where the table is in its life.
func (t *Table) Status() Status {
	switch {
	case t.end != nil:
		return Over
	case t.pos != nil:
		return Live
	default:
		return Open
	}
}

// Players are those who sit at the table, by seat. The list is shared and for reading only.
func (t *Table) Players() []Player { return t.players[:len(t.players):len(t.players)] }

// Position is a copy of the game in progress, or as it ended; nil before the start.
func (t *Table) Position() *machine.Position {
	if t.pos == nil {
		return nil
	}
	return t.pos.Clone()
}

// Supposing is the table with another position of its game: for asking what would be seen if hidden values were others.
func (t *Table) Supposing(pos *machine.Position) *Table {
	other := *t
	other.pos = pos.Clone()
	return &other
}

// Deal is the number of the last deal, 0 before the first, and the number of its event.
func (t *Table) Deal() (deal int, n int64) { return t.dealt, t.dealtAt }

// Round counts the rounds so far. A deal begins one, unless it only rolls some dice again.
func (t *Table) Round() int { return t.round }

// Made is a move with the number of its event.
type Made struct {
	N int64
	record.Act
}

// made is a move and the one before it. Tables share the list, so that a move costs the same however many came before.
type made struct {
	Made
	before *made
}

// Acts are the moves since the last deal, the first one first.
func (t *Table) Acts() []Made {
	var list []Made
	for a := t.acts; a != nil; a = a.before {
		list = append(list, a.Made)
	}
	slices.Reverse(list)
	return list
}

// Shown is a showdown with the number of its event.
type Shown struct {
	N int64
	record.Show
}

// LastShow is the last showdown, nil if there was none.
func (t *Table) LastShow() *Shown { return t.show }

// End is how the game ended, nil while it has not.
func (t *Table) End() *record.End { return t.end }

// Turn is the seat whose turn it is; ok is false if the game is not on.
func (t *Table) Turn() (seat int, ok bool) {
	return t.turn.Seat, t.Status() == Live && t.turn.Actor == machine.Seat
}

// Deadline is the last moment at which the turn in progress can be played; ok is false if no clock runs. A move at the
// deadline is in time, a timeout comes after it.
func (t *Table) Deadline() (at int64, ok bool) {
	if t.Status() != Live || !t.clocked {
		return 0, false
	}
	return t.since + int64(t.open.TurnSeconds)*1000, true
}
