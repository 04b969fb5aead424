// Package load plays many games at once against a server, as agents would, and says how it held up: moves a second, how long a
// move and a wake took, every refusal by its code, every error, and whether each record verifies with the receipts that its
// players kept.
//
// Each of N tables is private and has two, three or four scripted players of its own. When a game is over the table plays another,
// until the time is up; then the games in progress are finished, and every record is downloaded and verified. A player has one
// call on the way at a time and waits for its turn in a long poll, as the server asks of agents. So a turn is two calls: the move,
// and the wait that it wakes.
//
// The time of a move is that of its call. The time of a wake is from the move's answer, in its player's hands, to the answer of the
// one who waited; it is 0 if that came first. Both include what the driver itself takes, on a machine that it shares with the
// server: they are upper bounds.
//
// With the address of the server's metrics, its memory, goroutines and open files are sampled while it plays, and the
// report says whether they stayed flat.
package load
