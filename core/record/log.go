package record

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"
)

// Line is one canonical event, without its newline.
type Line string

// Rev counts the events of a table's log: a log at Rev n holds events 0 … n−1.
// A table without a log is at Rev 0.
type Rev int64

// Wake says that a table's log has been appended to and is now at Rev, or further.
type Wake struct {
	Table string
	Rev   Rev
}

// A Log keeps the lines of every table. The rest of the engine knows no more
// of storage than this.
//
// Append's after makes a table single-writer without a lock: of two writers
// that both read the log at n, one appends and the other is told ErrConflict.
// No method depends on there being one process behind the log.
//
// A table's name is 1 to [MaxTable] bytes of printable ASCII without spaces.
// Methods are safe for concurrent use. After the log is closed they return
// [ErrClosed].
type Log interface {
	// Append adds lines, of which there is at least one, to the table's log
	// if that is at after, and returns where it then is. All lines are added
	// or none, and they are durable when Append returns without an error.
	// With after 0 it creates the table.
	//
	// Errors are ErrConflict if the log is not at after, ErrFull if there is
	// no room, and ctx's error if ctx ended before the append was begun. After
	// any of these nothing was added. Once begun, an append is carried
	// through and reported as what it became, even if ctx has ended meanwhile.
	// Any other error is a fault, and only Read can tell whether the lines
	// are there.
	Append(ctx context.Context, table string, after Rev, lines []Line) (Rev, error)

	// Read yields the table's lines from event from on, in order, as the log
	// stood at some moment after Read was ranged over. From the end of the
	// log on there is nothing to yield, and that is no error. A table that
	// has no log yields ErrNotFound. An error is the last thing yielded.
	Read(ctx context.Context, table string, from Rev) iter.Seq2[Line, error]

	// Watch returns a channel of the appends that are committed after it
	// returns, of every table. It never holds an append up: a watcher that
	// is slow gets one wake with the latest Rev in place of several of the
	// same table. The channel is closed when ctx ends or the log is closed.
	Watch(ctx context.Context) (<-chan Wake, error)
}

// A Store is a Log that also keeps what a table must not publish, and lets
// tables go. [Memory] is one; the store package has the durable one.
type Store interface {
	Log

	// AppendPrivate is Append that sets private values of the table in the
	// same step: lines and values are durable together or not at all. Values
	// named here replace those of the same name, a nil value deletes it,
	// and the others stay. Private values (a seed, settings, hashes of
	// tokens) are never part of the log. lines may be empty here, if the
	// table exists. A name is 1 to MaxTable bytes of printable ASCII without
	// spaces.
	AppendPrivate(ctx context.Context, table string, after Rev, lines []Line, private map[string][]byte) (Rev, error)

	// Private returns the table's private values; the map and its values
	// are the caller's. A table that has no log gives ErrNotFound.
	Private(ctx context.Context, table string) (map[string][]byte, error)

	// Tables yields the name of every table that has a log, in byte order.
	Tables(ctx context.Context) iter.Seq2[string, error]

	// Expire lets the whole table, its log and its private values, be gone
	// once after has passed, which is more than nothing and which a store may
	// round up to a whole second. A later call replaces an earlier one. Until
	// then the table is read and appended to as before; what is appended ends
	// with it. A table that has no log gives ErrNotFound.
	Expire(ctx context.Context, table string, after time.Duration) error

	// Delete removes the table at once: its log and its private values.
	// To delete a table that has no log is no error.
	Delete(ctx context.Context, table string) error
}

// Limits of what a Log takes; beyond them an append is refused as a fault of
// the caller's.
const (
	MaxTable  = 64       // bytes in the name of a table or of a private value
	MaxLine   = 64 << 10 // bytes in a line
	MaxAppend = 1 << 20  // bytes in an append, each line and private value counted with 128 more
)

// Errors that callers of a Log tell apart, with errors.Is.
var (
	// ErrConflict: the log is not where the writer believed it to be.
	ErrConflict = errors.New("the log is not at the revision that the append follows")
	// ErrNotFound: the table has no log.
	ErrNotFound = errors.New("no such table")
	// ErrFull: there is no room for the append. Nothing was added.
	ErrFull = errors.New("the server has no room left to store this")
	// ErrClosed: the log has been closed.
	ErrClosed = errors.New("the log is closed")
)

// CheckAppend tells whether an append keeps to the limits above; it is for
// those who implement a Log. It does not look at after, except that a table
// is created with a line in it.
func CheckAppend(table string, after Rev, lines []Line, private map[string][]byte) error {
	if err := checkName("table", table); err != nil {
		return err
	}
	if len(lines) == 0 && (after == 0 || len(private) == 0) {
		return errors.New("an append of no lines")
	}
	for i, l := range lines {
		switch {
		case l == "":
			return fmt.Errorf("line %d of the append is empty", i)
		case len(l) > MaxLine:
			return fmt.Errorf("line %d of the append has %d bytes, the limit is %d", i, len(l), MaxLine)
		case strings.ContainsRune(string(l), '\n'):
			return fmt.Errorf("line %d of the append holds a newline", i)
		}
	}
	for name := range private {
		if err := checkName("private value", name); err != nil {
			return err
		}
	}
	if n := AppendSize(lines, private); n > MaxAppend {
		return fmt.Errorf("an append of %d bytes, the limit is %d", n, MaxAppend)
	}
	return nil
}

// AppendSize is what an append counts against MaxAppend, in bytes.
func AppendSize(lines []Line, private map[string][]byte) int {
	n := (len(lines) + len(private)) * 128
	for _, l := range lines {
		n += len(l)
	}
	for _, v := range private {
		n += len(v)
	}
	return n
}

func checkName(what, name string) error {
	if name == "" || len(name) > MaxTable {
		return fmt.Errorf("the name of a %s has 1 to %d bytes, not %d", what, MaxTable, len(name))
	}
	for i := range len(name) {
		if name[i] <= ' ' || name[i] > '~' {
			return fmt.Errorf("the name of a %s is printable ASCII without spaces, not %q", what, name)
		}
	}
	return nil
}
