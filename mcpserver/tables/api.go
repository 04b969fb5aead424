package tables

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"log/slog"
	"time"

	"dudo.example/core/machine"
	"dudo.example/core/record"
	"dudo.example/plugins/host"
)

// Bots starts house bots and others; *host.Host does it.
type Bots interface {
	Bots() []host.Info
	Lookup(name string) (host.Info, bool)
	Open(ctx context.Context, bot string, seat host.SeatInfo) (*host.Seat, error)
}

// Config is what a lobby is made of.
type Config struct {
	Store record.Store
	Rules []Ruleset // the first is the default
	Bots  Bots      // nil for none
	Key   ed25519.PrivateKey
	// Retired are the server's earlier keys: what they opened they go on signing.
	Retired []ed25519.PrivateKey
	// LoadRules reads the rule file that a running table was made with, whatever is offered now.
	LoadRules func(text string) (Ruleset, error)
	Origin    string // the server's name in records and receipts, such as dudo.example
	Log       *slog.Logger
	Observe   Observer         // nil for none
	Wall      func() time.Time // the wall clock, asked once; nil for the machine's
	Limits    Limits
}

// Format tells no more than what it is, whatever the verb: the key is in it.
func (Config) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("tables.Config")) }

// LogValue tells no more than what it is.
func (Config) LogValue() slog.Value { return slog.StringValue("tables.Config") }

// Observer is told what happens at the tables, for counting. Its methods must be quick and take words from fixed sets only.
type Observer interface {
	// Moved: a move was accepted.
	Moved(action string)
	// TimedOut: a clock ran out; fault is what kept a bot from moving, empty for players.
	TimedOut(fault string)
	// Waited: a waiting call ended: "woken", "timeout", "gone" or "drained".
	Waited(end string)
	// BotAnswered: a bot was asked for a move; outcome is "ok" for a legal one.
	BotAnswered(bot, outcome string, took time.Duration)
}

// nobody is the observer where there is none.
type nobody struct{}

func (nobody) Moved(string)                              {}
func (nobody) TimedOut(string)                           {}
func (nobody) Waited(string)                             {}
func (nobody) BotAnswered(string, string, time.Duration) {}

// Stats is how much a lobby holds.
type Stats struct {
	Open    int // tables whose game is not over
	Kept    int // tables in memory
	Waiting int // waiting calls
}

// Limits bound what strangers can ask for. Zero values mean the defaults.
type Limits struct {
	Tables       int           // open tables at once, 200
	TableWaiters int           // long-polls of spectators at a table, 16
	AddrWaiters  int           // and of an address, 8
	Waiters      int           // and in all, 4000, half of them of spectators
	TurnSeconds  int           // longest turn, 120
	NewPerAddr   int           // new tables of an address in 10 minutes, 10
	Unstarted    time.Duration // until an unstarted table expires, 30 minutes
	Finished     time.Duration // until a finished table and its record expire, 7 days
}

// Settings describe a table to be made. Zero values mean the defaults.
type Settings struct {
	Rules       string         // the rule file's game; the default one if empty
	Preset      string         // a named set of options, none if empty
	Options     map[string]int // by name, in the place of the preset's
	Seats       int            // 2 to 6, as the rules allow
	TurnSeconds int            // 20 to 120, 60 if zero
	Private     bool
}

// Refusal is the no that a player reads: a snake_case code and one sentence that says what to do instead.
type Refusal = machine.Refusal

// Object is a JSON object as it is answered.
type Object = record.Object

// Join is a request for a seat.
type Join struct {
	Name  string
	Table string // quick match if empty
	Nonce string // may be empty
}

// Look is a request for a view of a table: by a seat's token, or as a spectator by the table's code.
type Look struct {
	Token string
	Table string
	Wait  time.Duration   // at most MaxWait
	Since int64           // the last event seen; negative for none
	Nonce string          // a nonce given late, may be empty
	Stop  <-chan struct{} // ends the wait early, when the server is shutting down; may be nil
}

// Format does not tell the token, whatever the verb.
func (l Look) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "a look from event %d for %v", l.Since, l.Wait)
}

// LogValue does not tell the token.
func (l Look) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(l)) }

// MaxWait is how long a look can wait.
const MaxWait = 20 * time.Second
