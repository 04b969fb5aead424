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
// With the address of the server's metrics, its memory, goroutines, open files and processor time are sampled while it plays, and
// the report says whether they stayed flat.
//
// # Measuring
//
// The server, for all that follows:
//
//	dudo serve --admin 127.0.0.1:8788 --requests-per-minute -1 --new-tables 1000000 --tables 1000 --address-waiters 4000
//
// What ten tables cost and what two hundred do; to compare are the moves a second and the processor time a move:
//
//	dudo load --tables 10 --seconds 30 --metrics http://127.0.0.1:8788/metrics http://127.0.0.1:8787
//	dudo load --tables 200 --seconds 30 --metrics http://127.0.0.1:8788/metrics http://127.0.0.1:8787
//
// From the first finished table to the 10,000th; the samples are in the report:
//
//	dudo load --tables 20 --games 10000 --dice 2 --seconds 1800 --json --metrics http://127.0.0.1:8788/metrics http://127.0.0.1:8787
//
// A soak of half an hour, which fails if the server grows:
//
//	dudo load --tables 50 --seconds 1800 --think 500ms --metrics http://127.0.0.1:8788/metrics http://127.0.0.1:8787
//
// The tests of this package hold a server with a thousand waiters to its promises, and BenchmarkBid compares an accepted bid with
// bare glue:
//
//	go test ./mcpserver/load -run Waiters -v
//	go test ./mcpserver/load -run '^$' -bench Bid -benchtime 10x
package load
