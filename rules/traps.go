package rules

import (
	"fmt"
	"regexp"
	"strings"
)

// YAML gives meaning to signs that expressions and sentences are full of. What follows finds, in text that the parser refused or
// cut, which of these traps the author fell into. It is asked only where something is wrong already.

const (
	cutMessage   = "YAML reads ' #' as the beginning of a comment and cuts the expression; put it in single quotes"
	colonMessage = "YAML reads ': ' as a key and its value; put the whole in single quotes"
	commaMessage = "inside { } and [ ] a comma ends the value; put the whole in single quotes"
)

// syntaxTrap explains what the YAML parser refused. The line in which it noticed is often later than the mistake.
func (s *source) syntaxTrap(noticed int) *Error {
	for _, line := range []int{noticed, noticed - 1, noticed + 1, noticed - 2, noticed - 3} {
		if line < 1 || line > len(s.lines) {
			continue
		}
		text := s.lines[line-1]
		offset, message := lineTrap(text)
		if message == "" && line == noticed {
			offset, message = s.indentTrap(line)
		}
		if message != "" {
			return s.errorf(place{line, column(text, offset)}, "%s", message)
		}
	}
	return s.openBracket(noticed)
}

var (
	beforeValue   = regexp.MustCompile(`^ *(?:- +)*(?:'[^']*' *: +|"[^"]*" *: +|[^\s'"{\[#][^:#]*: +)?`)
	noSpace       = regexp.MustCompile(`^ *(?:- +)*[a-z_]+(?:\([a-z_, ]*\))?(:)[^\s:]`)
	keyWithIndex  = regexp.MustCompile(`[{,] *([a-z_]+\[)[^\]]*\] *:`)
	indexInBraces = regexp.MustCompile(`[{,] *[a-z_]+: ([a-z_]+\[[^\]'"]*\] *[^\]}, ]*)`)
	ternary       = regexp.MustCompile(`\?[^'"]*( : )`)
)

// lineTrap looks for a trap in one line. It gives the offset and the message, or "".
func lineTrap(line string) (offset int, message string) {
	from := len(beforeValue.FindString(line))
	value := line[from:]
	if value == "" || value[0] == '#' {
		return 0, ""
	}
	if offset, message := firstSign(value); message != "" {
		return from + offset, message
	}
	if m := noSpace.FindStringSubmatchIndex(line); m != nil {
		return m[2], "put a space after the colon"
	}
	if m := keyWithIndex.FindStringSubmatchIndex(line); m != nil {
		return m[2], "put a name with an index in single quotes, such as 'lost[me]'"
	}
	if m := indexInBraces.FindStringSubmatchIndex(line); m != nil {
		return m[2], "inside { } an index begins a list; put the expression in single quotes"
	}
	if open := cutAt(line); open >= 0 {
		return open, cutMessage
	}
	if m := ternary.FindStringSubmatchIndex(value); m != nil && !strings.ContainsAny(value[:1], `'"`) {
		return from + m[2] + 1, colonMessage
	}
	if colon := strings.Index(value, ": "); colon >= 0 && !strings.ContainsAny(value[:1], `'"{[`) {
		return from + colon, colonMessage
	}
	return 0, ""
}

// firstSign looks at the sign that a value begins with.
func firstSign(value string) (offset int, message string) {
	switch c := value[0]; c {
	case '!':
		return 0, tagMessage
	case '&', '*', '@', '`', '%':
		return 0, fmt.Sprintf("YAML gives a leading %c a meaning of its own; put the whole in single quotes", c)
	case '|', '>':
		if rest := strings.TrimLeft(value[1:], "+-0123456789"); strings.TrimSpace(rest) != "" && rest[0] != '#' {
			if c == '|' && rest[0] == ' ' {
				return 0, "a block begins in the line after the |; move the text there, or put it in single quotes"
			}
			return 0, fmt.Sprintf("YAML gives a leading %c a meaning of its own; put the whole in single quotes", c)
		}
	case '\'', '"':
		end := closing(value)
		if end < 0 {
			return 0, fmt.Sprintf("the text that begins with this %c has no %c at its end", c, c)
		}
		if rest := strings.TrimSpace(value[end+1:]); rest != "" && !strings.ContainsAny(rest[:1], "#,:]}") {
			return end + 1, "text follows the closing quote; put the whole in one pair of quotes"
		}
	case '{', '[':
		if end := closing(value); end >= 0 {
			if rest := strings.TrimSpace(value[end+1:]); rest != "" && !strings.ContainsAny(rest[:1], "#,:]}") {
				return 0, fmt.Sprintf("YAML reads a leading %c as a list or a mapping; put the whole in single quotes", c)
			} else if rest != "" && strings.ContainsAny(rest[:1], "]}") {
				return end + 1 + strings.Index(value[end+1:], rest), fmt.Sprintf("this %c closes nothing; remove it", rest[0])
			}
		}
	}
	return 0, ""
}

const tagMessage = "YAML reads a leading ! as a tag; put the whole in single quotes"

// closing gives the offset of the quote or bracket that ends what a text begins with, or -1.
func closing(text string) int {
	if c := text[0]; c == '\'' || c == '"' {
		for i := 1; i < len(text); i++ {
			switch {
			case text[i] == '\\' && c == '"':
				i++
			case text[i] == c && c == '\'' && i+1 < len(text) && text[i+1] == c:
				i++
			case text[i] == c:
				return i
			}
		}
		return -1
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i
			}
		case (c == '\'' || c == '"') && strings.IndexByte(" [{,(", text[i-1]) >= 0:
			end := closing(text[i:])
			if end < 0 {
				return -1
			}
			i += end
		}
	}
	return -1
}

// indentTrap finds out whether a line begins at a column where nothing above it does.
func (s *source) indentTrap(line int) (offset int, message string) {
	indent := func(line int) int { return len(s.lines[line-1]) - len(strings.TrimLeft(s.lines[line-1], " ")) }
	here := indent(line)
	least := 1 << 30
	for above := line - 1; above >= 1; above-- {
		text := strings.TrimSpace(s.lines[above-1])
		if text == "" || text[0] == '#' {
			continue
		}
		n := indent(above)
		if n == here {
			return 0, ""
		}
		if least == 1<<30 && n < here && strings.HasSuffix(text, ":") {
			return 0, ""
		}
		if least = min(least, n); least < here {
			break
		}
	}
	return here, "this line begins where no line above it does; indent it like those that it belongs with"
}

// openBracket finds the last bracket above a line that is not closed, if the parser missed its end.
func (s *source) openBracket(line int) *Error {
	for at := line; at >= max(1, line-40); at-- {
		text := s.lines[at-1]
		from := len(beforeValue.FindString(text))
		if from == len(text) || (text[from] != '{' && text[from] != '[') || closing(text[from:]) >= 0 {
			continue
		}
		return s.errorf(place{at, column(text, from)}, "this %c is not closed; add %s at its end", text[from],
			map[byte]string{'{': "}", '[': "]"}[text[from]])
	}
	return nil
}

// cut finds out whether YAML took less or something else than the author wrote for an expression.
func (s *source) cut(n *node) (at place, message string) {
	if n.at.line < 1 || n.at.line > len(s.lines) || n.style == literal {
		return place{}, ""
	}
	line := s.lines[n.at.line-1]
	from := offset(line, n.at.col)
	rest, text := line[from:], n.text
	switch n.style {
	case quoted:
		rest, text = rest[min(1, len(rest)):], strings.ReplaceAll(text, "'", "''")
	case escaped:
		rest = rest[min(1, len(rest)):]
	case plain, literal, folded:
	}
	switch {
	case !strings.HasPrefix(rest, text) && n.style == escaped:
		return n.at, "write expressions in single quotes, or as a block after |"
	case !strings.HasPrefix(rest, text):
		return place{n.at.line, n.at.col}, "an expression over several lines is written as a block after |"
	case n.style != plain:
	case strings.Contains(text, ": "):
		return place{n.at.line, n.at.col + strings.Index(text, ": ")}, colonMessage
	case opens(text):
		if i := cutAt(line); i >= 0 {
			return place{n.at.line, column(line, i)}, cutMessage
		}
		if rest = rest[len(text):]; strings.HasPrefix(rest, ",") {
			return place{n.at.line, column(line, from+len(text))}, commaMessage
		}
	}
	return place{}, ""
}

// opens reports whether text has more opening than closing brackets.
func opens(text string) bool {
	return strings.Count(text, "(")+strings.Count(text, "[") > strings.Count(text, ")")+strings.Count(text, "]")
}

// cutAt gives the offset of a # that cuts an unquoted expression inside a bracket, or -1.
func cutAt(line string) int {
	depth := 0
	var quote byte
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '\'' || c == '"') && (i == 0 || strings.IndexByte(" [{,(", line[i-1]) >= 0):
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '#' && i > 0 && line[i-1] == ' ':
			if depth > 0 {
				return i
			}
			return -1
		}
	}
	return -1
}
