package words

import (
	"unicode"
	"unicode/utf8"

	"dudo.example/core/deal"
	"dudo.example/core/play"
	"golang.org/x/text/unicode/norm"
)

// The lengths of text: of talk in characters, of a nonce in bytes.
const (
	MaxTalk  = play.MaxSay
	MaxNonce = deal.MaxNonce
)

// maxMarks is how many marks a character can carry.
const maxMarks = 2

// Talk checks what a player says, at most [MaxTalk] characters, and gives it in NFC. To say nothing is fine.
func Talk(s string) (string, error) {
	// Four characters of four bytes become one in NFC at the most, so what is longer need not be looked at.
	if len(s) > 16*MaxTalk {
		return "", refuse(play.CodeBadText, tooLong)
	}
	if !utf8.ValidString(s) {
		return "", refuse(play.CodeBadText, "Talk is text in UTF-8.")
	}
	s = norm.NFC.String(s)
	if utf8.RuneCountInString(s) > MaxTalk {
		return "", refuse(play.CodeBadText, tooLong)
	}
	switch check(s) {
	case hasUnseen:
		return "", refuse(play.CodeBadText, "Talk is letters, numbers, punctuation, symbols and plain spaces; "+
			"leave out line breaks, invisible characters and the variants and joins of emoji.")
	case hasMarks:
		return "", refuse(play.CodeBadText, "Talk has at most two marks on a character; leave out the others.")
	case fine:
	}
	return s, nil
}

const tooLong = "Talk is at most 140 characters; say it shorter."

// Nonce checks the words that a player mixes into the dice, 1 to [MaxNonce] bytes in NFC, and gives them as they are.
func Nonce(s string) (string, error) {
	switch {
	case s == "" || len(s) > MaxNonce:
		return "", refuse(play.CodeBadText, "A nonce is 1 to 128 bytes of text; a few random words are enough.")
	case !utf8.ValidString(s):
		return "", refuse(play.CodeBadText, "A nonce is text in UTF-8.")
	case !norm.NFC.IsNormalString(s):
		return "", refuse(play.CodeBadText, "A nonce is in Unicode's NFC, because its bytes are hashed as they are; plain letters without accents always are.")
	}
	switch check(s) {
	case hasUnseen:
		return "", refuse(play.CodeBadText, "A nonce is letters, numbers, punctuation, symbols and plain spaces; "+
			"leave out line breaks, invisible characters and the variants and joins of emoji.")
	case hasMarks:
		return "", refuse(play.CodeBadText, "A nonce has at most two marks on a character; leave out the others.")
	case fine:
	}
	return s, nil
}

type finding int

const (
	fine finding = iota
	hasUnseen
	hasMarks
)

// check looks at every character of valid UTF-8.
func check(s string) finding {
	marks := maxMarks // none fits on what stands before the text
	for _, r := range s {
		switch {
		case !visible(r):
			return hasUnseen
		case !unicode.IsMark(r):
			marks = 0
		case marks == maxMarks:
			return hasMarks
		default:
			marks++
		}
	}
	return fine
}

// visible reports whether a character is one that shows, or the plain space.
func visible(r rune) bool {
	switch {
	case r == ' ':
		return true
	case r == '\u2800', r == '\U0001D159': // the empty braille pattern and the empty note head: symbols of nothing
		return false
	case unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return false
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S)
}
