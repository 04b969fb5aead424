package verifier

import (
	"fmt"
	"strings"
	"unicode"
)

// Plain writes a stranger's words so that they can be shown: on one line, at most that many characters (of 1 or more), and
// what is not printable (control and format characters, line and direction marks, bytes that are no UTF-8) as an escape.
func Plain(s string, most int) string {
	if len(s) <= most && isPlain(s) {
		return s
	}
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > most {
			b.WriteString("…")
			break
		}
		if unicode.IsPrint(r) && r != unicode.ReplacementChar {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
