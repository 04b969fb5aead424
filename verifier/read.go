package verifier

import (
	"bytes"
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

// read takes a file apart into lines, within the limits. With ErrNotRecord it gives the lines all the same.
func read(r io.Reader) (file, error) {
	text, err := readAll(r)
	if err != nil {
		return file{}, fmt.Errorf("read the record: %w", err)
	}
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
		return f, ErrNotRecord
	}
	return f, nil
}

// readAll reads at most one byte more than a record has.
func readAll(r io.Reader) (string, error) {
	var all strings.Builder
	if in, ok := r.(*bytes.Reader); ok && in.Len() <= record.MaxRecord {
		all.Grow(in.Len())
		_, err := in.WriteTo(&all)
		return all.String(), err
	}
	_, err := io.Copy(&all, io.LimitReader(r, record.MaxRecord+1))
	return all.String(), err
}

func looksLikeEvent(line string) bool {
	return strings.HasPrefix(line, "{") && strings.Contains(line, `"n":`) && strings.Contains(line, `"type":`)
}

// seed finds the seed in the last event, where it belongs, else in the first event that reveals one.
func (f *file) seed() (string, bool) {
	if n := len(f.lines); n > 0 {
		if seed, ok := seedOf(f.lines[n-1]); ok {
			return seed, true
		}
	}
	for _, line := range f.lines {
		if seed, ok := seedOf(line); ok {
			return seed, true
		}
	}
	return "", false
}

func seedOf(line record.Line) (string, bool) {
	if !strings.Contains(string(line), `"type":"end"`) {
		return "", false
	}
	e, err := record.Parse(line)
	end, ok := e.Body.(record.End)
	return end.Seed, ok && err == nil
}
