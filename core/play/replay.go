package play

import (
	"errors"
	"fmt"

	"dudo.example/core/deal"
	"dudo.example/core/record"
)

// Replay decides a log again, line by line. Every line is either a decision, which is taken again with the time and the
// arguments that it states, or follows of itself from the last decision.
type Replay struct {
	rules   func(record.Open) (Compile, error)
	seed    deal.Seed
	table   *Table
	pending []record.Line  // what must come next
	events  []record.Event // which the lines are
}

// NewReplay begins a replay with the game's seed; rules finds the game that an open event names.
func NewReplay(seed deal.Seed, rules func(record.Open) (Compile, error)) *Replay {
	return &Replay{rules: rules, seed: seed}
}

// Table is the table after the decisions so far; nil before the first. It is valid until the next line.
func (r *Replay) Table() *Table {
	if r.table == nil {
		return nil
	}
	t := *r.table
	t.replayed, t.given = false, ""
	return &t
}

// Pending says whether lines must follow, such as the deal after a start. A log that ends here was cut short.
func (r *Replay) Pending() bool { return len(r.pending) > 0 }

// Mismatch is a line that is not what the rules and the seed say it must be.
type Mismatch struct {
	N    int64
	Want record.Line // what must stand there; empty if nothing of the kind may
	Got  record.Line
	Err  error // why the decision is none; nil if it is only the line that differs
}

func (m *Mismatch) Error() string {
	if m.Err != nil {
		return fmt.Sprintf("event %d: %v", m.N, m.Err)
	}
	return fmt.Sprintf("event %d is not what follows from the rules and the seed", m.N)
}

// Unwrap gives the reason why the decision is none.
func (m *Mismatch) Unwrap() error { return m.Err }

// Reasons for a [Mismatch] besides the refusals of a decision.
var (
	ErrOutOfPlace = errors.New("an event of this type cannot stand here")
	ErrAfterEnd   = errors.New("the log goes on after its end")
	ErrNumber     = errors.New("the events are not numbered from 0")
	ErrTime       = errors.New("the time is less than that of the event before")
	ErrSeat       = errors.New("it is not that seat's")
	ErrNotOver    = errors.New("the game is not over")
)

// Next takes the next line and gives its event. The error is that of [record.Parse], or a [*Mismatch]; the replay is then of
// no further use.
func (r *Replay) Next(line record.Line) (record.Event, error) {
	if len(r.pending) > 0 && r.pending[0] == line {
		return r.take(), nil
	}
	e, err := record.Parse(line)
	if err != nil {
		return record.Event{}, err
	}
	if len(r.pending) == 0 {
		if err := r.decide(e, line); err != nil {
			return e, &Mismatch{N: e.N, Got: line, Err: err}
		}
	}
	if r.pending[0] != line {
		return e, &Mismatch{N: e.N, Want: r.pending[0], Got: line}
	}
	return r.take(), nil
}

// take takes what must come next.
func (r *Replay) take() record.Event {
	e := r.events[0]
	r.events, r.pending = r.events[1:], r.pending[1:]
	return e
}

func (r *Replay) made(b *Batch) { r.table, r.pending, r.events = b.Next, b.Lines, b.events }

// decide takes a decision again. An event other than open and end holds nothing but what the decision is asked with, and a
// line that was read as an event is the only way to write it: so the line need not be written again to be compared.
func (r *Replay) decide(e record.Event, line record.Line) error {
	if r.table == nil {
		return r.begin(e, line)
	}
	r.table.given = ""
	if _, ok := e.Body.(record.End); !ok {
		r.table.given = line
	}
	b, err := r.table.again(e)
	if err != nil {
		return err
	}
	r.made(b)
	return nil
}

func (r *Replay) begin(e record.Event, line record.Line) error {
	open, ok := e.Body.(record.Open)
	if !ok {
		return ErrOutOfPlace
	}
	compile, err := r.rules(open)
	if err != nil {
		return err
	}
	t := newTable(open, r.seed, compile)
	t.replayed = true
	if e.N == 0 && t.open.Commit == open.Commit {
		t.given = line
	}
	r.made(t.opened(e.T))
	return nil
}

// again takes the decision that an event states.
func (t *Table) again(e record.Event) (*Batch, error) {
	switch {
	case t.end != nil:
		return nil, ErrAfterEnd
	case e.N != int64(t.rev):
		return nil, ErrNumber
	case e.T < t.last:
		return nil, ErrTime
	}
	switch b := e.Body.(type) {
	case record.Join:
		if b.Seat != len(t.players) {
			return nil, ErrSeat
		}
		return t.Join(e.T, b.Name, b.Bot)
	case record.Nonce:
		return t.Nonce(e.T, b.Seat, b.Nonce)
	case record.Start:
		return t.Start(e.T, b.By)
	case record.Act:
		return t.Act(e.T, b.Seat, Move{Action: b.Action, Args: b.Args, Say: b.Say})
	case record.Timeout:
		if seat, ok := t.Turn(); !ok || seat != b.Seat {
			return nil, ErrSeat
		}
		return t.Timeout(e.T, b.Fault)
	case record.Resume:
		return t.Resume(e.T)
	case record.End:
		if b.Reason == record.ReasonFinished || b.Reason == record.ReasonLimit {
			return nil, ErrNotOver
		}
		return t.Close(e.T, b.Reason)
	case record.Open, record.Deal, record.Show:
		return nil, ErrOutOfPlace
	default:
		return nil, ErrOutOfPlace
	}
}
