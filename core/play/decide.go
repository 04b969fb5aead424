package play

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"dudo.example/core/deal"
	"dudo.example/core/machine"
	"dudo.example/core/record"
)

// MaxSay is the length of a player's talk in characters.
const MaxSay = 140

// The codes of this package's refusals; see [machine.Refusal].
const (
	CodeStarted    = "already_started"
	CodeNotStarted = "not_started"
	CodeTableFull  = "table_full"
	CodeNameTaken  = "name_taken"
	CodeNonceGiven = "nonce_given"
	CodeBadText    = "bad_text"
	CodeTooLate    = "too_late"
)

func refuse(code, sentence string) error { return &machine.Refusal{Code: code, Sentence: sentence} }

// batch collects the events of one decision on a copy of the table, or in a replay on the table itself.
type batch struct {
	next   *Table
	now    int64
	events []record.Event
	lines  []record.Line

	// Room for most batches.
	roomForEvents [4]record.Event
	roomForLines  [4]record.Line
}

func (t *Table) begin(now int64) *batch {
	b := &batch{next: t, now: max(now, t.last)}
	b.events, b.lines = b.roomForEvents[:0], b.roomForLines[:0]
	if t.replayed {
		return b
	}
	next := *t
	if t.pos != nil {
		next.pos = t.pos.Clone()
	}
	b.next = &next
	return b
}

func (b *batch) add(body record.Body) {
	t := b.next
	e := record.Event{N: int64(t.rev), T: b.now, Body: body}
	line := t.given
	if t.given = ""; line == "" {
		line = e.Encode()
	}
	t.rev++
	t.last = b.now
	t.head = t.head.Next(line)
	b.events, b.lines = append(b.events, e), append(b.lines, line)
}

func (b *batch) done() *Batch {
	if pos := b.next.pos; pos != nil {
		b.next.turn, b.next.clocked = pos.Turn(), pos.Clocked()
	}
	return &Batch{Next: b.next, Lines: b.lines, events: b.events}
}

// New opens a table. The commitment in the open event is that of the seed, whatever it said.
func New(now int64, open record.Open, seed deal.Seed, compile Compile) *Batch {
	return newTable(open, seed, compile).opened(now)
}

func newTable(open record.Open, seed deal.Seed, compile Compile) *Table {
	open.Commit = seed.Commit()
	return &Table{open: &open, seed: seed, compile: compile, head: record.NoHead}
}

func (t *Table) opened(now int64) *Batch {
	b := t.begin(now)
	b.add(*t.open)
	return b.done()
}

// Join gives a player the next seat.
func (t *Table) Join(now int64, name string, bot *record.Bot) (*Batch, error) {
	switch {
	case t.Status() != Open:
		return nil, refuse(CodeStarted, "The game at this table has begun; join another table.")
	case len(t.players) == t.open.Seats:
		return nil, refuse(CodeTableFull, "Every seat at this table is taken; join another table.")
	}
	for _, p := range t.players {
		if p.Name == name {
			return nil, refuse(CodeNameTaken, "Somebody at this table has that name; choose another.")
		}
	}
	b := t.begin(now)
	b.add(record.Join{Seat: len(t.players), Name: name, Bot: bot})
	b.next.players = append(t.Players(), Player{Name: name, Bot: bot})
	return b.done(), nil
}

// Nonce mixes a seated player's own words into their dice, once, before the start.
func (t *Table) Nonce(now int64, seat int, words string) (*Batch, error) {
	switch {
	case seat < 0 || seat >= len(t.players):
		return nil, fmt.Errorf("nonce for seat %d of %d", seat, len(t.players))
	case t.Status() != Open:
		return nil, refuse(CodeStarted, "The game has begun; a nonce has to come before the start.")
	case t.players[seat].Nonce:
		return nil, refuse(CodeNonceGiven, "You have given a nonce; it cannot be changed.")
	case words == "" || len(words) > deal.MaxNonce || !utf8.ValidString(words):
		return nil, refuse(CodeBadText, "A nonce is 1 to 128 bytes of text.")
	}
	b := t.begin(now)
	b.add(record.Nonce{Seat: seat, Nonce: words})
	b.next.players = slices.Clone(t.players)
	b.next.players[seat].Nonce = true
	b.next.nonces = append(t.nonces[:len(t.nonces):len(t.nonces)], deal.Nonce{Seat: seat, Words: words})
	return b.done(), nil
}

// Start begins the game with those who sit at the table.
func (t *Table) Start(now int64, by int) (*Batch, error) {
	if t.Status() != Open {
		return nil, refuse(CodeStarted, "The game has begun; call get_state.")
	}
	if by < 0 || by >= len(t.players) {
		return nil, fmt.Errorf("start by seat %d of %d", by, len(t.players))
	}
	game, err := t.compile(len(t.players))
	if err != nil {
		return nil, err
	}
	pos, err := game.NewPosition()
	if err != nil {
		return nil, err
	}
	b := t.begin(now)
	b.add(record.Start{By: by})
	b.next.pos = pos
	b.next.dealer = deal.NewDealer(t.seed, t.open.GID, t.nonces)
	b.next.since = b.now
	return b.follow()
}

// Move is a move as a player names it.
type Move struct {
	Action string
	Args   []record.Arg
	Say    string
}

// Act makes a seat's move. The error is a [*machine.Refusal] where the rules, or the clock, say no.
func (t *Table) Act(now int64, seat int, m Move) (*Batch, error) {
	if err := t.onTime(now); err != nil {
		return nil, err
	}
	if utf8.RuneCountInString(m.Say) > MaxSay || !utf8.ValidString(m.Say) {
		return nil, refuse(CodeBadText, "Talk is at most 140 characters.")
	}
	b := t.begin(now)
	move, err := find(b.next.pos, seat, m)
	if err != nil {
		return nil, err
	}
	if err := b.next.pos.Act(seat, move); err != nil {
		return nil, err
	}
	act := record.Act{Seat: seat, Action: m.Action, Args: m.Args, Say: m.Say}
	b.next.acts = &made{Made{int64(t.rev), act}, t.acts}
	b.add(act)
	b.next.since = b.now
	return b.follow()
}

// onTime refuses a move when no game is on, and one that comes after the deadline.
func (t *Table) onTime(now int64) error {
	switch t.Status() {
	case Open:
		return refuse(CodeNotStarted, "The game has not begun; call start_game, or get_state to wait for the others.")
	case Over:
		return refuse(machine.CodeGameOver, "The game is over; join or create another table.")
	case Live:
	}
	if deadline, ok := t.Deadline(); ok && max(now, t.last) > deadline {
		return refuse(CodeTooLate, "The clock of this turn has run out; call get_state.")
	}
	return nil
}

// find numbers a named move.
func find(pos *machine.Position, seat int, m Move) (machine.Move, error) {
	a, ok := pos.FindAction(m.Action)
	if !ok {
		return pos.Move(m.Action)
	}
	if turn := pos.Turn(); a.Who == nil && (turn.Actor != machine.Seat || turn.Seat != seat) {
		return 0, refuse(machine.CodeNotYourTurn, "It is not your turn; wait with get_state.")
	}
	var args [machine.MaxParams]int
	for i, q := range a.Params {
		found := false
		for _, x := range m.Args {
			if x.Name == q.Name {
				args[i], found = x.Value, true
			}
		}
		if !found {
			return 0, refuse(machine.CodeBadArgument, fmt.Sprintf("%s needs %s.", a.Name, q.Name))
		}
	}
	if len(m.Args) != len(a.Params) {
		return 0, refuse(machine.CodeBadArgument, fmt.Sprintf("%s takes %d arguments.", a.Name, len(a.Params)))
	}
	return pos.Move(m.Action, args[:len(a.Params)]...)
}

// ErrNotDue refuses a timeout before its time.
var ErrNotDue = errors.New("the clock has not run out")

// Timeout does what the rules say when the clock of the turn in progress has run out. fault is what kept a bot from moving,
// empty for other players.
func (t *Table) Timeout(now int64, fault string) (*Batch, error) {
	deadline, ok := t.Deadline()
	if !ok {
		return nil, machine.ErrNoTimeout
	}
	if max(now, t.last) <= deadline {
		return nil, ErrNotDue
	}
	b := t.begin(now)
	seat := b.next.pos.Turn().Seat
	if err := b.next.pos.Timeout(); err != nil {
		return nil, err
	}
	b.add(record.Timeout{Seat: seat, Fault: fault})
	b.next.since = b.now
	return b.follow()
}

// ErrNotLive refuses what needs a game in progress.
var ErrNotLive = errors.New("no game is on at this table")

// Resume starts the clock of the turn in progress again: the server was away, and nobody pays for that.
func (t *Table) Resume(now int64) (*Batch, error) {
	if t.Status() != Live {
		return nil, ErrNotLive
	}
	b := t.begin(now)
	b.add(record.Resume{})
	b.next.since = b.now
	return b.done(), nil
}

// Close ends a table that will not be played to the end: the reason is record.ReasonExpired or record.ReasonAbandoned. Its
// seed is revealed all the same.
func (t *Table) Close(now int64, reason string) (*Batch, error) {
	if t.Status() == Over {
		return nil, ErrNotLive
	}
	if reason != record.ReasonExpired && reason != record.ReasonAbandoned {
		return nil, fmt.Errorf("a table is not closed because it is %q", reason)
	}
	b := t.begin(now)
	b.end(record.End{Reason: reason})
	return b.done(), nil
}

func (b *batch) end(e record.End) {
	e.Seed = b.next.seed.Hex()
	b.add(e)
	b.next.end = &e
}
