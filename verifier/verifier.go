package verifier

import (
	"crypto/ed25519"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"dudo.example/core/record"
)

// Options say what a record is held against besides itself.
type Options struct {
	// Key is the server's public key as the user knows it; nil if they do not.
	Key ed25519.PublicKey
	// Pins are the keys that the user knows by origin. Key goes before them.
	Pins Pins
	// Kept are receipts that a player got during the game. Each must be of an event of the record, and signed by the
	// server if its key is known.
	Kept []record.Receipt
	// Patience is how long the events of one record may take; 0 means [Patience].
	Patience time.Duration
}

// Patience is how long the events of one record may take by default, a thousand times what a game takes. No record's rules
// can cost more than a part of it between two looks at the clock.
const Patience = time.Second

// Verifier verifies records. It keeps the rules that it compiled, so that further games of the same rules cost less. It may
// be used by several goroutines at a time.
type Verifier struct {
	options Options
	book    *rulebook
}

// New makes a verifier. The error is a fault of the shipped rules.
func New(o Options) (*Verifier, error) {
	book, err := newRulebook()
	if err != nil {
		return nil, err
	}
	return (&Verifier{book: book}).With(o), nil
}

// With gives a verifier with other options that shares the rules compiled so far.
func (v *Verifier) With(o Options) *Verifier {
	if o.Patience <= 0 {
		o.Patience = Patience
	}
	return &Verifier{options: o, book: v.book}
}

// Verify verifies one record; see [Verifier.Verify].
func Verify(r io.Reader, o Options) (*Report, error) {
	v, err := New(o)
	if err != nil {
		return nil, err
	}
	return v.Verify(r)
}

// Verify goes through a record. It reads r to its end, or to just above the size of a record. The report says whether the
// record is verified or refuted; an error says that it could not be read as one: [ErrNotRecord], [ErrTooLarge],
// [ErrTooCostly], an error of r, or a [*Fault].
func (v *Verifier) Verify(r io.Reader) (report *Report, err error) {
	defer func() {
		if x := recover(); x != nil {
			report, err = nil, &Fault{Value: x, Stack: debug.Stack()}
		}
	}()
	f, err := read(r)
	if err != nil {
		return nil, err
	}
	p := &pass{file: f, options: v.options, book: v.book, report: newReport(len(f.lines)), keptUpTo: -1}
	if err := p.run(); err != nil {
		return nil, err
	}
	return p.report, nil
}

// Fault is a bug of this program's that a record brought out. Nothing is known of that record.
type Fault struct {
	Value any
	Stack []byte
}

func (f *Fault) Error() string { return fmt.Sprintf("a fault of the verifier itself: %v", f.Value) }
