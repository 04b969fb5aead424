package rules

import (
	"fmt"
	"strings"
)

// Error says what is wrong with a rule file, and where. Line and Col count from 1, Col in characters; both are 0 if the
// file as a whole is meant.
type Error struct {
	File   string
	Line   int
	Col    int
	Source string // the line itself
	Msg    string // what is wrong and what to do
}

// Error gives the position, the message, the line itself and a caret under the column.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s\n  %s\n  %s^", e.File, e.Line, e.Col, e.Msg, e.Source, strings.Repeat(" ", e.Col-1))
}

// place is a position in the text.
type place struct{ line, col int }

// source is the text of a rule file by lines.
type source struct {
	name  string
	lines []string
}

func (s *source) errorf(at place, format string, args ...any) *Error {
	e := &Error{File: s.name, Msg: fmt.Sprintf(format, args...)}
	if at.line < 1 || at.line > len(s.lines) {
		return e
	}
	e.Line, e.Source = at.line, s.lines[at.line-1]
	e.Col = min(max(at.col, 1), len([]rune(e.Source))+1)
	return e
}

// nearest gives the accepted word that is most like the given one, or "".
func nearest(word string, accepted []string) string {
	best, least := "", min(3, 1+len(word)/3)
	for _, a := range accepted {
		if len(a) > 40 || len(word) > 40 {
			continue
		}
		if d := distance(word, a); d < least {
			best, least = a, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}
