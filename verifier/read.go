package verifier

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"dudo.example/core/record"
)

// The errors for what gets no verdict.
var (
	// ErrNotRecord: no line of the file looks as if it came from a record.
	ErrNotRecord = errors.New("this is not a record: no line of it is an event or a receipt")
	// ErrTooLarge: the file is larger than a record can be.
	ErrTooLarge = errors.New("this is not a record: it is larger than 4 MiB or has more than 20,000 lines")
	// ErrTooCostly: the rules in the record make it more work than any game is.
	ErrTooCostly = errors.New("the rules in this record make it too much work to verify")
)

// file is a record as it lies there: lines that nothing has been asked of yet.
type file struct {
	lines   []record.Line
	receipt string // the receipt's line; empty if there is none
	beyond  bool   // something follows the receipt
	cut     bool   // the last line has no newline
}

const receiptStart = `{"receipt":`

// read takes a file apart into lines, within the limits.
func read(r io.Reader) (file, error) {
	var all strings.Builder
	if sized, ok := r.(interface{ Len() int }); ok {
		all.Grow(min(sized.Len(), record.MaxRecord+1))
	}
	if _, err := io.CopyBuffer(&all, io.LimitReader(r, record.MaxRecord+1), make([]byte, 4096)); err != nil {
		return file{}, fmt.Errorf("read the record: %w", err)
	}
	text := all.String()
	newlines := strings.Count(text, "\n")
	if len(text) > record.MaxRecord || newlines > record.MaxLines {
		return file{}, ErrTooLarge
	}
	f := file{lines: make([]record.Line, 0, newlines+1), cut: !strings.HasSuffix(text, "\n")}
	looks := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		isReceipt := strings.HasPrefix(line, receiptStart)
		looks = looks || isReceipt || looksLikeEvent(line)
		switch {
		case f.receipt != "":
			f.beyond = true
		case isReceipt:
			f.receipt = line
		default:
			f.lines = append(f.lines, record.Line(line))
		}
	}
	if !looks {
		return file{}, ErrNotRecord
	}
	return f, nil
}

func looksLikeEvent(line string) bool {
	return strings.HasPrefix(line, "{") && strings.Contains(line, `"n":`) && strings.Contains(line, `"type":`)
}

// seed finds the seed that the first end event reveals.
func (f *file) seed() (string, bool) {
	for _, line := range f.lines {
		if !strings.Contains(string(line), `"type":"end"`) {
			continue
		}
		e, err := record.Parse(line)
		if end, ok := e.Body.(record.End); ok && err == nil {
			return end.Seed, true
		}
	}
	return "", false
}
