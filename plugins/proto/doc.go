// Package proto is the wire contract between dudo and a bot, version 1.
//
// A bot is an executable file named dudo-bot-NAME in dudo's plugins folder.
// Authors who write Go import package bot and need not read on. This comment
// says what a bot in any other language has to do; bot.proto says the rest. The
// folder bots/nodejs has a whole one in JavaScript, in one file and without a library.
//
// # Start
//
// Dudo starts one process for each bot that sits at a table, whatever the
// number of tables. The process has a working directory of its own that
// vanishes with dudo, and this environment and nothing else:
//
//	PATH=/usr/local/bin:/usr/bin:/bin
//	DUDO_BOT=liars-dice                 the magic cookie: "dudo started you"
//	PLUGIN_PROTOCOL_VERSIONS=1          versions of this contract that dudo speaks
//	PLUGIN_UNIX_SOCKET_DIR=/…           where to make the socket; only dudo's user may enter
//	PLUGIN_CLIENT_CERT=-----BEGIN …     dudo's certificate, PEM, over several lines
//	PLUGIN_MIN_PORT, PLUGIN_MAX_PORT    not used on Unix
//
// Standard input is a pipe on which nothing is ever written. When it ends, dudo
// has gone or wants the bot to go: exit at once. A process that has not gone
// half a second later is killed, and so is all of its process group.
//
// # Handshake
//
// The bot listens on a Unix socket in PLUGIN_UNIX_SOCKET_DIR, makes a certificate
// with the DNS name "localhost" that signs itself (ECDSA with P-256 will do), serves
// TLS 1.2 or later and the protocol h2 with it, and admits no client but the one
// whose certificate is in PLUGIN_CLIENT_CERT.
// Then it writes one line to standard output, within ten seconds of its start:
//
//	1|1|unix|/path/of/the/socket|grpc|CERT
//
// The first 1 is go-plugin's core protocol, the second this contract's version,
// and CERT is the bot's certificate: its DER in base64, standard alphabet, without
// padding. Lines before it are taken for noise and logged; so is whatever
// follows on standard output and standard error, cut to 1 KiB a line and to
// some 20 lines a second.
//
// # Calls
//
// Dudo connects once and speaks gRPC: the service dudo.bot.v1.Bot of bot.proto and no
// other. After the first call, Describe, it removes the socket's file, so a second
// connection is impossible. Requests are at most 1 MiB, answers at most 64 KiB. Every call
// carries a deadline. A bot that cannot answer returns the gRPC status UNKNOWN with a
// message for the log. FAILED_PRECONDITION in answer to OpenSeat means that it does not want
// the seat, NOT_FOUND that it does not know the handle; dudo then opens the seat
// again. Other statuses say something about the connection or the contract.
//
// What a bot does wrong costs its own seat what the rules say about a player who
// lets the clock run out. A process that exits is started again, later and later
// each time; one that fails five calls in a row gets none for half a minute.
//
// # View
//
// A view is a JSON object of what the seat knows, the same that an agent reads from the
// tool get_state. All numbers are integers; members that a bot does not know
// are to be ignored.
//
//	{"table":"ZCLP", "gid":"ZCLP-0A1B2C3D", "status":"live", "rules":"liars-dice/standard", "n":17,
//	 "you":{"seat":0, "name":"ann", "dice":[2,5,5]}, "your_turn":true, "turn":0, "round":3,
//	 "seats":[{"seat":0, "name":"ann", "dice_left":3}, {"seat":1, "name":"croupier", "bot":true, "dice_left":2}],
//	 "standing":{"seat":1, "quantity":2, "face":4},
//	 "bids":[{"seat":1, "quantity":2, "face":4}],
//	 "talk":[{"seat":1, "untrusted_text":"…"}],
//	 "last_showdown":{"hands":{"0":[1,2,5], "1":[4,4]}, "bid":{"seat":1, "quantity":2, "face":4}, "found":2, "loser":0},
//	 "legal":{"bid":{"1":[3,5], "5":[2,5]}, "challenge":{}}}
//
// The members standing and last_showdown are absent or null when there is none. Some rules
// add members that have the same meaning wherever they are: "wild", the face that counts as
// every other face in this round, 0 or absent for none, and in a seat "pushed", those of its
// dice that lie open.
//
// In legal an action without parameters is {}; one with a single parameter is [least, most],
// or {"values":[…]} where there are gaps; one with two parameters maps the second (the face)
// to what is said in the same way of the first (the quantity). One with more is a list of
// objects of its parameters by name, or, where that would be long, an object that maps
// "name value" of the last parameter to what is said of the others.
package proto

//go:generate go run github.com/bufbuild/buf/cmd/buf@v1.57.2 generate

// Handshake values, the same on both sides.
const (
	// Version is the version of this contract.
	Version = 1
	// CookieKey and CookieValue are the environment variable by which a bot
	// knows that dudo started it. They keep people from starting a bot by
	// hand; they are no secret.
	CookieKey   = "DUDO_BOT"
	CookieValue = "liars-dice"
)

// Bounds that the host holds a bot to.
const (
	// MaxRequest and MaxReply bound a message, in bytes.
	MaxRequest = 1 << 20
	MaxReply   = 64 << 10
	// MaxName bounds the names of actions and of their parameters, in bytes.
	MaxName = 32
	// MaxArgs bounds the parameters of a move.
	MaxArgs = 8
	// MaxSay bounds the words of a move, in characters.
	MaxSay = 140
)

// GuardKey is an environment variable by which a house bot's program is started
// as the host's guard instead of as a bot. It is between dudo's own programs
// and no part of the contract.
const GuardKey = "DUDO_BOT_GUARD"
