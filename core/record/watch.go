package record

import (
	"context"
	"sync"
)

// Watchers is the half of a [Log] that implements Watch. Its zero value is
// ready. Methods are safe for concurrent use.
type Watchers struct {
	mu     sync.Mutex
	closed bool
	all    map[*watcher]struct{}
	wg     sync.WaitGroup
}

type watcher struct {
	kick  chan struct{} // holds one: something was added to queue
	queue []string      // tables to be announced, each once, in the order they woke
	rev   map[string]Rev
	stop  context.CancelFunc
}

// Watch is Log's Watch.
func (w *Watchers) Watch(ctx context.Context) (<-chan Wake, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, ErrClosed
	}
	ctx, stop := context.WithCancel(ctx)
	one := &watcher{kick: make(chan struct{}, 1), rev: map[string]Rev{}, stop: stop}
	if w.all == nil {
		w.all = map[*watcher]struct{}{}
	}
	w.all[one] = struct{}{}
	out := make(chan Wake)
	w.wg.Go(func() {
		defer close(out)
		w.serve(ctx, one, out)
		stop()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.all, one)
	})
	return out, nil
}

// Announce tells every watcher that table's log is now at rev. It does not
// wait for any of them.
func (w *Watchers) Announce(table string, rev Rev) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for one := range w.all {
		if _, waiting := one.rev[table]; !waiting {
			one.queue = append(one.queue, table)
		}
		one.rev[table] = rev
		select {
		case one.kick <- struct{}{}:
		default:
		}
	}
}

// Close closes the channel of every watcher and waits until that is done.
func (w *Watchers) Close() {
	w.mu.Lock()
	w.closed = true
	for one := range w.all {
		one.stop()
	}
	w.mu.Unlock()
	w.wg.Wait()
}

// serve offers the first wake of the queue, and offers it anew whenever
// something was announced, so that what is taken is the latest.
func (w *Watchers) serve(ctx context.Context, one *watcher, out chan<- Wake) {
	for {
		next, ok := w.first(one)
		offer := out
		if !ok {
			offer = nil
		}
		select {
		case <-ctx.Done():
			return
		case <-one.kick:
		case offer <- next:
			w.taken(one, next)
		}
	}
}

func (w *Watchers) first(one *watcher) (Wake, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(one.queue) == 0 {
		return Wake{}, false
	}
	return Wake{Table: one.queue[0], Rev: one.rev[one.queue[0]]}, true
}

// taken drops from the queue what was delivered, unless it is out of date
// already: then it goes to the end.
func (w *Watchers) taken(one *watcher, got Wake) {
	w.mu.Lock()
	defer w.mu.Unlock()
	one.queue = one.queue[1:]
	if one.rev[got.Table] == got.Rev {
		delete(one.rev, got.Table)
	} else {
		one.queue = append(one.queue, got.Table)
	}
}
