package record

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
)

// Head binds every line of a log up to one: the hex SHA-256 of
//
//	"dudo/1/event:" head of the line before ":" line
//
// Before the first line it is [NoHead].
type Head string

// NoHead is the head of a log without lines: 64 zeros.
const NoHead Head = "0000000000000000000000000000000000000000000000000000000000000000"

// Next is the head after one more line.
func (h Head) Next(line Line) Head {
	var buf [1024]byte // most lines fit
	b := buf[:0]
	if n := 14 + len(h) + 1 + len(line); n > len(buf) {
		b = make([]byte, 0, n)
	}
	b = append(b, "dudo/1/event:"...)
	b = append(b, h...)
	b = append(b, ':')
	b = append(b, line...)
	sum := sha256.Sum256(b)
	var text [2 * sha256.Size]byte
	hex.Encode(text[:], sum[:])
	return Head(text[:])
}

// HeadOf is the head of a log of these lines.
func HeadOf(lines []Line) Head {
	head := NoHead
	for _, line := range lines {
		head = head.Next(line)
	}
	return head
}

// Receipt is the server's signature on the log up to event N. Anybody who kept one can prove a later rewriting of those
// events to anybody else. As text it is
//
//	n "." base64url(head) "." base64url(Ed25519(key, "dudo/1/head:" origin ":" gid ":" n ":" head))
type Receipt struct {
	N         int64
	Head      Head
	signature []byte
}

// Sign makes the receipt for event n of a game.
func Sign(key ed25519.PrivateKey, origin, gid string, n int64, head Head) Receipt {
	return Receipt{N: n, Head: head, signature: ed25519.Sign(key, signed(origin, gid, n, head))}
}

func signed(origin, gid string, n int64, head Head) []byte {
	return []byte("dudo/1/head:" + origin + ":" + gid + ":" + strconv.FormatInt(n, 10) + ":" + string(head))
}

// Verify reports whether the server with that public key signed this receipt for the game.
func (r Receipt) Verify(key ed25519.PublicKey, origin, gid string) bool {
	return len(key) == ed25519.PublicKeySize && ed25519.Verify(key, signed(origin, gid, r.N, r.Head), r.signature)
}

// String writes the receipt.
func (r Receipt) String() string {
	head, err := hex.DecodeString(string(r.Head))
	if err != nil {
		panic("record: a receipt of no head")
	}
	return strconv.FormatInt(r.N, 10) + "." + b64.EncodeToString(head) + "." + b64.EncodeToString(r.signature)
}

var b64 = base64.RawURLEncoding.Strict()

var errReceipt = errors.New("a receipt is a number, a head and a signature, joined by dots")

// ParseReceipt reads a receipt; whether it is a true one, [Receipt.Verify] says.
func ParseReceipt(s string) (Receipt, error) {
	if len(s) > 256 {
		return Receipt{}, errReceipt
	}
	number, rest, ok := strings.Cut(s, ".")
	head64, signature64, ok2 := strings.Cut(rest, ".")
	n, err := strconv.ParseInt(number, 10, 64)
	if !ok || !ok2 || err != nil || n < 0 || n > MaxInt || strconv.FormatInt(n, 10) != number {
		return Receipt{}, errReceipt
	}
	head, ok := decode(head64, sha256.Size)
	signature, ok2 := decode(signature64, ed25519.SignatureSize)
	if !ok || !ok2 {
		return Receipt{}, errReceipt
	}
	return Receipt{N: n, Head: Head(hex.EncodeToString(head)), signature: signature}, nil
}

// KeyText writes a public key as base64url, as it stands in an open event.
func KeyText(key ed25519.PublicKey) string { return b64.EncodeToString(key) }

// ParseKey reads a public key.
func ParseKey(s string) (ed25519.PublicKey, error) {
	key, ok := decode(s, ed25519.PublicKeySize)
	if !ok {
		return nil, errors.New("a server's key is 43 characters of base64url")
	}
	return key, nil
}

// decode reads that many bytes from base64url. There is one text for them: the library would pass over line breaks in it.
func decode(s string, size int) (b []byte, ok bool) {
	if len(s) != b64.EncodedLen(size) {
		return nil, false
	}
	b, err := b64.DecodeString(s)
	return b, err == nil && len(b) == size
}
