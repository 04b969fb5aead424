// Package store keeps the logs of tables on disk, in a Badger database. It is
// the durable [record.Store].
//
// # What it promises
//
// An append that returns without an error is on the disk: it was synced before
// it returned, and its lines and private values were written in one
// transaction, so that after a crash all of it is there or nothing. A line's
// key holds its event number, so position and data cannot come apart. Of two
// appends after the same revision one is refused with [record.ErrConflict].
//
// Appends that wait at the same time share one transaction and one sync. One
// goroutine, the committer, decides every append, so the revisions it keeps in
// memory need no lock; they are a bounded cache, and what is not there is read
// back from disk.
//
// An append whose context ends while it waits for its turn is withdrawn: it
// returns the context's error and is not in the log. Once the committer has
// taken it, it is carried through and reported as what it became, whatever
// the context does meanwhile.
//
// If a write or a sync fails, nobody can tell what of it reached the disk. The
// store then takes no more appends, says so in [Store.Health], and is to be
// opened again; reads go on.
//
// # What lies where
//
// The folder that [Open] is given is the program's alone (0700, its files 0600; Open
// sets the process's umask to 077 because Badger would not see to it). It holds
//
//	log/         the database: logs, and private values under keys of their own
//
// The key that signs receipts is not in it, nor in a backup; see [ServerKey].
//
// One process at a time has the folder; a second one is told [ErrInUse].
//
// In the database a table has one head, which is a number that tells this table
// from an earlier one of the same name, and with that number in their keys its
// lines and private values:
//
//	t<table>                       head
//	l<table> 0 <number> <event>    line
//	p<table> 0 <number> <name>     private value
//
// Without its head a table is gone, whole and at once: to expire a table is to
// write its head with a TTL, to delete it is to delete the head. The sweeper
// removes in the background what such tables leave behind.
//
// # Room
//
// Badger maps its files into memory, and a full disk kills a process that
// writes to such a file. So every batch asks first how much room is left: below
// one floor no new table is taken, below a second one no append at all, both
// with [record.ErrFull], and what was acknowledged before is safe.
//
// # Memory
//
// On two cores, 64 writers that append 2,000 lines a second keep a heap of 20
// to 50 MB; with all they have (some 50,000 a second) compactions let it peak
// at 120 MB. Pages of mapped files come on top, which the system takes back
// when it needs them. [Open] reads every table to check it, 76 MB in 0.6 s.
//
// # Backup
//
// [Store.Backup] writes a consistent copy while the store is in use, and
// [Restore] makes a new folder of it. What the caller names secret, that is the
// seeds of running games and the hashes of seat tokens, is left out, so that a
// running game cannot go on from a copy: a server that signed event 30 of it
// and then went back to event 20 would sign another event 21. The server's key
// is not in it either.
package store
