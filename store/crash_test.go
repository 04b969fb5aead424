package store_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dudo.example/core/record"
	"dudo.example/store"
)

// acks reads the child's acknowledgements to the end, the furthest of each
// table, and calls each after every one of them.
func acks(t *testing.T, out *bufio.Scanner, each func(n int)) map[string]record.Rev {
	t.Helper()
	acked := map[string]record.Rev{}
	for n := 1; out.Scan(); n++ {
		var table string
		var rev record.Rev
		if _, err := fmt.Sscanf(out.Text(), "ack %s %d", &table, &rev); err != nil {
			t.Errorf("the child says: %s", out.Text())
			continue
		}
		acked[table] = max(acked[table], rev)
		if each != nil {
			each(n)
		}
	}
	return acked
}

// logs reads every table and checks its lines against want.
func logs(t *testing.T, s *store.Store, want func(table string, n record.Rev) record.Line) map[string]record.Rev {
	t.Helper()
	revs := map[string]record.Rev{}
	for table, err := range s.Tables(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n := record.Rev(0)
		for line, err := range s.Read(t.Context(), table, 0) {
			if err != nil {
				t.Fatalf("Read(%s) at %d: %v", table, n, err)
			}
			if line != want(table, n) {
				t.Fatalf("Read(%s): event %d is %.80s, want %.80s", table, n, line, want(table, n))
			}
			n++
		}
		revs[table] = n
	}
	return revs
}

// A process that is killed while it appends loses nothing that it acknowledged,
// has no gap and no line twice, and no private value without its lines.
func TestKill(t *testing.T) {
	rounds := 8
	if testing.Short() {
		rounds = 2
	}
	dir := filepath.Join(t.TempDir(), "data")
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range rounds {
		kill := 50 + rng.IntN(3000)
		child := startChild(t, "many", dir)
		acked := acks(t, child.out, func(n int) {
			if n == kill {
				if err := child.Process.Kill(); err != nil {
					t.Error(err)
				}
			}
		})
		_ = child.Wait()
		if len(acked) == 0 {
			t.Fatalf("round %d: nothing was acknowledged", round)
		}
		s, err := store.Open(dir, small)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		found := logs(t, s, childLine)
		for table, rev := range acked {
			if found[table] < rev {
				t.Errorf("round %d: %s is at %d, and %d was acknowledged", round, table, found[table], rev)
			}
		}
		for table, rev := range found {
			private, err := s.Private(t.Context(), table)
			if got := string(private["rev"]); err != nil || got != fmt.Sprint(rev) {
				t.Errorf("round %d: %s is at %d, its private value says %s, %v", round, table, rev, got, err)
			}
		}
		if round%2 == 0 { // the odd ones leave it to the next child
			err = s.Close()
		} else {
			err = errors.Join(s.Delete(t.Context(), "T0"), s.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// A process that is killed while it opens the store, again and again, leaves
// one that opens.
func TestKillWhileOpening(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	rng := rand.New(rand.NewPCG(5, 6))
	acked := map[string]record.Rev{}
	for range 40 {
		child := startChild(t, "many", dir)
		kill := time.AfterFunc(time.Duration(rng.IntN(60))*time.Millisecond, func() { _ = child.Process.Kill() })
		for table, rev := range acks(t, child.out, nil) {
			acked[table] = max(acked[table], rev)
		}
		_ = child.Wait()
		kill.Stop()
	}
	found := logs(t, open(t, dir, small), childLine)
	for table, rev := range acked {
		if found[table] < rev {
			t.Errorf("%s is at %d, and %d was acknowledged", table, found[table], rev)
		}
	}
}

func TestReopen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	ctx := t.Context()
	want := map[string]record.Rev{}
	for round := range 3 {
		s, err := store.Open(dir, small)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			table := fmt.Sprintf("T%d", i)
			at := want[table]
			if _, err := s.Append(ctx, table, at+1, []record.Line{"x"}); !errors.Is(err, record.ErrConflict) {
				t.Errorf("round %d: Append(%s, %d): %v, want ErrConflict", round, table, at+1, err)
			}
			rev, err := s.AppendPrivate(ctx, table, at, []record.Line{childLine(table, at), childLine(table, at+1)},
				map[string][]byte{"seed": fmt.Append(nil, "seed", i), fmt.Sprint("round", round): {byte(round)}})
			if err != nil {
				t.Fatal(err)
			}
			want[table] = rev
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, dir, small)
	if diff := cmp.Diff(want, logs(t, s, childLine)); diff != "" {
		t.Error(diff)
	}
	private, err := s.Private(ctx, "T7")
	if err != nil {
		t.Fatal(err)
	}
	wantPrivate := map[string][]byte{"seed": []byte("seed7"), "round0": {0}, "round1": {1}, "round2": {2}}
	if diff := cmp.Diff(wantPrivate, private); diff != "" {
		t.Error(diff)
	}
}

// More tables than the committer remembers: where they stand is read back.
func TestManyTables(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "data"), small)
	const tables, writers = 6000, 50
	for n := range record.Rev(2) {
		together(writers, func(w int) {
			for i := w; i < tables; i += writers {
				table := fmt.Sprintf("T%d", i)
				if _, err := s.Append(context.Background(), table, n, []record.Line{childLine(table, n)}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	found := logs(t, s, childLine)
	if len(found) != tables {
		t.Errorf("%d tables, want %d", len(found), tables)
	}
	for table, rev := range found {
		if rev != 2 {
			t.Errorf("%s is at %d, want 2", table, rev)
		}
	}
}

// An append that is taken when its context ends is reported as what it became;
// one that waits behind it is withdrawn.
func TestCancel(t *testing.T) {
	inBatch, goOn := make(chan struct{}), make(chan struct{})
	o := small
	o.Observe = func(store.Batch) { inBatch <- struct{}{}; <-goOn }
	s := open(t, filepath.Join(t.TempDir(), "data"), o)
	type answer struct {
		rev record.Rev
		err error
	}
	start := func(ctx context.Context, table string) chan answer {
		ch := make(chan answer, 1)
		go func() {
			rev, err := s.Append(ctx, table, 0, []record.Line{"x"})
			ch <- answer{rev, err}
		}()
		return ch
	}
	takenCtx, cancelTaken := context.WithCancel(t.Context())
	waitCtx, cancelWait := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancelWait()
	taken := start(takenCtx, "taken")
	<-inBatch // on disk, not yet answered
	waits := start(waitCtx, "waits")
	cancelTaken()
	if got := <-waits; !errors.Is(got.err, context.DeadlineExceeded) {
		t.Errorf("an append that waited: %v, want its context's error", got.err)
	}
	goOn <- struct{}{}
	if got := <-taken; got.err != nil || got.rev != 1 {
		t.Errorf("an append that was taken = %d, %v, want 1", got.rev, got.err)
	}
	found := logs(t, s, func(string, record.Rev) record.Line { return "x" })
	if diff := cmp.Diff(map[string]record.Rev{"taken": 1}, found); diff != "" {
		t.Error(diff)
	}
}

// Whatever waits at the same time fits into Badger's transactions.
func TestBigBatches(t *testing.T) {
	release := make(chan struct{})
	var once sync.Once
	first := make(chan struct{})
	var largest atomic.Int64
	o := small
	o.Observe = func(b store.Batch) {
		once.Do(func() { close(first); <-release })
		largest.Store(max(largest.Load(), int64(b.Appends)))
	}
	s := open(t, filepath.Join(t.TempDir(), "data"), o)
	ctx := t.Context()
	name := func(i int) string { return fmt.Sprintf("%0*d", record.MaxTable, i) }
	var wg sync.WaitGroup
	create := func(i int, lines []record.Line, private map[string][]byte) {
		wg.Go(func() {
			if _, err := s.AppendPrivate(ctx, name(i), 0, lines, private); err != nil {
				t.Errorf("table %d: %v", i, err)
			}
		})
	}
	create(0, []record.Line{"x"}, nil)
	<-first // the committer is held up, and all of these wait
	many := make([]record.Line, record.MaxAppend/129)
	for i := range many {
		many[i] = "x"
	}
	for i := range 9000 {
		switch {
		case i%3000 == 1:
			create(i+1, many, nil)
		case i%2 == 0:
			create(i+1, []record.Line{"x"}, nil)
		default:
			create(i+1, []record.Line{"x"}, map[string][]byte{name(i): {}})
		}
	}
	close(release)
	wg.Wait()
	found := logs(t, s, func(string, record.Rev) record.Line { return "x" })
	if len(found) != 9001 {
		t.Errorf("%d tables, want 9001", len(found))
	}
	t.Logf("the largest batch had %d appends", largest.Load())
}
