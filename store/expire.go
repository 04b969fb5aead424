package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dgraph-io/badger/v4"

	"dudo.example/core/record"
)

// Expire is Store's. The end is rounded up to a whole second.
func (s *Store) Expire(ctx context.Context, table string, after time.Duration) error {
	if after <= 0 {
		return errors.New("an expiry that is not after now")
	}
	ends := uint64(time.Now().Add(after + time.Second - 1).Unix())
	return s.change(ctx, "expire", func(b *batch) (record.Rev, error) {
		at, found, err := b.place(table)
		if err != nil {
			return 0, err
		}
		if !found {
			return 0, record.ErrNotFound
		}
		at.ends = ends
		b.changed[table] = &at
		b.setHead(table, at.head)
		return at.rev, nil
	})
}

// Delete is Store's. Private values are removed with it; the sweeper removes
// the lines.
func (s *Store) Delete(ctx context.Context, table string) error {
	defer func() {
		select {
		case s.sweep <- struct{}{}:
		default:
		}
	}()
	return s.change(ctx, "delete", func(b *batch) (record.Rev, error) {
		at, found, err := b.place(table)
		if !found {
			return 0, err
		}
		b.deleteHead(table)
		prefix := partPrefix(kindPrivate, table, at.life)
		it := b.txn.NewIterator(badger.IteratorOptions{Prefix: prefix})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			b.delete(it.Item().KeyCopy(nil))
		}
		return 0, nil
	})
}

// change hands the committer something that makes room, or will.
func (s *Store) change(ctx context.Context, what string, stage func(*batch) (record.Rev, error)) error {
	_, err := s.do(ctx, &op{size: 512, need: s.o.Floor / 2, stage: stage})
	switch {
	case err == nil, errors.Is(err, record.ErrNotFound), errors.Is(err, record.ErrClosed), isContext(err):
		return err
	default:
		return fmt.Errorf("%s the table: %w", what, err)
	}
}

// sweepLoop is the sweeper.
func (s *Store) sweepLoop(ctx context.Context) {
	ticker := time.NewTicker(s.o.Sweep)
	defer ticker.Stop()
	for {
		if err := s.Sweep(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, record.ErrClosed) {
			s.o.Log.Warn("store: expired tables could not be swept, will try again", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-s.sweep:
		case <-ticker.C:
		}
	}
}

// Sweep removes what deleted and expired tables have left behind: every line
// and private value of a table that has no head. It takes a few at a time, so
// that appends hardly wait for it. The store sweeps by itself, when it is
// opened, after Delete and from time to time.
func (s *Store) Sweep(ctx context.Context) error {
	for _, kind := range []byte{kindPrivate, kindLine} {
		at := []byte{kind}
		for at != nil {
			if err := ctx.Err(); err != nil {
				return err
			}
			var left leftover
			err := s.view(ctx, func(txn *badger.Txn) (err error) {
				left, at, err = findLeftover(txn, kind, at)
				return err
			})
			if err != nil {
				return err
			}
			if len(left.keys) == 0 {
				continue
			}
			_, err = s.do(ctx, &op{size: maxBatch / 4, need: s.o.Floor / 2, stage: left.stage})
			if err != nil {
				return err
			}
			s.o.Log.Debug("store: removed what a table left behind", "keys", len(left.keys))
		}
	}
	return nil
}

// leftover is some of what a table without a head has left.
type leftover struct {
	table string
	life  uint64
	keys  [][]byte
}

const (
	sweepKeys = 1000 // removed at a time
	sweepScan = 1000 // tables looked at in one view of the database
)

// findLeftover looks from key at on for a table that is gone, and says where
// to go on, nil when all has been seen. It jumps from table to table.
func findLeftover(txn *badger.Txn, kind byte, at []byte) (left leftover, next []byte, err error) {
	it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte{kind}})
	defer it.Close()
	it.Seek(at)
	for range sweepScan {
		if !it.Valid() {
			return leftover{}, nil, nil
		}
		table, life, ok := splitPart(it.Item().Key())
		if !ok {
			return leftover{}, nil, fmt.Errorf("the data folder is damaged: a key of %d bytes", len(it.Item().Key()))
		}
		prefix := partPrefix(kind, table, life)
		h, found, err := getHead(txn, table)
		if err != nil {
			return leftover{}, nil, err
		}
		if !found || h.life != life {
			left = leftover{table: table, life: life}
			for ; it.ValidForPrefix(prefix) && len(left.keys) < sweepKeys; it.Next() {
				left.keys = append(left.keys, it.Item().KeyCopy(nil))
			}
			return left, prefix, nil
		}
		it.Seek(append(prefix, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff))
	}
	if !it.Valid() {
		return leftover{}, nil, nil
	}
	return leftover{}, it.Item().KeyCopy(nil), nil
}

// stage removes the keys, unless the table came back to life: its expiry may
// have been put off at the last moment. The expired head goes as well, so that
// a clock that is set back finds no head without its lines.
func (l leftover) stage(b *batch) (record.Rev, error) {
	at, found, err := b.place(l.table)
	if err != nil || found && at.life == l.life {
		return 0, err
	}
	if !found {
		b.deleteHead(l.table)
	}
	for _, key := range l.keys {
		b.delete(key)
	}
	return 0, nil
}
