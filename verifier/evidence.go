package verifier

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"strings"

	"dudo.example/core/record"
)

// Statement is what a server signed of one game: the head of its log after an event, and the log's lines up to there if whoever
// brings the statement has them.
type Statement struct {
	Origin, GID string
	Key         ed25519.PublicKey
	Receipt     record.Receipt
	Lines       []record.Line
}

// The members of a statement that has no lines.
const statementForm = `a record with its receipt, or one line such as {"gid":"…","key":"…","origin":"…","receipt":"…"}`

// ReadStatement reads a record, of a finished game or not, or a line of JSON with a receipt, the game and the key. It checks the
// form and, of a record, that the receipt is of its lines; not who signed it.
func ReadStatement(r io.Reader) (Statement, error) {
	f, err := read(r)
	if err != nil && !errors.Is(err, ErrNotRecord) {
		return Statement{}, err
	}
	if err != nil || (f.receipt == "" && len(f.lines) == 1) {
		return bareStatement(f)
	}
	return recordStatement(f)
}

// bareStatement reads the one line of a statement without lines of a log.
func bareStatement(f file) (Statement, error) {
	bad := errors.New("this is no statement of a server: want " + statementForm)
	if len(f.lines) != 1 {
		return Statement{}, bad
	}
	o, err := record.ParseObject(f.lines[0])
	if err != nil || len(o) != 4 {
		return Statement{}, bad
	}
	text := map[string]string{}
	for _, m := range o {
		if text[m.Name], _ = m.Value.(string); text[m.Name] == "" {
			return Statement{}, bad
		}
	}
	s := Statement{Origin: text["origin"], GID: text["gid"]}
	if s.Origin == "" || s.GID == "" {
		return Statement{}, bad
	}
	if s.Key, err = record.ParseKey(text["key"]); err != nil {
		return Statement{}, err
	}
	s.Receipt, err = record.ParseReceipt(text["receipt"])
	return s, err
}

func recordStatement(f file) (Statement, error) {
	switch {
	case f.beyond || f.cut:
		return Statement{}, errors.New("something follows the receipt of this record, or its last line does not end")
	case f.receipt == "":
		return Statement{}, errors.New("this record has no receipt: the server has signed nothing here")
	case len(f.lines) == 0:
		return Statement{}, errors.New("this record has no events")
	}
	e, err := record.Parse(f.lines[0])
	open, ok := e.Body.(record.Open)
	if err != nil || !ok {
		return Statement{}, errors.New("this record does not begin with an open event")
	}
	s := Statement{Origin: open.Origin, GID: open.GID, Lines: f.lines}
	if s.Key, err = record.ParseKey(open.Key); err != nil {
		return Statement{}, err
	}
	r, failure := parseReceiptLine(f.receipt)
	if failure != nil {
		return Statement{}, failure
	}
	if s.Receipt = r; r.N != int64(len(f.lines)-1) || s.head(r.N) != r.Head {
		return Statement{}, errors.New("the receipt of this record is not of its events")
	}
	return s, nil
}

// head is the head of the log after event n, as the statement has it; "" if it does not tell.
func (s *Statement) head(n int64) record.Head {
	if n >= int64(len(s.Lines)) {
		if n == s.Receipt.N {
			return s.Receipt.Head
		}
		return ""
	}
	return record.HeadOf(s.Lines[:n+1])
}

// NoContradiction says why two statements do not prove that a server told two stories.
type NoContradiction struct{ Reason string }

func (n *NoContradiction) Error() string { return n.Reason }

// Contradiction is the proof that a server signed two histories of one game.
type Contradiction struct {
	Event int64          // up to which they differ
	Heads [2]record.Head // after it
}

// Contradict holds two statements against each other. They prove that the server with their key told two stories if it signed
// both, they are of one game, and one event has two heads. The error is a [*NoContradiction].
func Contradict(a, b Statement) (*Contradiction, error) {
	no := func(format string, args ...any) (*Contradiction, error) {
		return nil, &NoContradiction{fmt.Sprintf(format, args...)}
	}
	for i, s := range []Statement{a, b} {
		if !s.Receipt.Verify(s.Key, s.Origin, s.GID) {
			return no("the %s statement is not signed by the key %s", [...]string{"first", "second"}[i], record.KeyText(s.Key))
		}
	}
	switch {
	case a.Origin != b.Origin || a.GID != b.GID:
		return no("they are of two games, %s of %s and %s of %s", Plain(a.GID, 40), Plain(a.Origin, 60), Plain(b.GID, 40), Plain(b.Origin, 60))
	case !a.Key.Equal(b.Key):
		return no("two keys signed them")
	}
	n := min(a.Receipt.N, b.Receipt.N)
	heads := [2]record.Head{a.head(n), b.head(n)}
	switch {
	case heads[0] == "" || heads[1] == "":
		return no("one is of event %d and the other of event %d without the events before it; bring the record of that one", n, max(a.Receipt.N, b.Receipt.N))
	case heads[0] == heads[1]:
		return no("they agree: both have the same history up to event %d", n)
	}
	return &Contradiction{n, heads}, nil
}

// ReceiptStatement makes a statement of a bare receipt; the game and the key are those of another statement.
func ReceiptStatement(text string, game Statement) (Statement, error) {
	r, err := record.ParseReceipt(strings.TrimSpace(text))
	return Statement{Origin: game.Origin, GID: game.GID, Key: game.Key, Receipt: r}, err
}
