// Package rules loads games from rule files: it reads, checks and compiles them for the machine. It is the only code that
// knows YAML and expr.
//
// # A rule file
//
// A game is one file of YAML, at most 64 KiB of UTF-8 with LF, without tabs. Every condition and every value in it is an
// expression. standard.yaml is the example to read; its keys are
//
//	dudo: 1          the version of the language
//	game, title      an id such as liars-dice/standard, and one line
//	about            the rules in a paragraph, for people and agents
//	seats            [least, greatest]
//	options          name: {int: [least, greatest], default: …, doc: …} or {bool: yes or no, doc: …}
//	presets          name: {options: {…}, doc: …}
//	limits           {moves: …}, the most moves of a game; it then ends as it stands
//	state            name: a variable, see below
//	alive            which seats still play; next, prev and live() ask it
//	functions        name(a, b): expression, or {is: …, table: [[least, greatest], …], strict_order: yes}
//	procedures       name(a, b): steps
//	start, phases    where the game begins, and its phases
//	result           {rank: …} or {payoff: …}, an expression about each seat
//	examples         worked positions that loading checks
//
// # State
//
//	{int: [0, dice], init: dice}          an integer in bounds
//	{bool: no}                            true or false
//	{seat: 0} or {seat: none}             a seat, or a seat or none, and what it is first
//	{list: dice, of: [1, 6]}              at most so many integers; init: all or [ … ] for a deck
//	{record: {seat: none, face: [0, 6]}}  fields, read as name.field; none is what they are first
//
// with each: seat for one of each seat, read as name[seat] and name[seat].field, as: a name in views, and see: all, owner, none
// or an expression about viewer and owner; a spectator is a viewer that equals no seat and not none. Options and seats can be
// used in bounds.
//
// # Phases
//
// A phase of chance draws, {into, each: seat, when, count, from: [least, greatest] or a list, sort: yes}, and then does its steps,
// which must finish with goto or end. A list is emptied before it is drawn into; where when is false its owner keeps what it
// has.
//
// A phase of players has a turn, and perhaps clock: yes and timeout steps; its actions have params with bounds, who (which seats
// may act; otherwise the seat whose turn it is), when (the guard), refuse (the sentence that a refused player reads, with
// {expressions} in it; or a list of {if: …, say: sentence}, of which the first that holds is read and the last has no if) and do.
//
// # Steps
//
//	set: {turn: next(me), 'lost[me]': 1}    all values are read before any is written
//	set: {standing: none}                   or {seat: me, quantity: quantity, face: face}
//	let: {found: …}                         a name for the steps that follow
//	if: …, then: [ … ], else: [ … ]
//	each: other, when: …, do: [ … ]         for every seat in order
//	call: lose(me, 1)                       a procedure from above
//	goto: phase        end: now
//	move: {from: 'hand[me]', to: table, value: face, count: 2}
//	                                        elements of a list, from the front, to the end of another; without value any,
//	                                        without count all; it fails if there are fewer, or no room for them
//	clear: 'hand[me]'                       empties a list; clear: hand those of all seats
//	reveal: hand       hide: hand           of all seats, or hand[me]
//	emit: {found: found, bid: standing}     public facts, of at most 64 names
//
// # Expressions
//
// Integers, true, false and none; names of options, state, parameters and lets; seats, me (who acts) and seat (whom an
// expression about a seat is about); + - * %, comparisons, && || !, a ? b : c; min max abs, div and ceildiv and mod (which
// round down, up and down); next(seat), prev(seat), live(); tally(hand, value) over all seats, tally(hand[seat], value) and
// len(hand[seat]) over one; and over a variable of each seat, one list or all_seats the quantifiers all, any, none, one, count
// and sum, with # for the element. Nothing else compiles. A node is exactly an integer or a condition.
//
// # What is guaranteed
//
// Expressions read only what their reader may see: a guard, a turn, a bound or a sentence that reads another hand does not
// compile. A guard that reads the own hand makes the action private. Costs are known before anything runs, for every
// expression and for a move with all that follows from it. An order of bids is asked for every pair when a game is compiled; one
// with a circle is refused with the bids that make it. Arithmetic, indexes and writes are checked where their bounds do not
// prove them. What a stranger's file can cost, to parse and to play, is bounded.
//
// # How it runs
//
// expr parses an expression; our own walk resolves and checks it; closures over the machine's frame run it, with options as
// constants. Tests read a file a second time and play it by expr's own machine, beside the closures. A guard whose state can
// have few values, such as an order of bids against the standing one, has a row of bits for each, a bit a move: moves are listed
// and checked by the same rows.
package rules
