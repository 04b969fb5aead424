// Package verifier reads the record of a game and derives it again. It trusts neither the server that kept the record nor
// whoever handed it on: it goes through the record with nothing but the rules in it and the seed at its end.
//
// # What is checked
//
// Every line is in canonical form and is an event of the format; events are numbered from 0 and their times never go back.
// The seed is the one committed to in the first event. Every move is decided again under the rules, every deal is dealt again
// from the seed and the players' own words, and what follows from them — commitments to hands, counts, keys, hands, facts,
// places — must stand in the record byte for byte. Moves come at or before the deadline of their turn, timeouts after it. The
// rule file has the digest, the game and the options that the record states. Nothing follows the end. The receipt at the end
// of the file names the last event and the head of the chain through all of them; with the server's key given, it is the
// server's signature. Receipts that a player kept must be those of earlier events of the same record.
//
// # Three outcomes
//
// A record is verified (a [Report] whose Failure is nil), refuted (a Report whose [Failure] names the event, the check and the
// two values), or unreadable (an error). The line between the last two: a file gets a verdict if one of its lines looks as if
// it came from a record, which is to say that it begins with { and holds the members "n" and "type", or that it is a receipt.
// From there on everything that is wrong with the file refutes it, be it a byte that is no UTF-8, a line too long, a last line
// without its newline, or rules that do not load. Without such a line a file is not a record ([ErrNotRecord]), and what cannot
// be fetched or exceeds the size of a record is not looked at. A damaged byte damages one line (or two, if it was a newline),
// and a record has more, so damage refutes and never hides behind the third outcome.
//
// # The server's key
//
// It comes from the user ([Options.Key]) or from the user's own file ([Pins]). The key that a record names is compared with it
// and used for nothing else than finding a receipt that contradicts its own record: whoever made up a record also made up
// that key. Without a key of the user's the report says that the receipt was not checked.
//
// # Hostile records
//
// A record is at most 4 MiB and 20,000 lines. Its rules are compiled under the limits of package rules, which also bound what
// a move can cost; the draws of all deals are counted, and events have a second ([Patience]). [ErrTooCostly] ends the
// verification of a record that is more work than any game. What a report quotes from a record is short and has no control
// characters in it ([Plain]).
//
// # Who does not trust this package
//
// The folder byhand has a shell script and a JavaScript module that share no code with it and check all but what takes the
// rules; the tests here run all three over the same records. The command dudo-verify-wasm is this package for JavaScript.
//
// # What a server can still write
//
// [FreeFields] and [FreeEvents] are all that the server itself could have written otherwise, signing it anew: names, talk,
// times within the clock and the like. A receipt that a player kept binds even these.
package verifier
