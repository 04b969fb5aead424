package record

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrNotCanonical refuses a line that is not an object in canonical form within the limits. It is wrapped in a
// [*SyntaxError].
var ErrNotCanonical = errors.New("not canonical")

// SyntaxError says where a line leaves the canonical form.
type SyntaxError struct {
	Offset int // bytes before it
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.Reason) }

// Unwrap makes every SyntaxError an ErrNotCanonical.
func (e *SyntaxError) Unwrap() error { return ErrNotCanonical }

// ParseObject reads a line in canonical form. The error is a [*SyntaxError].
func ParseObject(line Line) (Object, error) {
	p := parser{s: string(line)}
	switch {
	case len(line) > MaxLine:
		p.fail("a line of more than 64 KiB")
	case !utf8.ValidString(p.s):
		p.fail("invalid UTF-8")
	case p.peek() != '{':
		p.fail("want an object")
	}
	var o Object
	if p.err == nil {
		o = p.object(1)
	}
	if p.err == nil && p.i < len(p.s) {
		p.fail("something follows the object")
	}
	if p.err != nil {
		return nil, p.err
	}
	return o, nil
}

type parser struct {
	s   string
	i   int
	err *SyntaxError
}

func (p *parser) fail(reason string) {
	if p.err == nil {
		p.err = &SyntaxError{p.i, reason}
	}
}

func (p *parser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *parser) take(c byte) {
	if p.peek() != c {
		p.fail("want " + strconv.QuoteRune(rune(c)))
		return
	}
	p.i++
}

func (p *parser) value(depth int) Value {
	switch c := p.peek(); {
	case depth > maxDepth:
		p.fail("nested deeper than 6")
		return nil
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.text()
	case c == '-' || (c >= '0' && c <= '9'):
		return p.number()
	}
	for _, lit := range literals {
		if strings.HasPrefix(p.s[p.i:], lit.text) {
			p.i += len(lit.text)
			return lit.value
		}
	}
	p.fail("want a value")
	return nil
}

var literals = [...]struct {
	text  string
	value Value
}{{"true", true}, {"false", false}, {"null", nil}}

func (p *parser) object(depth int) Object {
	p.take('{')
	if p.peek() == '}' {
		p.i++
		return Object{}
	}
	o := make(Object, 0, 8/depth)
	for p.err == nil {
		at := p.i
		name := p.text()
		if n := len(o); n > 0 && compareNames(o[n-1].Name, name) >= 0 {
			p.i = at
			p.fail("members out of order or twice")
			return nil
		}
		p.take(':')
		o = append(o, Member{name, p.value(depth + 1)})
		if p.peek() != ',' {
			p.take('}')
			return o
		}
		p.i++
	}
	return nil
}

func (p *parser) array(depth int) []Value {
	p.take('[')
	list := []Value{}
	if p.peek() == ']' {
		p.i++
		return list
	}
	for p.err == nil {
		list = append(list, p.value(depth+1))
		if p.peek() != ',' {
			p.take(']')
			return list
		}
		p.i++
	}
	return nil
}

func (p *parser) number() int64 {
	at := p.i
	if p.peek() == '-' {
		p.i++
	}
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.i++
	}
	text := p.s[at:p.i]
	n, err := strconv.ParseInt(text, 10, 64)
	digits := strings.TrimPrefix(text, "-")
	if err != nil || n > MaxInt || n < -MaxInt || (digits[0] == '0' && text != "0") {
		p.i = at
		p.fail("not an integer in canonical form")
	}
	if c := p.peek(); c == '.' || c == 'e' || c == 'E' {
		p.fail("not an integer in canonical form")
	}
	return n
}

// text reads a string. One without escapes is a part of the line and costs no copy.
func (p *parser) text() string {
	p.take('"')
	if p.err != nil {
		return ""
	}
	from := p.i
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '"':
			p.i++
			return p.s[from : p.i-1]
		case c == '\\':
			return p.escaped(from)
		case c < 0x20:
			p.fail("a control character in a string")
			return ""
		}
		p.i++
	}
	p.fail("a string without end")
	return ""
}

// escaped reads a string with escapes.
func (p *parser) escaped(from int) string {
	for p.i < len(p.s) && p.s[p.i] != '"' {
		if p.s[p.i] == '\\' {
			p.i++
		}
		p.i++
	}
	if p.i >= len(p.s) {
		p.i = len(p.s)
		p.fail("a string without end")
		return ""
	}
	s, ok := unescape(p.s[from:p.i])
	p.i++
	if !ok {
		p.i = from - 1
		p.fail("a string that is not in canonical form")
	}
	return s
}

// unescape reads what stands between the quotes; it is not ok if that is not the one way to write it.
func unescape(s string) (text string, ok bool) {
	var b strings.Builder
	b.Grow(len(s))
	for s != "" {
		plain := 0
		for plain < len(s) && s[plain] != '\\' {
			if s[plain] < 0x20 {
				return "", false
			}
			plain++
		}
		b.WriteString(s[:plain])
		if s = s[plain:]; s == "" {
			break
		}
		c, n := escape(s)
		if n == 0 {
			return "", false
		}
		b.WriteByte(c)
		s = s[n:]
	}
	return b.String(), true
}

// escape reads one escape and gives its length, 0 for one that is not canonical.
func escape(s string) (c byte, length int) {
	if len(s) < 2 {
		return 0, 0
	}
	if i := strings.IndexByte(shortEscapes, s[1]); i >= 0 {
		return shortEscaped[i], 2
	}
	if len(s) < 6 || s[1:4] != "u00" || (s[4] != '0' && s[4] != '1') {
		return 0, 0
	}
	low := strings.IndexByte(hexDigits, s[5])
	c = (s[4]-'0')<<4 | byte(max(low, 0))
	if low < 0 || strings.IndexByte(shortEscaped, c) >= 0 {
		return 0, 0
	}
	return c, 6
}

// The characters that have an escape of two, and its second one.
const (
	shortEscapes = `"\btnfr`
	shortEscaped = "\"\\\b\t\n\f\r"
)
