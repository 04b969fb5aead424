package bot

import "context"

// Info says who a bot is.
type Info struct {
	// Name and Version are for people to read, at most 64 bytes each.
	Name, Version string
	// Games are the games the bot plays, as patterns of path.Match such as
	// "liars-dice/*". None means that it plays any: View.Legal is enough to
	// play a game that one does not understand.
	Games []string
}

// SeatInfo is all that stays the same in a seat during a game.
type SeatInfo struct {
	// GID is the game's id.
	GID string
	// Game is the name of the rules, RulesText the rule file, RulesSHA256 the
	// SHA-256 of that text in hexadecimal.
	Game, RulesSHA256, RulesText string
	// Options are the table's options with their values; a switch is 0 or 1.
	Options map[string]int64
	// Actions are the game's actions with the names of their parameters.
	Actions map[string][]string
	// Seats is the number of seats, Seat the bot's own, from 0.
	Seats, Seat int
	// Name is what the bot is called at this table.
	Name string
}

// Move is what a player does: an action with its parameters, and words.
type Move struct {
	// Action is the name of an action of the game.
	Action string
	// Args are the action's parameters by name, at most 8; nil if it has none.
	Args map[string]int64
	// Say is said to the whole table, at most 140 characters; may be empty.
	Say string
}

// Player plays one seat. It may implement Observer and io.Closer as well.
type Player interface {
	// Decide answers with a move in a position where the seat is to move. ctx
	// ends when the answer is worth nothing. An error, or a move that the
	// rules refuse, lets the clock run out on the seat.
	Decide(ctx context.Context, v View) (Move, error)
}

// Observer is a Player that wants to know of every change at the table, not
// only when it is to move. A change may be skipped if a newer one is there.
type Observer interface {
	Observe(v View)
}

// DecideFunc makes a Player of a function that needs no memory.
type DecideFunc func(v View) Move

// Decide calls f.
func (f DecideFunc) Decide(_ context.Context, v View) (Move, error) { return f(v), nil }
