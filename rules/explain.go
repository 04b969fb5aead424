package rules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/expr-lang/expr/file"
)

// signs are what people write for operators, and what the language takes instead.
var signs = map[rune]string{
	'×': "*", '·': "*", '÷': "div(a, b)", '−': "-", '–': "-", '≤': "<=", '≥': ">=", '≠': "!=", '∧': "&&", '∨': "||", '¬': "!",
	'‘': "nothing, or ' around the whole", '’': "nothing, or ' around the whole", '“': "nothing, or ' around the whole",
	'”': "nothing, or ' around the whole", '\u00a0': "a plain space",
}

// unreadable looks for what the expression parser would stumble over or run deep into. It gives the offset and the message, or "".
func unreadable(text string) (offset int, message string) {
	var open []int
	for i, c := range text {
		switch {
		case signs[c] != "":
			return i, fmt.Sprintf("%s is not a sign of the language; write %s", visibleSign(c), signs[c])
		case c > '~':
			return i, fmt.Sprintf("%q cannot stand in an expression; names and operators are ASCII", c)
		case strings.ContainsRune("([{", c):
			if open = append(open, i); len(open) > maxBrackets {
				return i, fmt.Sprintf("brackets inside more than %d brackets; split the expression with a function", maxBrackets)
			}
		case strings.ContainsRune(")]}", c):
			if len(open) == 0 {
				return i, fmt.Sprintf("this %c closes nothing; remove it, or open it before", c)
			}
			last := text[open[len(open)-1]]
			if closes := strings.IndexByte("([{", last); ")]}"[closes] != byte(c) {
				return i, fmt.Sprintf("this %c stands where a %c was opened", c, last)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		at := open[len(open)-1]
		return at, fmt.Sprintf("this %c is not closed", text[at])
	}
	if at := max(strings.Index(text, "//"), strings.Index(text, "/*")); at >= 0 {
		return at, "comments stand outside of expressions, after a # and outside of quotes"
	}
	return 0, ""
}

func visibleSign(c rune) string {
	if c == '\u00a0' {
		return "a space that does not break (U+00A0)"
	}
	return string(c)
}

var (
	unexpected = regexp.MustCompile(`^unexpected token (\w+)(?:\("(.*)"\))?`)
	foreign    = regexp.MustCompile(`^(=>|=<|<>|=|&|\|)`)
)

// operators are those of other languages, and what this one has instead.
var operators = map[string]string{"=": "==", "=>": ">=", "=<": "<=", "<>": "!=", "&": "&&", "|": "||"}

// explain says what the expression parser did not understand.
func explain(err *file.Error, text string) string {
	if strings.HasPrefix(err.Message, "expected at least 2 arguments") {
		return "a quantifier takes a list and what is asked of its elements, such as all(dice_left, # > 0)"
	}
	m := unexpected.FindStringSubmatch(err.Message)
	if m == nil {
		return err.Message
	}
	kind, token := m[1], m[2]
	at := min(max(err.From, 0), len(text))
	if token == ">" && at > 0 && text[at-1] == '<' {
		at--
	}
	switch other := foreign.FindString(text[at:]); {
	case kind == "EOF" && strings.Count(text, "?") > strings.Count(text, ":"):
		return "a ? b : c needs its second answer, after a colon"
	case kind == "EOF":
		return "the expression ends where a value is expected"
	case token == "#":
		return "# is the element that all, any, none, one, count or sum looks at; it has no meaning outside"
	case operators[other] != "":
		return fmt.Sprintf("%s is not an operator of the language; write %s", other, operators[other])
	case kind == "Number" || kind == "Identifier" || kind == "String":
		return fmt.Sprintf("an operator is missing before %s", token)
	}
	return fmt.Sprintf("%s cannot stand here", token)
}
