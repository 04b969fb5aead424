package record

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"
)

// Memory is a [Store] that lasts as long as the process: for tests, and for
// play that nobody needs to keep. It is made by [NewMemory].
type Memory struct {
	now      func() time.Time
	watchers Watchers

	mu     sync.Mutex
	closed bool
	tables map[string]*kept
}

type kept struct {
	lines   []Line // only ever appended to, so a reader may hold a part of it
	private map[string][]byte
	end     time.Time // zero: none
}

var _ Store = (*Memory)(nil)

// NewMemory returns an empty store. now tells when tables have expired.
func NewMemory(now func() time.Time) *Memory {
	return &Memory{now: now, tables: map[string]*kept{}}
}

// Append is Log's.
func (m *Memory) Append(ctx context.Context, table string, after Rev, lines []Line) (Rev, error) {
	return m.AppendPrivate(ctx, table, after, lines, nil)
}

// AppendPrivate is Store's.
func (m *Memory) AppendPrivate(ctx context.Context, table string, after Rev, lines []Line, private map[string][]byte) (Rev, error) {
	if err := CheckAppend(table, after, lines, private); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return 0, err
	}
	k := m.live(table)
	if k == nil {
		k = &kept{private: map[string][]byte{}}
	}
	if after != Rev(len(k.lines)) {
		return 0, ErrConflict
	}
	k.lines = append(k.lines, lines...)
	for name, value := range private {
		if value == nil {
			delete(k.private, name)
		} else {
			k.private[name] = append([]byte{}, value...)
		}
	}
	m.tables[table] = k
	rev := Rev(len(k.lines))
	if len(lines) > 0 {
		m.watchers.Announce(table, rev)
	}
	return rev, nil
}

// Read is Log's.
func (m *Memory) Read(ctx context.Context, table string, from Rev) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		lines, err := m.lines(ctx, table)
		if err == nil && from < 0 {
			err = errors.New("a read from before the first event")
		}
		if err != nil {
			yield("", err)
			return
		}
		if from > Rev(len(lines)) {
			return
		}
		for _, l := range lines[from:] {
			if err := ctx.Err(); err != nil {
				yield("", err)
				return
			}
			if !yield(l, nil) {
				return
			}
		}
	}
}

func (m *Memory) lines(ctx context.Context, table string) ([]Line, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return nil, err
	}
	k := m.live(table)
	if k == nil {
		return nil, ErrNotFound
	}
	return k.lines, nil
}

// Watch is Log's.
func (m *Memory) Watch(ctx context.Context) (<-chan Wake, error) {
	return m.watchers.Watch(ctx)
}

// Private is Store's.
func (m *Memory) Private(ctx context.Context, table string) (map[string][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return nil, err
	}
	k := m.live(table)
	if k == nil {
		return nil, ErrNotFound
	}
	private := make(map[string][]byte, len(k.private))
	for name, value := range k.private {
		private[name] = bytes.Clone(value)
	}
	return private, nil
}

// Tables is Store's.
func (m *Memory) Tables(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		names, err := m.names(ctx)
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

func (m *Memory) names(ctx context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return nil, err
	}
	maps.DeleteFunc(m.tables, func(table string, _ *kept) bool { return m.live(table) == nil })
	return slices.Sorted(maps.Keys(m.tables)), nil
}

// Expire is Store's.
func (m *Memory) Expire(ctx context.Context, table string, after time.Duration) error {
	if after <= 0 {
		return errors.New("an expiry that is not after now")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return err
	}
	k := m.live(table)
	if k == nil {
		return ErrNotFound
	}
	k.end = m.now().Add(after)
	return nil
}

// Delete is Store's.
func (m *Memory) Delete(ctx context.Context, table string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return err
	}
	delete(m.tables, table)
	return nil
}

// Close ends every watch, and with it the store.
func (m *Memory) Close() error {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.watchers.Close()
	return nil
}

func (m *Memory) usable(ctx context.Context) error {
	if m.closed {
		return ErrClosed
	}
	return ctx.Err()
}

// live returns the table unless its time has come, in which case it is let go.
func (m *Memory) live(table string) *kept {
	k := m.tables[table]
	if k != nil && !k.end.IsZero() && !m.now().Before(k.end) {
		delete(m.tables, table)
		return nil
	}
	return k
}
