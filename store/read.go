package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/dgraph-io/badger/v4"

	"dudo.example/core/record"
)

// A read copies a page of lines at a time and lets go of the database before
// it yields them, so that a slow reader holds nothing up and may use the store.
const (
	pageLines = 256
	pageBytes = 256 << 10
)

// Read is Log's.
func (s *Store) Read(ctx context.Context, table string, from record.Rev) iter.Seq2[record.Line, error] {
	return func(yield func(record.Line, error) bool) {
		if from < 0 {
			yield("", errors.New("a read from before the first event"))
			return
		}
		var at *place // where the table stood at the first page
		for at == nil || from < at.rev {
			page, now, err := s.page(ctx, table, from, at)
			if err != nil {
				yield("", err)
				return
			}
			at = now
			for _, line := range page {
				if err := ctx.Err(); err != nil {
					yield("", err)
					return
				}
				if !yield(line, nil) {
					return
				}
			}
			from += record.Rev(len(page))
		}
	}
}

// page reads lines of a table from event from on. The first page, for which at
// is nil, decides up to which revision and of which table there are any.
func (s *Store) page(ctx context.Context, table string, from record.Rev, at *place) (page []record.Line, _ *place, err error) {
	err = s.view(ctx, func(txn *badger.Txn) error {
		now, found, err := getPlace(txn, table)
		if err != nil {
			return err
		}
		if !found || at != nil && at.life != now.life {
			return record.ErrNotFound
		}
		if at == nil {
			at = &now
		}
		page, err = readLines(txn, table, *at, from)
		return err
	})
	return page, at, err
}

func readLines(txn *badger.Txn, table string, at place, from record.Rev) ([]record.Line, error) {
	want := min(at.rev-from, pageLines)
	if want <= 0 {
		return nil, nil
	}
	page := make([]record.Line, 0, want)
	size := 0
	it := txn.NewIterator(badger.IteratorOptions{Prefix: partPrefix(kindLine, table, at.life)})
	defer it.Close()
	for it.Seek(lineKey(table, at.life, from)); it.Valid() && len(page) < int(want) && size < pageBytes; it.Next() {
		next := from + record.Rev(len(page))
		if !bytes.Equal(it.Item().Key(), lineKey(table, at.life, next)) {
			return nil, missing(next)
		}
		err := it.Item().Value(func(v []byte) error {
			page = append(page, record.Line(v))
			size += len(v)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read event %d: %w", next, err)
		}
	}
	if len(page) < int(want) && size < pageBytes {
		return nil, missing(from + record.Rev(len(page)))
	}
	return page, nil
}

// Private is Store's.
func (s *Store) Private(ctx context.Context, table string) (map[string][]byte, error) {
	private := map[string][]byte{}
	err := s.view(ctx, func(txn *badger.Txn) error {
		h, found, err := getHead(txn, table)
		if err != nil {
			return err
		}
		if !found {
			return record.ErrNotFound
		}
		prefix := partPrefix(kindPrivate, table, h.life)
		it := txn.NewIterator(badger.IteratorOptions{Prefix: prefix})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			err := it.Item().Value(func(v []byte) error {
				private[string(it.Item().Key()[len(prefix):])] = append([]byte{}, v...)
				return nil
			})
			if err != nil {
				return fmt.Errorf("read the private values: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return private, nil
}

// Tables is Store's.
func (s *Store) Tables(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		from := headKey("")
		for from != nil {
			var names []string
			err := s.view(ctx, func(txn *badger.Txn) error {
				names, from = readNames(txn, from)
				return nil
			})
			if err != nil {
				yield("", err)
				return
			}
			for _, name := range names {
				if !yield(name, nil) {
					return
				}
			}
		}
	}
}

// readNames reads a page of tables' names, and where the next page begins, nil
// for nowhere.
func readNames(txn *badger.Txn, from []byte) (names []string, next []byte) {
	it := txn.NewIterator(badger.IteratorOptions{Prefix: headKey("")})
	defer it.Close()
	for it.Seek(from); it.Valid(); it.Next() {
		if len(names) == pageLines {
			return names, it.Item().KeyCopy(nil)
		}
		names = append(names, string(it.Item().Key()[1:]))
	}
	return names, nil
}

// view runs f on a snapshot of the database.
func (s *Store) view(ctx context.Context, f func(*badger.Txn) error) error {
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.db.View(f)
}
