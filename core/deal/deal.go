// Package deal derives every die of a game from one seed and the players' own words, so that nobody can choose them and
// anybody can derive them again.
//
// The server commits to a [Seed] before anybody sits down and reveals it in the last event. Each player may mix a nonce into
// their own dice. A seat's key of a deal depends on the seed, the game, the nonces given before its own and its own, never
// on later ones: a latecomer cannot steer an honest hand, and the server cannot have chosen the seed for words that it did not
// know. The commitment to each hand is public from the deal on; its key opens it at the showdown.
//
// Every preimage is an ASCII string that a shell can rebuild:
//
//	commit   hex SHA256(seed)
//	e        hex SHA256("dudo/1/nonce:" nonce)
//	mix(i)   hex SHA256("dudo/1/mix:" gid ":" list)        list: seat "=" e, joined by ",", in log order, up to and including
//	                                                       seat i's own; all of them if i gave none, and for t
//	key(d,i) hex HMAC-SHA256(seed, "dudo/1/key:" gid ":" d ":" i ":" mix(i))
//	hc(d,i)  hex SHA256("dudo/1/hand:" gid ":" d ":" i ":" key(d,i))
//	block(c) SHA256("dudo/1/draw:" key ":" c), c = 0, 1, …
//
// d counts deals from 1; i is a seat, or t for draws that belong to no seat. A draw of F outcomes (2 to 256) takes the next
// byte below 256 − 256 mod F and gives it modulo F; all draws of one owner in one deal share one stream of bytes.
package deal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
)

// Table is the owner of draws that belong to no seat.
const Table = -1

// MaxNonce is the length of a nonce in bytes at the most.
const MaxNonce = 128

// Seed is the 32 secret bytes of a game. It prints as its commitment.
type Seed [32]byte

// Commit is the hex SHA-256 of the seed, which is published first.
func (s Seed) Commit() string {
	sum := sha256.Sum256(s[:])
	return hex.EncodeToString(sum[:])
}

// Hex reveals the seed.
func (s Seed) Hex() string { return hex.EncodeToString(s[:]) }

// String tells the commitment, not the seed.
func (s Seed) String() string { return "seed committed to as " + s.Commit() }

// GoString tells the commitment, not the seed.
func (s Seed) GoString() string { return s.String() }

// LogValue tells the commitment, not the seed.
func (s Seed) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText tells the commitment, not the seed.
func (s Seed) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Format tells the commitment, not the seed, whatever the verb.
func (s Seed) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(s.String())) }

// ParseSeed reads 64 lower-case hex digits.
func ParseSeed(s string) (Seed, error) {
	var seed Seed
	if !decodeHex(seed[:], s) {
		return Seed{}, errors.New("a seed is 64 lower-case hex digits")
	}
	return seed, nil
}

// Nonce is a player's own words, mixed into their dice.
type Nonce struct {
	Seat  int
	Words string // 1 to MaxNonce bytes
}

// Dealer derives the hands of one game. It does not change and may be shared.
type Dealer struct {
	seed   Seed
	gid    string
	mixes  map[int]string // of the seats that gave a nonce
	shared string         // of the others and of the table
}

// NewDealer makes the dealer of a game whose nonces are frozen, in the order of the log.
func NewDealer(seed Seed, gid string, nonces []Nonce) *Dealer {
	d := &Dealer{seed: seed, gid: gid, mixes: make(map[int]string, len(nonces))}
	list := ""
	for i, n := range nonces {
		if i > 0 {
			list += ","
		}
		list += strconv.Itoa(n.Seat) + "=" + Entropy(n.Words)
		d.mixes[n.Seat] = mix(gid, list)
	}
	d.shared = mix(gid, list)
	return d
}

// Format tells which game it deals and no more, whatever the verb: a dealer holds the seed.
func (d *Dealer) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("dealer of " + d.gid)) }

// LogValue tells which game it deals and no more.
func (d *Dealer) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(d)) }

// Entropy is e, the hash of a nonce that goes into a mix.
func Entropy(words string) string { return hexSum("dudo/1/nonce:" + words) }

func mix(gid, list string) string { return hexSum("dudo/1/mix:" + gid + ":" + list) }

// Mix is what the owner, a seat or [Table], has mixed into its keys.
func (d *Dealer) Mix(owner int) string {
	if m, ok := d.mixes[owner]; ok {
		return m
	}
	return d.shared
}

// Key derives the owner's key of a deal, counted from 1.
func (d *Dealer) Key(deal, owner int) Key {
	var buf [256]byte
	b := appendDraws(append(buf[:0], "dudo/1/key:"...), d.gid, deal, owner)
	h := hmac.New(sha256.New, d.seed[:])
	h.Write(append(b, d.Mix(owner)...))
	var k Key
	h.Sum(k[:0])
	return k
}

// appendDraws names the draws of one owner in one deal.
func appendDraws(b []byte, gid string, deal, owner int) []byte {
	b = strconv.AppendInt(append(append(b, gid...), ':'), int64(deal), 10)
	b = append(append(b, ':'), OwnerText(owner)...)
	return append(b, ':')
}

// OwnerText writes a seat as its number and [Table] as t.
func OwnerText(owner int) string {
	if owner == Table {
		return "t"
	}
	return strconv.Itoa(owner)
}

// Key opens one owner's draws of one deal. It prints as nothing.
type Key [32]byte

// Hex reveals the key.
func (k Key) Hex() string { return hexText(k) }

// Commit is hc, the public commitment to the draws of a deal that the key opens.
func (k Key) Commit(gid string, deal, owner int) string {
	var buf [256]byte
	b := appendDraws(append(buf[:0], "dudo/1/hand:"...), gid, deal, owner)
	return hexText(sha256.Sum256(hex.AppendEncode(b, k[:])))
}

// Format does not tell the key, whatever the verb.
func (k Key) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("key")) }

// LogValue does not tell the key.
func (k Key) LogValue() slog.Value { return slog.StringValue("key") }

// MarshalText does not tell the key.
func (k Key) MarshalText() ([]byte, error) { return []byte("key"), nil }

// Stream is the draws of one owner in one deal. The zero value is not usable; see [Key.Stream].
type Stream struct {
	key   Key
	block int // the next one
	bytes [sha256.Size]byte
	used  int // of bytes
}

// Stream begins the key's draws.
func (k Key) Stream() *Stream { return &Stream{key: k, used: sha256.Size} }

// Draw gives the next draw of that many outcomes, 1 to 256: 0-based, each as likely. One outcome takes no byte.
func (s *Stream) Draw(outcomes int) int {
	if outcomes == 1 {
		return 0
	}
	for {
		if v, ok := Fair(s.next(), outcomes); ok {
			return v
		}
	}
}

// Fair turns a byte into a draw of that many outcomes, 2 to 256. It is not ok for the last few bytes, which would make the
// first outcomes likelier than the others.
func Fair(b byte, outcomes int) (draw int, ok bool) {
	if int(b) >= 256-256%outcomes {
		return 0, false
	}
	return int(b) % outcomes, true
}

func (s *Stream) next() byte {
	if s.used == len(s.bytes) {
		var buf [128]byte
		b := hex.AppendEncode(append(buf[:0], "dudo/1/draw:"...), s.key[:])
		s.bytes = sha256.Sum256(strconv.AppendInt(append(b, ':'), int64(s.block), 10))
		s.used = 0
		s.block++
	}
	b := s.bytes[s.used]
	s.used++
	return b
}

func hexSum(preimage string) string {
	return hexText(sha256.Sum256([]byte(preimage)))
}

func hexText(b [sha256.Size]byte) string {
	var text [2 * sha256.Size]byte
	hex.Encode(text[:], b[:])
	return string(text[:])
}

func decodeHex(dst []byte, s string) bool {
	if len(s) != hex.EncodedLen(len(dst)) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	_, err := hex.Decode(dst, []byte(s))
	return err == nil
}
