package record

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Limits of a line and of a record. A reader refuses what is beyond them before it looks closer.
const (
	MaxLines  = 20000     // lines of a record
	MaxRecord = 4 << 20   // bytes of a record
	MaxInt    = 1<<53 - 1 // greatest magnitude of a number
	maxDepth  = 6
)

// The canonical form is that of RFC 8785 for objects whose numbers are all integers: members sorted by the UTF-16 code units
// of their names, no white space, and one way to write every string. There is one line for one value, so that a hash of
// the line is a hash of the value. A reader refuses any other form; it never repairs.

// Value is a JSON value: nil, bool, int64, string, []Value or Object. What is only written can be an int, []int or a list of
// [Owned] as well.
type Value any

// Member is a name with its value.
type Member struct {
	Name  string
	Value Value
}

// Object is a JSON object. A parsed one has its members in canonical order.
type Object []Member

// Get finds a member.
func (o Object) Get(name string) (Value, bool) {
	for i := range o {
		if o[i].Name == name {
			return o[i].Value, true
		}
	}
	return nil, false
}

// With is the object with one more member.
func (o Object) With(name string, value Value) Object { return append(o, Member{name, value}) }

// Encode writes the object in canonical form. It sorts the members in place. A name that occurs twice, a number beyond
// MaxInt, invalid UTF-8 or a value of another type is a bug of the caller's and panics.
func (o Object) Encode() Line {
	return Line(appendObject(make([]byte, 0, 512), o)) // most lines fit
}

// MarshalJSON implements json.Marshaler, with the canonical form.
func (o Object) MarshalJSON() ([]byte, error) { return appendObject(nil, o), nil }

func appendObject(b []byte, o Object) []byte {
	byName := func(x, y Member) int { return compareNames(x.Name, y.Name) }
	if !slices.IsSortedFunc(o, byName) { // one that is shared is sorted, and so only read
		slices.SortFunc(o, byName)
	}
	b = append(b, '{')
	for i, m := range o {
		if i > 0 {
			if o[i-1].Name == m.Name {
				panic("record: member " + m.Name + " twice")
			}
			b = append(b, ',')
		}
		b = appendString(b, m.Name)
		b = append(b, ':')
		b = appendValue(b, m.Value)
	}
	return append(b, '}')
}

func appendValue(b []byte, v Value) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case int:
		return appendInt(b, v)
	case int64:
		return appendInt(b, v)
	case string:
		return appendString(b, v)
	case []Value:
		b = append(b, '[')
		for i, x := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, x)
		}
		return append(b, ']')
	case Object:
		return appendObject(b, v)
	case []Owned[string]:
		return appendOwned(b, v, appendString)
	case []Owned[int]:
		return appendOwned(b, v, appendInt)
	case []Owned[[]int]:
		return appendOwned(b, v, appendInts)
	case []int:
		return appendInts(b, v)
	default:
		panic(fmt.Sprintf("record: a value of type %T", v))
	}
}

func appendInt[T int | int64](b []byte, v T) []byte {
	if int64(v) > MaxInt || int64(v) < -MaxInt {
		panic("record: number out of range")
	}
	return strconv.AppendInt(b, int64(v), 10)
}

func appendInts(b []byte, list []int) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendInt(b, v)
	}
	return append(b, ']')
}

// appendOwned writes an object whose members are named for owners: seats, which have one digit, and then t.
func appendOwned[T any](b []byte, list []Owned[T], value func([]byte, T) []byte) []byte {
	order := func(x, y Owned[T]) int { return compareNames(ownerName(x.Owner), ownerName(y.Owner)) }
	if !slices.IsSortedFunc(list, order) {
		list = slices.SortedFunc(slices.Values(list), order)
	}
	b = append(b, '{')
	for i, x := range list {
		if i > 0 {
			if list[i-1].Owner == x.Owner {
				panic("record: an owner twice")
			}
			b = append(b, ',')
		}
		b = appendString(b, ownerName(x.Owner))
		b = append(b, ':')
		b = value(b, x.Value)
	}
	return append(b, '}')
}

const hexDigits = "0123456789abcdef"

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	if isPlain(s) {
		return append(append(b, s...), '"')
	}
	if !utf8.ValidString(s) {
		panic("record: a string that is not UTF-8")
	}
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, `\b`...)
		case '\t':
			b = append(b, `\t`...)
		case '\n':
			b = append(b, `\n`...)
		case '\f':
			b = append(b, `\f`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			b = append(b, `\u00`...)
			b = append(b, hexDigits[c>>4], hexDigits[c&15])
		}
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

// isPlain reports whether a string is ASCII that needs no escape.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// compareNames orders names by UTF-16 code units. That differs from the order of their bytes only where a character beyond
// the basic plane meets one from U+E000 on.
func compareNames(x, y string) int {
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	if n == len(x) || n == len(y) {
		return len(x) - len(y)
	}
	if x[n] < utf8.RuneSelf && y[n] < utf8.RuneSelf {
		return int(x[n]) - int(y[n])
	}
	for x != "" && y != "" {
		r, n := utf8.DecodeRuneInString(x)
		s, m := utf8.DecodeRuneInString(y)
		if r != s {
			if (r > 0xffff) != (s > 0xffff) {
				r, s = firstUnit(r), firstUnit(s)
			}
			return int(r) - int(s)
		}
		x, y = x[n:], y[m:]
	}
	return len(x) - len(y)
}

func firstUnit(r rune) rune {
	if r > 0xffff {
		return 0xd800 + (r-0x10000)>>10
	}
	return r
}
