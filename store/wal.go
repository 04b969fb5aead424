package store

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"
	"strconv"
)

// A write-ahead log of Badger's version 4 is a header of 20 bytes and entries,
// each of which is
//
//	meta, user meta     1 byte each
//	length of the key   uvarint
//	length of the value uvarint
//	expiry              uvarint
//	key, value
//	CRC-32C of the above, big-endian
//
// with zeros behind the last. A transaction's entries are marked, and an entry
// with a key of its own, that ends in the transaction's number (its complement,
// big-endian) and has the number in decimal as its value, closes it.
const (
	walHeader  = 20
	metaInTxn  = 1 << 6
	metaEndTxn = 1 << 7
)

var (
	endKey = []byte("!badger!txn")
	crc32c = crc32.MakeTable(crc32.Castagnoli)
)

// walEnd finds where the last whole transaction of a log ends, and its number.
func walEnd(data []byte) (end int, number uint64) {
	if len(data) < walHeader {
		return len(data), 0
	}
	end = walHeader
	for at := end; ; {
		meta, key, value, size, ok := walEntry(data[at:])
		if !ok {
			return end, number
		}
		at += size
		switch {
		case meta&metaEndTxn != 0:
			n, ok := endNumber(key, value)
			if !ok {
				return end, number
			}
			end, number = at, n
		case meta&metaInTxn == 0:
			end = at
		}
	}
}

func walEntry(data []byte) (meta byte, key, value []byte, size int, ok bool) {
	if len(data) < 2 {
		return 0, nil, nil, 0, false
	}
	meta = data[0]
	size = 2
	var field [3]uint64 // lengths of key and value, expiry
	for i := range field {
		n, width := binary.Uvarint(data[size:])
		if width <= 0 {
			return 0, nil, nil, 0, false
		}
		field[i] = n
		size += width
	}
	rest := uint64(len(data) - size)
	if field[0] == 0 || field[0] > rest || field[1] > rest-field[0] || rest-field[0]-field[1] < crc32.Size {
		return 0, nil, nil, 0, false
	}
	key = data[size:][:field[0]]
	size += len(key)
	value = data[size:][:field[1]]
	size += len(value)
	ok = crc32.Checksum(data[:size], crc32c) == binary.BigEndian.Uint32(data[size:])
	return meta, key, value, size + crc32.Size, ok
}

// endNumber is the number of the transaction that an entry closes.
func endNumber(key, value []byte) (uint64, bool) {
	if len(key) != len(endKey)+8 || !bytes.HasPrefix(key, endKey) {
		return 0, false
	}
	n := math.MaxUint64 - binary.BigEndian.Uint64(key[len(endKey):])
	return n, strconv.FormatUint(n, 10) == string(value)
}

// walMarks finds the numbers of transactions that are closed somewhere in
// data, whatever is around the entries that close them.
func walMarks(data []byte) []uint64 {
	var numbers []uint64
	for {
		i := bytes.Index(data, endKey)
		if i < 0 || len(data) < i+len(endKey)+8 {
			return numbers
		}
		key := data[i:][:len(endKey)+8]
		data = data[i+len(key):]
		n := math.MaxUint64 - binary.BigEndian.Uint64(key[len(endKey):])
		if bytes.HasPrefix(data, strconv.AppendUint(nil, n, 10)) && !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
}
