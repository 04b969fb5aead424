package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/dgraph-io/badger/v4"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"dudo.example/core/record"
)

// head is what a table's first key holds, and when it ends.
type head struct {
	life uint64 // tells this table from others that had its name
	ends uint64 // seconds since 1970 at which the table is gone; 0: never
}

func (h head) ended(now uint64) bool { return h.ends != 0 && h.ends <= now }

func decodeHead(item *badger.Item) (h head, err error) {
	err = item.Value(func(v []byte) error {
		if len(v) != 8 {
			return fmt.Errorf("it has %d bytes", len(v))
		}
		h.life = binary.BigEndian.Uint64(v)
		return nil
	})
	h.ends = item.ExpiresAt()
	return h, err
}

// getHead reads the head of a table; found is false if it has none.
func getHead(txn *badger.Txn, table string) (h head, found bool, err error) {
	item, err := txn.Get(headKey(table))
	if errors.Is(err, badger.ErrKeyNotFound) {
		return head{}, false, nil
	}
	if err == nil {
		h, err = decodeHead(item)
	}
	if err != nil {
		return head{}, false, fmt.Errorf("read the head of the table: %w", err)
	}
	return h, true, nil
}

// getPlace finds where a table stands; found is false if it is not there.
func getPlace(txn *badger.Txn, table string) (at place, found bool, err error) {
	if at.head, found, err = getHead(txn, table); err != nil || !found {
		return place{}, false, err
	}
	at.rev, err = getRev(txn, table, at.life)
	return at, true, err
}

// getRev finds the last line of a table, and so its revision.
func getRev(txn *badger.Txn, table string, life uint64) (record.Rev, error) {
	prefix := partPrefix(kindLine, table, life)
	it := txn.NewIterator(badger.IteratorOptions{Prefix: prefix, Reverse: true})
	defer it.Close()
	it.Seek(lineKey(table, life, math.MaxInt64))
	if !it.Valid() {
		return 0, missing(0) // a table is created with a line
	}
	n := it.Item().Key()[len(prefix):]
	if len(n) != 8 {
		return 0, fmt.Errorf("the data folder is damaged: a line of a table has a key of %d bytes", len(n))
	}
	return record.Rev(binary.BigEndian.Uint64(n)) + 1, nil
}

func missing(n record.Rev) error {
	return fmt.Errorf("the data folder is damaged: event %d of a table is missing; restore a backup", n)
}

const (
	kindHead    = 't'
	kindLine    = 'l'
	kindPrivate = 'p'
)

func headKey(table string) []byte { return append([]byte{kindHead}, table...) }

// partPrefix begins the keys of a table's lines or private values. A table's
// name has no zero byte, so no name's prefix begins another's.
func partPrefix(kind byte, table string, life uint64) []byte {
	k := make([]byte, 0, 2+len(table)+16)
	k = append(k, kind)
	k = append(k, table...)
	k = append(k, 0)
	return binary.BigEndian.AppendUint64(k, life)
}

func lineKey(table string, life uint64, n record.Rev) []byte {
	return binary.BigEndian.AppendUint64(partPrefix(kindLine, table, life), uint64(n))
}

func privateKey(table string, life uint64, name string) []byte {
	return append(partPrefix(kindPrivate, table, life), name...)
}

// privateName gives the name of the private value that a key is of, if it is of one.
func privateName(key []byte) (name string, ok bool) {
	if len(key) == 0 || key[0] != kindPrivate {
		return "", false
	}
	table, _, ok := splitPart(key)
	if !ok {
		return "", false
	}
	return string(key[1+len(table)+1+8:]), true
}

// splitPart takes the key of a line or a private value apart.
func splitPart(key []byte) (table string, life uint64, ok bool) {
	for i := 1; i < len(key); i++ {
		if key[i] == 0 {
			if len(key) < i+9 {
				return "", 0, false
			}
			return string(key[1:i]), binary.BigEndian.Uint64(key[i+1:]), true
		}
	}
	return "", 0, false
}

// place is where a table stands.
type place struct {
	head
	rev record.Rev
}

// places is the committer's cache. Nobody else touches it.
type places = simplelru.LRU[string, place]

// maxPlaces bounds the cache, which fills 2.5 MB.
const maxPlaces = 4096

func newPlaces() *places {
	cache, err := simplelru.NewLRU[string, place](maxPlaces, nil)
	if err != nil {
		panic(err) // only for a size below one
	}
	return cache
}
