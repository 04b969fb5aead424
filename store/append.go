package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"dudo.example/core/record"
)

// Append is Log's. See the package comment for what happens when ctx ends.
func (s *Store) Append(ctx context.Context, table string, after record.Rev, lines []record.Line) (record.Rev, error) {
	return s.AppendPrivate(ctx, table, after, lines, nil)
}

// AppendPrivate is Store's.
func (s *Store) AppendPrivate(ctx context.Context, table string, after record.Rev, lines []record.Line, private map[string][]byte) (record.Rev, error) {
	if err := record.CheckAppend(table, after, lines, private); err != nil {
		return 0, err
	}
	need := s.o.Floor
	if after == 0 {
		need = s.o.FloorNew
	}
	o := &op{
		size: record.AppendSize(lines, private),
		need: need,
		stage: func(b *batch) (record.Rev, error) {
			return b.append(table, after, lines, private)
		},
	}
	rev, err := s.do(ctx, o)
	switch {
	case err == nil, errors.Is(err, record.ErrConflict), errors.Is(err, record.ErrClosed), isContext(err):
		return rev, err
	default:
		return 0, fmt.Errorf("append after %d: %w", after, err)
	}
}

func isContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// append stages the writes of one append, unless the log is elsewhere.
func (b *batch) append(table string, after record.Rev, lines []record.Line, private map[string][]byte) (record.Rev, error) {
	at, found, err := b.place(table)
	switch {
	case err != nil:
		return 0, err
	case at.rev != after: // 0 if not found
		return 0, record.ErrConflict
	case !found:
		at.life = rand.Uint64()
		b.setHead(table, at.head)
	}
	for i, line := range lines {
		b.set(lineKey(table, at.life, at.rev+record.Rev(i)), []byte(line))
		b.did.Bytes += len(line)
	}
	for name, value := range private {
		if value == nil {
			b.delete(privateKey(table, at.life, name))
		} else {
			b.set(privateKey(table, at.life, name), append([]byte{}, value...))
		}
	}
	at.rev += record.Rev(len(lines))
	b.changed[table] = &at
	if len(lines) > 0 {
		b.wakes[table] = at.rev
	}
	b.did.Appends++
	b.did.Lines += len(lines)
	return at.rev, nil
}

// op is one change that waits for the committer.
type op struct {
	size  int    // bytes it adds to a batch, about
	need  uint64 // bytes that must be free on the disk
	stage func(*batch) (record.Rev, error)

	state atomic.Int32 // waiting, then taken or withdrawn
	done  chan struct{}
	rev   record.Rev // the committer writes these two before it closes done
	err   error
}

const (
	waiting int32 = iota
	taken
	withdrawn
)

// do queues the op and waits until it is on disk, refused or withdrawn.
func (s *Store) do(ctx context.Context, o *op) (record.Rev, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	o.done = make(chan struct{})
	if !s.queue.add(o) {
		return 0, record.ErrClosed
	}
	select {
	case <-o.done:
	case <-ctx.Done():
		if o.state.CompareAndSwap(waiting, withdrawn) {
			return 0, ctx.Err()
		}
		<-o.done
	}
	return o.rev, o.err
}

// queue holds the ops that wait. Each has a caller that waits with it, so its
// length is bounded by theirs.
type queue struct {
	kick chan struct{} // holds one: something was added

	mu     sync.Mutex
	closed bool
	ops    []*op
}

func (q *queue) add(o *op) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.ops = append(q.ops, o)
	select {
	case q.kick <- struct{}{}:
	default:
	}
	return true
}

// take removes from the front as many ops as make limit bytes, and at least
// one if there is any, leaving out what was withdrawn.
func (q *queue) take(limit int) []*op {
	q.mu.Lock()
	defer q.mu.Unlock()
	var got []*op
	size := 0
	for len(q.ops) > 0 {
		o := q.ops[0]
		if len(got) > 0 && size+o.size > limit {
			break
		}
		q.ops[0] = nil
		q.ops = q.ops[1:]
		if o.state.CompareAndSwap(waiting, taken) {
			got = append(got, o)
			size += o.size
		}
	}
	return got
}

// close refuses what waits, and whatever comes later.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for _, o := range q.ops {
		if o.state.CompareAndSwap(waiting, taken) {
			o.err = record.ErrClosed
			close(o.done)
		}
	}
	q.ops = nil
}
