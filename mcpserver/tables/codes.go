package tables

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Codes are read aloud and typed, so they have no letters that look like others, and public ones no vowels and no digits, so
// that they spell nothing. Of their letters, only L is not one of Crockford's.
const (
	codeLetters = "BCDFGHJKLMNPQRSTVWXZ"
	crockford   = "0123456789ABCDEFGHJKMNPQRSTVWXYZ" // Crockford's base 32
)

const (
	publicCode  = 4  // letters of a public table's code
	privateCode = 20 // of a private one's: 100 random bits, which nobody finds by trying
	gidSuffix   = 8  // random characters that make a game's id unique for good
)

func randomCode(alphabet string, n int) string {
	var b strings.Builder
	var buf [1]byte
	for b.Len() < n {
		_, _ = rand.Read(buf[:]) // never fails
		if i := int(buf[0]); i < 256-256%len(alphabet) {
			b.WriteByte(alphabet[i%len(alphabet)])
		}
	}
	return b.String()
}

// newCode makes a code. Public ones grow by a letter with every few tries, for when most of the short ones are taken.
func newCode(private bool, try int) string {
	if private {
		return randomCode(crockford, privateCode)
	}
	return randomCode(codeLetters, min(publicCode+try/4, privateCode))
}

// normalCode is the code as it was given out, however it was typed.
func normalCode(s string) string {
	if len(s) > privateCode {
		return ""
	}
	s = strings.ToUpper(s)
	if strings.Trim(s, crockford+"L") != "" {
		return ""
	}
	return s
}

// tokenHash is what the server keeps of a seat's token.
type tokenHash [sha256.Size]byte

// newToken makes a seat's secret: 32 random bytes.
func newToken() (token string, hash tokenHash) {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	token = base64.RawURLEncoding.EncodeToString(b[:])
	return token, hashToken(token)
}

func hashToken(token string) tokenHash { return sha256.Sum256([]byte(token)) }
