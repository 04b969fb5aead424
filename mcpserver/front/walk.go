package front

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of a body's shape.
const (
	maxDepth   = 16 // objects and arrays inside each other
	maxMembers = 64 // members of one object
)

// canonical checks that a body has one meaning only and returns it written in
// one way: no white space, strings with the fewest escapes, numbers as they were.
func canonical(body []byte) ([]byte, *rejection) {
	if !utf8.Valid(body) {
		return nil, reject(codeParse, "The body is not valid UTF-8.")
	}
	if !json.Valid(body) {
		return nil, reject(codeParse, "The body is not valid JSON: send one JSON-RPC message.")
	}
	// The grammar holds from here on, so the walk only looks for what it
	// allows and we do not.
	w := walker{in: body, out: make([]byte, 0, len(body))}
	if rej := w.value(0); rej != nil {
		return nil, rej
	}
	return w.out, nil
}

// A walker copies valid JSON from in to out in canonical form.
type walker struct {
	in  []byte
	pos int
	out []byte
}

// next skips white space and returns the byte it stands on.
func (w *walker) next() byte {
	for w.in[w.pos] <= ' ' {
		w.pos++
	}
	return w.in[w.pos]
}

func (w *walker) value(depth int) *rejection {
	switch w.next() {
	case '{', '[':
		if depth == maxDepth {
			return reject(codeInvalidRequest, "The body is nested too deeply: at most "+strconv.Itoa(maxDepth)+" levels.")
		}
		if w.in[w.pos] == '{' {
			return w.object(depth + 1)
		}
		return w.array(depth + 1)
	case '"':
		_, rej := w.text()
		return rej
	default:
		return w.literal()
	}
}

func (w *walker) object(depth int) *rejection {
	var few [8]string
	names := few[:0]
	w.take('{')
	for w.next() != '}' {
		if len(names) > 0 {
			w.take(',')
			w.next()
		}
		name, rej := w.text()
		if rej != nil {
			return rej
		}
		for _, other := range names {
			if strings.EqualFold(name, other) {
				return reject(codeInvalidRequest, "An object in the body has the same member twice: names must differ by more than case.")
			}
		}
		if names = append(names, name); len(names) > maxMembers {
			return reject(codeInvalidRequest, "An object in the body has too many members: at most "+strconv.Itoa(maxMembers)+".")
		}
		w.next()
		w.take(':')
		if rej := w.value(depth); rej != nil {
			return rej
		}
	}
	w.take('}')
	return nil
}

func (w *walker) array(depth int) *rejection {
	w.take('[')
	for first := true; w.next() != ']'; first = false {
		if !first {
			w.take(',')
		}
		if rej := w.value(depth); rej != nil {
			return rej
		}
	}
	w.take(']')
	return nil
}

// take copies the byte it stands on, which the grammar says is c.
func (w *walker) take(c byte) {
	w.out = append(w.out, c)
	w.pos++
}

// literal copies a number, true, false or null.
func (w *walker) literal() *rejection {
	start := w.pos
	for w.pos < len(w.in) && bytes.IndexByte([]byte(",]} \t\r\n"), w.in[w.pos]) < 0 {
		w.pos++
	}
	lit := w.in[start:w.pos]
	if c := lit[0]; c == '-' || '0' <= c && c <= '9' {
		if _, err := strconv.ParseFloat(string(lit), 64); err != nil {
			return reject(codeInvalidRequest, "A number in the body is too large.")
		}
	}
	w.out = append(w.out, lit...)
	return nil
}

// text copies a string and returns what it says.
func (w *walker) text() (string, *rejection) {
	start := w.pos
	escaped := false
	for w.pos++; w.in[w.pos] != '"'; w.pos++ {
		if w.in[w.pos] == '\\' {
			escaped = true
			w.pos++
		}
	}
	w.pos++
	raw := w.in[start:w.pos]
	if !escaped {
		w.out = append(w.out, raw...)
		return string(raw[1 : len(raw)-1]), nil
	}
	if loneSurrogate(raw) {
		return "", reject(codeParse, "A string in the body has half of a surrogate pair.")
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", reject(codeParse, "The body is not valid JSON: send one JSON-RPC message.")
	}
	if strings.IndexByte(s, 0) >= 0 {
		return "", reject(codeInvalidRequest, "A string in the body has a NUL character.")
	}
	w.out = appendText(w.out, s)
	return s, nil
}

// loneSurrogate reports whether a JSON string has a \u escape of a surrogate
// without its other half, which encoding/json would turn into U+FFFD.
func loneSurrogate(raw []byte) bool {
	high := false // the escape just before was a high surrogate
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			if high {
				return true
			}
			continue
		}
		i++
		var unit uint64
		if raw[i] == 'u' {
			unit, _ = strconv.ParseUint(string(raw[i+1:i+5]), 16, 16)
			i += 4
		}
		low := 0xDC00 <= unit && unit <= 0xDFFF
		if low != high {
			return true
		}
		high = 0xD800 <= unit && unit <= 0xDBFF
	}
	return high
}

// appendText appends s as a JSON string with the fewest escapes.
func appendText(out []byte, s string) []byte {
	out = append(out, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c < ' ':
			const hex = "0123456789abcdef"
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

// members yields the members of a canonical object: the name as it stands
// between the quotes, and the value.
func members(object []byte) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for pos := 1; object[pos] != '}'; {
			if object[pos] == ',' {
				pos++
			}
			colon := skip(object, pos)
			end := skip(object, colon+1)
			if !yield(string(object[pos+1:colon-1]), object[colon+1:end]) {
				return
			}
			pos = end
		}
	}
}

// elements returns the values of a canonical array.
func elements(array []byte) []json.RawMessage {
	var all []json.RawMessage
	for pos := 1; array[pos] != ']'; {
		if array[pos] == ',' {
			pos++
		}
		end := skip(array, pos)
		all = append(all, json.RawMessage(array[pos:end]))
		pos = end
	}
	return all
}

// skip returns where the canonical value that starts at pos ends.
func skip(b []byte, pos int) int {
	depth := 0
	for ; pos < len(b); pos++ {
		switch b[pos] {
		case '"':
			for pos++; b[pos] != '"'; pos++ {
				if b[pos] == '\\' {
					pos++
				}
			}
			if depth == 0 {
				return pos + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return pos
			}
			if depth--; depth == 0 {
				return pos + 1
			}
		case ',':
			if depth == 0 {
				return pos
			}
		}
	}
	return pos
}
