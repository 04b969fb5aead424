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

// escaped reads a string with escapes, and then asks whether it would be written so.
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
	p.i++
	quoted := p.s[from-1 : p.i]
	s, ok := unescape(quoted[1 : len(quoted)-1])
	if !ok || string(appendString(make([]byte, 0, len(quoted)), s)) != quoted {
		p.i = from - 1
		p.fail("a string that is not in canonical form")
	}
	return s
}

func unescape(s string) (string, bool) {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if plain := strings.IndexByte(s[i:], '\\'); plain < 0 {
			b.WriteString(s[i:])
			break
		} else if plain > 0 {
			b.WriteString(s[i : i+plain])
			i += plain
		}
		if i++; i >= len(s) {
			return "", false
		}
		switch s[i] {
		case '"', '\\':
			b.WriteByte(s[i])
		case 'b':
			b.WriteByte('\b')
		case 't':
			b.WriteByte('\t')
		case 'n':
			b.WriteByte('\n')
		case 'f':
			b.WriteByte('\f')
		case 'r':
			b.WriteByte('\r')
		case 'u':
			if i+4 >= len(s) {
				return "", false
			}
			n, err := strconv.ParseUint(s[i+1:i+5], 16, 16)
			if err != nil || n >= 0x20 {
				return "", false
			}
			b.WriteByte(byte(n))
			i += 4
		default:
			return "", false
		}
	}
	return b.String(), true
}
