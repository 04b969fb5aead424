package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Version is the format of the log, the first member of its first event.
const Version = "dudo/1"

// Event is one thing that happened at a table. The events of a table, numbered from 0, are all there is to it: whatever
// else is known of a table is computed from them.
type Event struct {
	N    int64 // its number
	T    int64 // milliseconds since 1970, never less than the event before
	Body Body
}

// Body is what happened: [Open], [Join], [Nonce], [Start], [Deal], [Act], [Timeout], [Resume], [Show] or [End].
type Body interface {
	// Type is the event's type in the log.
	Type() string
	members() Object
}

// Open is the first event: the table's rules and settings, and the commitment to its seed.
type Open struct {
	Origin      string // of the server, part of what its receipts sign
	GID         string // never reused
	Key         string // the server's public key, base64url
	Commit      string // hex SHA-256 of the seed
	Rules       Rules
	Options     []Option // all of the rule file's, resolved, in order of their names
	Seats       int      // places at the table
	TurnSeconds int
	Public      bool
}

// Rules is a rule file, pinned by the digest of its bytes.
type Rules struct {
	Game   string
	SHA256 string
	Text   string
}

// Option is a resolved option; Bool says that it is written as false or true.
type Option struct {
	Name  string
	Value int
	Bool  bool
}

// Join is a player taking a seat.
type Join struct {
	Seat int
	Name string
	Bot  *Bot // nil for a player who is not a bot of this server's
}

// Bot is a bot's own account of itself and the SHA-256 of its binary.
type Bot struct {
	Name, Version, SHA256 string
}

// Nonce is a player's own words, mixed into their dice.
type Nonce struct {
	Seat  int
	Nonce string
}

// Start freezes the roster and the nonces.
type Start struct{ By int }

// Owned is something of an owner of draws: a seat, or deal.Table.
type Owned[T any] struct {
	Owner int
	Value T
}

// Deal is one entry into a chance phase: what is drawn is fixed by the commitments to it.
type Deal struct {
	Deal   int             // from 1
	HC     []Owned[string] // the commitment to each owner's draws
	Counts []Owned[int]    // how many draws
}

// Act is a seat's move.
type Act struct {
	Seat   int
	Action string
	Args   []Arg
	Say    string // the player's talk, may be empty
}

// Arg is an argument of a move.
type Arg struct {
	Name  string
	Value int
}

// Timeout is a clock that ran out. Fault names what kept a bot of the server's from moving, by the server's own account;
// it is empty for other players.
type Timeout struct {
	Seat  int
	Fault string
}

// Resume says that the server came back: the clock of the turn in progress starts again.
type Resume struct{}

// Show opens hands and states the facts that the rules make public.
type Show struct {
	Keys  []Owned[string] // hex
	Hands []Owned[[]int]
	Facts Object
}

// End is the last event: how the game ended, and its seed.
type End struct {
	Reason  string // one of the Reason constants
	Places  []int  // the place of each seat, or
	Payoffs []int  // what it won or lost; neither if the game did not finish
	Seed    string // hex
}

// The reasons for an end.
const (
	ReasonFinished  = "finished"
	ReasonExpired   = "expired"
	ReasonAbandoned = "abandoned"
	ReasonLimit     = "move limit"
)

// Type implements [Body].
func (Open) Type() string    { return "open" }
func (Join) Type() string    { return "join" }
func (Nonce) Type() string   { return "nonce" }
func (Start) Type() string   { return "start" }
func (Deal) Type() string    { return "deal" }
func (Act) Type() string     { return "act" }
func (Timeout) Type() string { return "timeout" }
func (Resume) Type() string  { return "resume" }
func (Show) Type() string    { return "show" }
func (End) Type() string     { return "end" }

// Encode writes the event as its line.
func (e Event) Encode() Line {
	o := append(make(Object, 0, 16), e.Body.members()...)
	return append(o, Member{"n", e.N}, Member{"t", e.T}, Member{"type", e.Body.Type()}).Encode()
}

func (b Open) members() Object {
	options := make(Object, len(b.Options))
	for i, x := range b.Options {
		options[i] = Member{x.Name, x.Value}
		if x.Bool {
			options[i].Value = x.Value != 0
		}
	}
	return Object{
		{"v", Version},
		{"origin", b.Origin},
		{"gid", b.GID},
		{"key", b.Key},
		{"commit", b.Commit},
		{"rules", Object{{"game", b.Rules.Game}, {"sha256", b.Rules.SHA256}, {"text", b.Rules.Text}}},
		{"options", options},
		{"seats", b.Seats},
		{"turn_seconds", b.TurnSeconds},
		{"public", b.Public},
	}
}

func (b Join) members() Object {
	o := Object{{"seat", b.Seat}, {"name", b.Name}}
	if b.Bot != nil {
		o = append(o, Member{"bot", Object{{"name", b.Bot.Name}, {"version", b.Bot.Version}, {"sha256", b.Bot.SHA256}}})
	}
	return o
}

func (b Nonce) members() Object { return Object{{"seat", b.Seat}, {"nonce", b.Nonce}} }
func (b Start) members() Object { return Object{{"by", b.By}} }
func (Resume) members() Object  { return nil }

func (b Timeout) members() Object {
	o := Object{{"seat", b.Seat}}
	if b.Fault != "" {
		o = append(o, Member{"fault", b.Fault})
	}
	return o
}

func (b Deal) members() Object {
	return Object{
		{"deal", b.Deal},
		{"hc", b.HC},
		{"counts", b.Counts},
	}
}

func (b Act) members() Object {
	args := make(Object, len(b.Args))
	for i, a := range b.Args {
		args[i] = Member{a.Name, a.Value}
	}
	o := Object{{"seat", b.Seat}, {"action", b.Action}, {"args", args}}
	if b.Say != "" {
		o = append(o, Member{"say", b.Say})
	}
	return o
}

func (b Show) members() Object {
	return Object{
		{"keys", b.Keys},
		{"hands", b.Hands},
		{"facts", slices.Clone(b.Facts)},
	}
}

func (b End) members() Object {
	o := Object{{"reason", b.Reason}, {"seed", b.Seed}}
	if b.Places != nil {
		o = append(o, Member{"places", b.Places})
	}
	if b.Payoffs != nil {
		o = append(o, Member{"payoffs", b.Payoffs})
	}
	return o
}

func ownerName(owner int) string {
	if owner < 0 {
		return "t"
	}
	return strconv.Itoa(owner)
}

// AddFact adds a fact to an object, in place of one of the same name; a fact named "record.field" becomes a member of the
// record's object.
func (o Object) AddFact(name string, value Value) Object {
	outer, field, nested := strings.Cut(name, ".")
	i := slices.IndexFunc(o, func(m Member) bool { return m.Name == outer })
	if i < 0 {
		i, o = len(o), append(slices.Grow(o, 4), Member{Name: outer})
	}
	if nested {
		in, _ := o[i].Value.(Object)
		value = in.AddFact(field, value)
	}
	o[i].Value = value
	return o
}

// EventError says what is wrong with a line in canonical form that is no event.
type EventError struct{ Reason string }

func (e *EventError) Error() string { return e.Reason }

// Parse reads an event. The error is a [*SyntaxError] for a line that is not canonical, and an [*EventError] for one that
// is no event of this version: a member missing, of another type, or unknown.
func Parse(line Line) (Event, error) {
	o, err := ParseObject(line)
	if err != nil {
		return Event{}, err
	}
	r := reader{o: o, left: len(o)}
	e := Event{N: r.num("n", 0, MaxInt), T: r.num("t", 0, MaxInt)}
	kind := r.text("type")
	if r.err == nil {
		e.Body = r.body(kind)
	}
	if err := r.done(); err != nil {
		return Event{}, fmt.Errorf("%s event: %w", safeType(kind), err)
	}
	return e, nil
}

// safeType names only types that exist, since a stranger's words do not belong into an error.
func safeType(kind string) string {
	switch kind {
	case "open", "join", "nonce", "start", "deal", "act", "timeout", "resume", "show", "end":
		return kind
	}
	return "unknown"
}
