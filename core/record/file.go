package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// File is a record as it is downloaded: the lines of a log, and a last line with the receipt for all of them.
type File struct {
	Lines   []Line
	Receipt string // as written; empty if the file has none
}

// Write writes the file.
func (f File) Write(w io.Writer) error {
	var b bytes.Buffer
	for _, l := range f.Lines {
		b.WriteString(string(l))
		b.WriteByte('\n')
	}
	if f.Receipt != "" {
		b.WriteString(string(Object{{"receipt", f.Receipt}}.Encode()))
		b.WriteByte('\n')
	}
	_, err := w.Write(b.Bytes())
	return err
}

// The errors of [ReadFile], besides those of its reader.
var (
	ErrTooLarge = errors.New("a record is at most 4 MiB and 20,000 lines of at most 64 KiB")
	ErrNoRecord = errors.New("this is no record: a record is lines of JSON, each ended by a newline")
)

const receiptStart = `{"receipt":`

// ReadFile reads a record and keeps to the limits. It takes the lines as they are and checks no more than that they end.
func ReadFile(r io.Reader) (File, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxRecord+1))
	if err != nil {
		return File{}, fmt.Errorf("read the record: %w", err)
	}
	if len(text) > MaxRecord || bytes.Count(text, []byte("\n")) > MaxLines {
		return File{}, ErrTooLarge
	}
	if len(text) == 0 || text[len(text)-1] != '\n' {
		return File{}, ErrNoRecord
	}
	var f File
	for line := range bytes.Lines(text) {
		line = line[:len(line)-1]
		if len(line) > MaxLine {
			return File{}, ErrTooLarge
		}
		f.Lines = append(f.Lines, Line(line))
	}
	last := f.Lines[len(f.Lines)-1]
	if len(last) < len(receiptStart) || last[:len(receiptStart)] != receiptStart {
		return f, nil
	}
	o, err := ParseObject(last)
	if err != nil || len(o) != 1 {
		return File{}, ErrNoRecord
	}
	text2, ok := o[0].Value.(string)
	if !ok {
		return File{}, ErrNoRecord
	}
	f.Receipt = text2
	f.Lines = f.Lines[:len(f.Lines)-1]
	return f, nil
}
