package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error says what is wrong with a rule file, and where. Line and Col count from 1, Col in characters; both are 0 if the
// file as a whole is meant.
type Error struct {
	File   string
	Line   int
	Col    int
	Source string // the line itself, signs that cannot be seen made visible
	Msg    string // what is wrong and what to do
}

// Error gives the position, the message, the line itself and a caret under the column.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	line, col := []rune(e.Source), e.Col
	if from := col - maxShown*2/3; len(line) > maxShown && from > 1 {
		line, col = append([]rune("…"), line[from:]...), col-from+1
	}
	if len(line) > maxShown {
		line = append(slices.Clip(line[:maxShown-1]), '…')
	}
	return fmt.Sprintf("%s:%d:%d: %s\n  %s\n  %s^", e.File, e.Line, e.Col, e.Msg, string(line), strings.Repeat(" ", col-1))
}

// maxShown is how many characters of a line are shown.
const maxShown = 140

// maxErrors is how many mistakes a reader is told of at once.
const maxErrors = 10

// Errors are the mistakes of a rule file that do not follow from each other, at most 10, in the order of the file.
type Errors []*Error

// Error gives them one below the other.
func (e Errors) Error() string {
	list := make([]string, len(e))
	for i, err := range e {
		list[i] = err.Error()
	}
	return strings.Join(list, "\n")
}

// Unwrap makes each an [*Error] that errors.As finds.
func (e Errors) Unwrap() []error {
	list := make([]error, len(e))
	for i, err := range e {
		list[i] = err
	}
	return list
}

// inOrder sorts by line and column and keeps the first ones, each once.
func (e Errors) inOrder() Errors {
	slices.SortStableFunc(e, func(a, b *Error) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
	e = slices.CompactFunc(e, func(a, b *Error) bool { return *a == *b })
	return e[:min(len(e), maxErrors)]
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
	e.Line, e.Source = at.line, visible(s.lines[at.line-1])
	e.Col = min(max(at.col, 1), len([]rune(e.Source))+1)
	return e
}

// visible replaces what a terminal would obey or hide, a sign for a sign.
func visible(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ':
			return '␀' + r
		case r == 0x7f:
			return '␡'
		case !unicode.IsGraphic(r):
			return utf8.RuneError
		}
		return r
	}, line)
}

// instead says which of the known words may have been meant, or which there are.
func instead(word string, known []string) string {
	if like := nearest(word, known); like != "" {
		return "; did you mean " + like + "?"
	}
	return "; there are " + listed(known)
}

// listed writes words with commas, not too many of them.
func listed(words []string) string {
	const most = 16
	if len(words) > most {
		return strings.Join(words[:most], ", ") + " and more"
	}
	return strings.Join(words, ", ")
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
