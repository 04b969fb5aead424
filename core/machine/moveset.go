package machine

import (
	"iter"
	"math/bits"
)

// MoveSet is a set of moves, a bit each. The zero value is empty and grows when a position fills it.
type MoveSet struct{ words []uint64 }

// Has reports whether the move is in the set.
func (s *MoveSet) Has(m Move) bool {
	return m >= 0 && int(m)/64 < len(s.words) && s.words[m/64]&(1<<(m%64)) != 0
}

// Len counts the moves.
func (s *MoveSet) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// At gives the k-th move in order, 0 ≤ k < Len.
func (s *MoveSet) At(k int) Move {
	for i, w := range s.words {
		n := bits.OnesCount64(w)
		if k >= n {
			k -= n
			continue
		}
		return Move(i*64 + nth(w, k))
	}
	panic("machine: MoveSet.At out of range")
}

// nth is the position of the k-th bit that is set, from 0; the word has more than k of them. It looks at all bytes at once, so
// that no step of it depends on the word.
func nth(w uint64, k int) int {
	c := w - w>>1&0x5555555555555555
	c = c&0x3333333333333333 + c>>2&0x3333333333333333
	c = (c + c>>4) & 0x0f0f0f0f0f0f0f0f * eachByte // in each byte how many bits are set up to its end
	at := 8 * atMost(c, k)
	k -= int(c << 8 >> at & 0xff)
	// Each byte takes one bit of the byte at at, and then counts how many there are up to it.
	c = w >> at & 0xff * eachByte & 0x8040201008040201
	c = (c + 0x7f*eachByte) >> 7 & eachByte * eachByte
	return at + atMost(c, k)
}

const eachByte = 0x0101010101010101

// atMost counts the bytes that are at most k, which is below 64, as they are up to 64.
func atMost(bytes uint64, k int) int {
	const tops = 0x80 * eachByte
	return int((uint64(k)*eachByte | tops - bytes) & tops >> 7 * eachByte >> 56)
}

// All goes through the moves in order.
func (s *MoveSet) All() iter.Seq[Move] {
	return func(yield func(Move) bool) {
		for i, w := range s.words {
			for ; w != 0; w &= w - 1 {
				if !yield(Move(i*64 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// Append appends the moves to buf in order.
func (s *MoveSet) Append(buf []Move) []Move {
	for i, w := range s.words {
		for ; w != 0; w &= w - 1 {
			buf = append(buf, Move(i*64+bits.TrailingZeros64(w)))
		}
	}
	return buf
}
