package verifier

// FreeField is a member of an event that its server may write as it likes.
type FreeField struct {
	Name string // "t", or the event's type and the member
	Why  string // what it is, and what bounds it
}

// FreeFields are the only members that can be changed in a record, with the chain and the receipt made anew by the server's
// own key, and leave it verified: what a server says that neither the rules nor the seed decide. A kept receipt binds even
// these, up to its event.
var FreeFields = []FreeField{
	{"t", "the time of an event, as long as none goes back, no move is late and no timeout early"},
	{"open.origin", "the server's name for itself, which its receipts sign"},
	{"open.public", "whether the table was listed"},
	{"open.seats", "places at the table, not fewer than were taken nor more than the rules allow"},
	{"open.turn_seconds", "the length of a turn, as long as no move is late and no timeout early"},
	{"join.name", "a player's name, unless somebody at the table has it"},
	{"join.bot.name", "a bot's account of itself"},
	{"join.bot.version", "a bot's account of itself"},
	{"join.bot.sha256", "the server's account of a bot's binary"},
	{"start.by", "which of the seated players started the game"},
	{"act.say", "talk"},
	{"timeout.fault", "what kept a bot from moving, by the server's account"},
	{"end.reason", "expired or abandoned, for a game that did not finish"},
}
