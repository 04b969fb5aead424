package verifier

// FreeField is a member of an event that its server may write as it likes.
type FreeField struct {
	Name    string // "t" of every event, or the event's type and the member
	Why     string // what it is, and what bounds it
	Undealt bool   // only in a game that ended before its first deal
}

// FreeFields are the only members that can be changed, one at a time, in a record, with the chain and the receipt made anew by
// the server's own key, and leave it verified: what a server says that neither the rules nor the seed decide. A kept receipt binds
// even these, up to its event. (A server can also make up another game altogether; only kept receipts tell of that.)
var FreeFields = []FreeField{
	{Name: "t", Why: "the time of an event, as long as none goes back, no move is late and no timeout early"},
	{Name: "open.origin", Why: "the server's name for itself, which its receipts sign"},
	{Name: "open.public", Why: "whether the table was listed"},
	{Name: "open.seats", Why: "places at the table, not fewer than were taken nor more than the rules allow"},
	{Name: "open.turn_seconds", Why: "the length of a turn, as long as no move is late and no timeout early"},
	{Name: "join.name", Why: "a player's name, unless somebody at the table has it"},
	{Name: "join.bot", Why: "whether a player is a bot of the server's"},
	{Name: "join.bot.name", Why: "a bot's account of itself"},
	{Name: "join.bot.version", Why: "a bot's account of itself"},
	{Name: "join.bot.sha256", Why: "the server's account of a bot's binary"},
	{Name: "start.by", Why: "which of the seated players started the game"},
	{Name: "act.args", Why: "a move, if another legal one leads to the same later events: a bid that was outbid before anybody challenged"},
	{Name: "act.say", Why: "talk"},
	{Name: "timeout.fault", Why: "what kept a bot from moving, by the server's account"},
	{Name: "end.reason", Why: "expired or abandoned, for a game that did not finish"},
	{Name: "open.gid", Why: "the game's id, which its receipts sign", Undealt: true},
	{Name: "open.options", Why: "the options, as the rules take them", Undealt: true},
	{Name: "nonce.nonce", Why: "a player's words", Undealt: true},
}

// FreeEvents are the whole events that can be added, left out or moved in the same way.
var FreeEvents = []FreeField{
	{Name: "resume doubled", Why: "the server can say at any time of a game that it was away, which gives the turn in progress more time"},
	{Name: "nonce swapped", Why: "a nonce can stand before or after a join; the order of nonces is bound"},
	{Name: "join left out", Why: "who sat at the table", Undealt: true},
	{Name: "nonce left out", Why: "a player's words", Undealt: true},
	{Name: "nonce added", Why: "a player's words", Undealt: true},
	{Name: "act left out", Why: "the last moves of a game that did not finish, if nothing was shown after them"},
}
