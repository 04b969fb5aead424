// Package tables keeps the live tables: seating, the turn clock, the bots' turns and everybody who waits.
//
// A table has one goroutine that owns it. Whatever changes the table is done there, one thing after the other: decide
// (package play), append to the store, and only then publish the table as it is now, answer, and wake whoever waits. A table is a
// value that does not change, so whoever only reads takes the published one and needs no goroutine and no lock. Nobody waits
// with a lock held: the lobby's lock guards its maps and is never held over an append, a bot's turn or a wait.
//
// The clock needs no request: the owner sleeps until the deadline and takes the timeout itself. After a restart the lobby
// replays every unfinished table from the log and appends a resume event, from which the turn in progress has its whole time
// again, so that nobody pays for the server's absence.
//
// What is on offer can change at any time ([Lobby.Offer]). It counts for new tables: a table keeps the rules it was made with,
// from its first event to its record, through restarts too, since the log holds their text.
//
// A finished table is let go after a while. What is asked of it then is answered from the store.
package tables
