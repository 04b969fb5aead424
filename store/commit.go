package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dgraph-io/badger/v4"

	"dudo.example/core/record"
)

// maxBatch bounds a transaction, in bytes as ops count them. Badger takes 15 %
// of a write buffer, 2.4 MiB; one op may be of record.MaxAppend.
const maxBatch = record.MaxAppend

// commitLoop is the committer: while one batch goes to disk the next one
// gathers in the queue.
func (s *Store) commitLoop(ctx context.Context) {
	defer s.queue.close()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.queue.kick:
		}
		for ctx.Err() == nil {
			ops := s.queue.take(maxBatch)
			if len(ops) == 0 {
				break
			}
			s.commit(ops)
		}
	}
}

// commit decides the ops in their order, writes what they change in one
// transaction and answers all of them when that is on disk.
func (s *Store) commit(ops []*op) {
	err := s.failed.get()
	if err == nil {
		err = s.commitBatch(ops)
	}
	for _, o := range ops {
		if err != nil {
			// Even what was refused: perhaps because of an op that failed now.
			o.rev, o.err = 0, err
		}
		close(o.done)
	}
}

func (s *Store) commitBatch(ops []*op) error {
	start := time.Now()
	free, err := s.free()
	if err != nil {
		return err
	}
	b := &batch{
		txn: s.db.NewTransaction(true), cached: s.heads, now: uint64(start.Unix()),
		changed: map[string]*head{}, wakes: map[string]record.Rev{},
	}
	defer b.txn.Discard()
	for _, o := range ops {
		if o.err = s.enough(free, o.need); o.err == nil {
			o.rev, o.err = o.stage(b)
		}
	}
	if err := s.write(b); err != nil {
		return err
	}
	s.committed(b, time.Since(start))
	return nil
}

// write puts the batch on the disk.
func (s *Store) write(b *batch) error {
	if b.err == nil && b.writes == 0 {
		return nil
	}
	err := b.err
	if err == nil {
		err = b.txn.Commit()
	}
	if err == nil {
		err = s.syncDir.sync()
	}
	if err != nil {
		s.failed.set(fmt.Errorf("write a batch of %d: %w", b.writes, err))
		s.o.Log.Error("store: a write failed, no more appends until the store is opened again", "err", err)
		return s.failed.get()
	}
	return nil
}

func (s *Store) committed(b *batch, took time.Duration) {
	for table, h := range b.changed {
		if h == nil {
			s.heads.Remove(table)
		} else {
			s.heads.Add(table, *h)
		}
	}
	for table, rev := range b.wakes {
		s.watchers.Announce(table, rev)
	}
	if s.o.Observe != nil && b.did.Appends > 0 {
		b.did.Took = took
		s.o.Observe(b.did)
	}
}

// batch is a transaction in the making.
type batch struct {
	txn     *badger.Txn
	cached  *heads
	now     uint64           // seconds since 1970
	changed map[string]*head // heads as this batch leaves them; nil: gone
	wakes   map[string]record.Rev
	did     Batch
	writes  int
	err     error // the first of set and delete
}

// head is the table's head after what was staged before.
func (b *batch) head(table string) (head, bool, error) {
	if h, ok := b.changed[table]; ok {
		if h == nil {
			return head{}, false, nil
		}
		return *h, !h.ended(b.now), nil
	}
	if h, ok := b.cached.Get(table); ok {
		return h, !h.ended(b.now), nil
	}
	h, found, err := getHead(b.txn, table)
	if found {
		b.cached.Add(table, h)
	}
	return h, found, err
}

func (h head) ended(now uint64) bool { return h.ends != 0 && h.ends <= now }

func (b *batch) setHead(table string, h head) {
	b.changed[table] = &h
	b.setEntry(&badger.Entry{Key: headKey(table), Value: h.encode(), ExpiresAt: h.ends})
}

func (b *batch) deleteHead(table string) {
	b.changed[table] = nil
	b.delete(headKey(table))
}

func (b *batch) set(key, value []byte) { b.setEntry(badger.NewEntry(key, value)) }

func (b *batch) setEntry(e *badger.Entry) {
	b.writes++
	b.err = errors.Join(b.err, b.txn.SetEntry(e))
}

func (b *batch) delete(key []byte) {
	b.writes++
	b.err = errors.Join(b.err, b.txn.Delete(key))
}
