package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/dgraph-io/badger/v4"

	"dudo.example/core/record"
)

// maxBatch bounds a transaction of several ops, in bytes as ops count them.
// Badger takes 15 % of a write buffer, which is 1.2 MiB and 13,000 keys: an op
// of record.MaxAppend alone, or many small ones that each create a table.
const maxBatch = record.MaxAppend / 2

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
			runtime.Gosched() // who was answered may have more for the next batch
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
		db: s.db, txn: s.db.NewTransaction(true), cached: s.places, now: uint64(start.Unix()),
		changed: map[string]*place{}, wakes: map[string]record.Rev{},
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
	if b.err != nil {
		return fmt.Errorf("gather a batch of %d: %w", b.writes, b.err)
	}
	if b.writes == 0 {
		return nil
	}
	err := b.txn.Commit()
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
	for table, at := range b.changed {
		if at == nil {
			s.places.Remove(table)
		} else {
			s.places.Add(table, *at)
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
	db      *badger.DB  // as it was before
	txn     *badger.Txn // what is written goes here
	cached  *places
	now     uint64            // seconds since 1970
	changed map[string]*place // tables as this batch leaves them; nil: gone
	wakes   map[string]record.Rev
	did     Batch
	writes  int
	err     error // the first of set and delete
}

// place is where the table stands after what was staged before. It is the zero
// place if the table is not there.
func (b *batch) place(table string) (at place, found bool, err error) {
	if staged, ok := b.changed[table]; ok {
		if staged == nil || staged.ended(b.now) {
			return place{}, false, nil
		}
		return *staged, true, nil
	}
	if at, found = b.cached.Get(table); !found {
		err = b.db.View(func(txn *badger.Txn) error {
			at, found, err = getPlace(txn, table)
			return err
		})
		if err != nil || !found {
			return place{}, false, err
		}
		b.cached.Add(table, at)
	}
	if at.ended(b.now) {
		return place{}, false, nil
	}
	return at, true, nil
}

func (b *batch) setHead(table string, h head) {
	life := binary.BigEndian.AppendUint64(nil, h.life)
	b.setEntry(&badger.Entry{Key: headKey(table), Value: life, ExpiresAt: h.ends})
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
