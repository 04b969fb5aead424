package starter

// note is what a beginner reads above a line.
type note struct {
	above string // what the line begins with, after its indentation
	text  string
}

// notes are in the order of the lines.
var notes = []note{
	{"dudo:", `A game for Dudo. It is liar's dice as it ships, with notes: change it line by line, and look what you have got.

  dudo rules check FILE   says what is wrong with the file, and what happens in games of random moves
  dudo rules play FILE    plays it in the terminal
  dudo rules diff liars-dice/standard FILE   says where it differs from the standard game
  dudo serve --rules FILE   offers it to agents; they read about, doc and refuse, so keep those true

Lines that begin with # are notes. Expressions such as dice_left[seat] > 0 stand where a value could: they know + - * % < <= ==
!= && || ! and a ? b : c, the names in this file, and a few functions. Put one that contains ": ", " #", or that begins with a
bracket or !, in 'single quotes'. The whole language is in the package comment of rules: go doc ./rules`},
	{"game:", "The game's own id. Never that of a game that ships: a server would offer yours in its place."},
	{"title:", "One line, and the rules in a paragraph. This is all that an agent knows of your game, so say here what you change below."},
	{"seats:", "The least and the greatest number of players."},
	{"options:", "What can be chosen when a table is made. An option is a number, {int: [1, 5], default: 3}, or a switch, {bool: no}.\nIts name can be used in every expression."},
	{"limits:", "A game that goes on and on ends here, as it stands."},
	{"state:", `What the game remembers. each: seat gives every player one of their own, read as dice_left[seat].
see: owner is for its player's eyes only; everybody sees what says nothing of it.`},
	{"alive:", "Who is still in the game. next(seat), the player after, and live(), how many there are, go by it."},
	{"functions:", "Names for expressions. outranks() says which bid may follow which; that no bidding can go round is proven at loading."},
	{"procedures:", "Names for steps that are taken in several places: what a player loses, and how a round begins."},
	{"start:", "Where the game begins: with the phase deal."},
	{"phases:", "A phase of chance draws and then takes its steps. In a phase of players, the one whose turn it is takes an action."},
	{"timeout:", "What happens to a player, me, who does not move in time."},
	{"bid:", "An action has numbers (params), a condition (when), the sentence for those who try it when that does not hold (refuse),\nand steps (do). The server makes a tool of it: its doc is the tool's description."},
	{"- let: {found:", `How the bid is counted. tally(hand, 4) is how many fours there are in all hands. In a game where the ones are wild,
they count besides:  found: 'tally(hand, standing.face) + (standing.face == 1 ? 0 : tally(hand, 1))'`},
	{"- let: {loser:", "Who loses: the bidder if too few were found, else the one who challenged."},
	{"- call: lose(loser, 1)", "How many dice that costs."},
	{"result:", "Each player's place in the end, 1 for the winner."},
	{"examples:", `Worked positions. They are played whenever the file is loaded, so they cannot say anything else than the rules do. One that
fails is a mistake, in the rules or in the example: read it, and put right which of the two is wrong.`},
}
