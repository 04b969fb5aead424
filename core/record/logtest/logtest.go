// Package logtest is the contract of [record.Log] and [record.Store] as a
// test. Who implements one of them runs it against theirs:
//
//	func TestLog(t *testing.T) {
//		logtest.Run(t, func(t *testing.T) record.Log { return open(t) })
//	}
//
// A log that passes can stand behind the server.
package logtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"dudo.example/core/record"
)

// Run tests a Log. Every call of open gives an empty one, which open closes
// by t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) record.Log) {
	tests := []struct {
		name string
		run  func(t *testing.T, l record.Log)
	}{
		{"a table begins with its first append", begins},
		{"an append that follows another revision conflicts", conflicts},
		{"an append that breaks a limit adds nothing", limits},
		{"a read starts where it is told", reads},
		{"a read ends when its reader does", readStops},
		{"a read sees whole appends", readsWhole},
		{"of many writers one wins each revision", oneWriter},
		{"tables do not see each other", apart},
		{"an append whose context has ended adds nothing", ended},
		{"an append that is given up is in the log or is not", givenUp},
		{"a watch tells of what is committed after it", watches},
		{"a slow watch gets merged wakes", watchMerges},
		{"a watch ends with its context", watchEnds},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, open(t)) })
	}
}

// lines makes the lines of events from to to-1, each of which says which it is.
func lines(table string, from, to record.Rev) []record.Line {
	var ls []record.Line
	for n := from; n < to; n++ {
		ls = append(ls, record.Line(fmt.Sprintf(`{"n":%d,"t":%d,"type":"act","table":%q}`, n, 1000+n, table)))
	}
	return ls
}

func must(t *testing.T, l record.Log, table string, after, to record.Rev) {
	t.Helper()
	got, err := l.Append(t.Context(), table, after, lines(table, after, to))
	if err != nil || got != to {
		t.Fatalf("Append(%s, %d, %d lines) = %d, %v, want %d", table, after, to-after, got, err, to)
	}
}

func read(t *testing.T, l record.Log, table string, from record.Rev) []record.Line {
	t.Helper()
	var got []record.Line
	for line, err := range l.Read(t.Context(), table, from) {
		if err != nil {
			t.Fatalf("Read(%s, %d) after %d lines: %v", table, from, len(got), err)
		}
		got = append(got, line)
	}
	return got
}

// holds fails unless the log of table is exactly events 0 to rev-1, read from
// from on.
func holds(t *testing.T, l record.Log, table string, from, rev record.Rev) {
	t.Helper()
	got, want := read(t, l, table, from), lines(table, from, rev)
	if len(got) != len(want) {
		t.Fatalf("Read(%s, %d) gave %d lines, want %d", table, from, len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("Read(%s, %d): event %d is %s, want %s", table, from, int(from)+i, got[i], want[i])
		}
	}
}

func firstErr(l record.Log, table string) error {
	for _, err := range l.Read(context.Background(), table, 0) {
		return err
	}
	return nil
}

func begins(t *testing.T, l record.Log) {
	if err := firstErr(l, "A"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Read of no table: %v, want ErrNotFound", err)
	}
	must(t, l, "A", 0, 1)
	must(t, l, "A", 1, 4)
	holds(t, l, "A", 0, 4)
}

func conflicts(t *testing.T, l record.Log) {
	must(t, l, "A", 0, 3)
	for _, tt := range []struct {
		table string
		after record.Rev
	}{{"A", 0}, {"A", 2}, {"A", 4}, {"A", -1}, {"B", 1}, {"B", -1}} {
		_, err := l.Append(t.Context(), tt.table, tt.after, lines(tt.table, 7, 9))
		if !errors.Is(err, record.ErrConflict) {
			t.Errorf("Append(%s, %d): %v, want ErrConflict", tt.table, tt.after, err)
		}
	}
	holds(t, l, "A", 0, 3)
	if err := firstErr(l, "B"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("a refused append left table B: %v", err)
	}
}

func limits(t *testing.T, l record.Log) {
	long := make([]byte, record.MaxLine)
	for i := range long {
		long[i] = 'x'
	}
	if _, err := l.Append(t.Context(), "A", 0, []record.Line{record.Line(long)}); err != nil {
		t.Errorf("a line of MaxLine bytes: %v", err)
	}
	name := string(long[:record.MaxTable])
	must(t, l, name, 0, 1)
	many := make([]record.Line, record.MaxAppend/(128+1024))
	for i := range many {
		many[i] = record.Line(long[:1024])
	}
	if _, err := l.Append(t.Context(), "many", 0, many); err != nil {
		t.Errorf("an append of MaxAppend bytes: %v", err)
	}
	small := make([]record.Line, record.MaxAppend/129)
	for i := range small {
		small[i] = "x"
	}
	if _, err := l.Append(t.Context(), "small", 0, small); err != nil {
		t.Errorf("an append of %d lines: %v", len(small), err)
	}
	for _, tt := range []struct {
		name  string
		table string
		lines []record.Line
	}{
		{"no line", "B", nil},
		{"an empty line", "B", []record.Line{"ok", ""}},
		{"a newline", "B", []record.Line{"ok", "a\nb"}},
		{"a long line", "B", []record.Line{"ok", record.Line(append(long, 'x'))}},
		{"a long append", "B", append(many, many[0])},
		{"no name", "", []record.Line{"ok"}},
		{"a long name", name + "x", []record.Line{"ok"}},
		{"a name with a space", "B C", []record.Line{"ok"}},
		{"a name with a zero byte", "B\x00", []record.Line{"ok"}},
	} {
		if _, err := l.Append(t.Context(), tt.table, 0, tt.lines); err == nil {
			t.Errorf("%s was appended", tt.name)
		}
		if err := firstErr(l, tt.table); !errors.Is(err, record.ErrNotFound) {
			t.Errorf("%s left something behind: %v", tt.name, err)
		}
	}
}

func reads(t *testing.T, l record.Log) {
	const n = 700
	for at := record.Rev(0); at < n; at += 100 {
		must(t, l, "A", at, at+100)
	}
	for _, from := range []record.Rev{0, 1, 255, 256, 257, 699, 700} {
		holds(t, l, "A", from, n)
	}
	if got := read(t, l, "A", n+5); len(got) != 0 {
		t.Errorf("Read beyond the end gave %d lines", len(got))
	}
	bad := 0
	for _, err := range l.Read(t.Context(), "A", -1) {
		if err == nil {
			t.Error("Read from -1 gave a line")
			break
		}
		bad++
	}
	if bad != 1 {
		t.Errorf("Read from -1 yielded %d errors, want 1", bad)
	}
}

func readStops(t *testing.T, l record.Log) {
	must(t, l, "A", 0, 1000)
	for range l.Read(t.Context(), "A", 0) {
		break
	}
	// The loop's body may use the log.
	at := record.Rev(1000)
	for _, err := range l.Read(t.Context(), "A", 990) {
		if err != nil {
			t.Fatal(err)
		}
		must(t, l, "A", at, at+1)
		at++
	}
	if at != 1010 {
		t.Errorf("a read of 10 lines gave %d", at-1000)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	n := 0
	for _, err := range l.Read(ctx, "A", 0) {
		cancel()
		n++
		last = err
	}
	if !errors.Is(last, context.Canceled) || n > 1000 {
		t.Errorf("a read whose context ended gave %d items and ended with %v", n, last)
	}
}

func readsWhole(t *testing.T, l record.Log) {
	must(t, l, "A", 0, 3)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for at := record.Rev(3); at < 300; at += 3 {
			if _, err := l.Append(context.Background(), "A", at, lines("A", at, at+3)); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for seen := 0; seen < 300; {
		got := read(t, l, "A", 0)
		if len(got)%3 != 0 || len(got) < seen {
			t.Errorf("a read gave %d lines after one of %d, of appends of 3", len(got), seen)
			break
		}
		seen = len(got)
		select {
		case <-done:
			if seen = len(read(t, l, "A", 0)); seen != 300 {
				t.Errorf("%d lines in the end, want 300", seen)
				return
			}
		default:
		}
	}
	<-done
	holds(t, l, "A", 0, 300)
}

func oneWriter(t *testing.T, l record.Log) {
	const writers, each = 16, 12
	var wg sync.WaitGroup
	won := make([]int, writers)
	for w := range writers {
		wg.Go(func() {
			at := record.Rev(0)
			for won[w] < each {
				got, err := l.Append(context.Background(), "A", at, lines("A", at, at+1))
				switch {
				case err == nil && got == at+1:
					won[w]++
					at = got
				case errors.Is(err, record.ErrConflict):
					at++ // somebody else has this one
				default:
					t.Errorf("Append(A, %d) = %d, %v", at, got, err)
					return
				}
			}
		})
	}
	wg.Wait()
	holds(t, l, "A", 0, writers*each)
}

func apart(t *testing.T, l record.Log) {
	// Names that are each other's beginning are the ones that get mixed up.
	names := []string{"A", "A-", "A-0", "AA", "a", "~", "!"}
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() {
			for at := record.Rev(0); at < record.Rev(i+5); at++ {
				if _, err := l.Append(context.Background(), name, at, lines(name, at, at+1)); err != nil {
					t.Errorf("Append(%s, %d): %v", name, at, err)
				}
			}
		})
	}
	wg.Wait()
	for i, name := range names {
		holds(t, l, name, 0, record.Rev(i+5))
	}
}

func ended(t *testing.T, l record.Log) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Append(ctx, "A", 0, lines("A", 0, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("Append with an ended context: %v, want context.Canceled", err)
	}
	if err := firstErr(l, "A"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("an append with an ended context left something: %v", err)
	}
}

// givenUp lets contexts end in the midst of appends. What Append said must be
// so: each success is in the log, each context error is not.
func givenUp(t *testing.T, l record.Log) {
	const writers, tries = 8, 40
	var wg sync.WaitGroup
	for w := range writers {
		table := fmt.Sprintf("T%d", w)
		wg.Go(func() {
			at := record.Rev(0)
			for range tries {
				ctx, cancel := context.WithCancel(context.Background())
				gone := make(chan struct{})
				go func() { cancel(); close(gone) }()
				got, err := l.Append(ctx, table, at, lines(table, at, at+1))
				<-gone
				switch {
				case err == nil:
					at = got
				case !errors.Is(err, context.Canceled):
					t.Errorf("Append(%s, %d): %v", table, at, err)
					return
				}
			}
			n := record.Rev(0)
			for _, err := range l.Read(context.Background(), table, 0) {
				if err == nil {
					n++
				}
			}
			if n != at {
				t.Errorf("%s: %d appends were reported, %d are in the log", table, at, n)
			}
		})
	}
	wg.Wait()
}

func watches(t *testing.T, l record.Log) {
	must(t, l, "A", 0, 1)
	wakes, err := l.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Append(t.Context(), "A", 0, lines("A", 0, 1)); !errors.Is(err, record.ErrConflict) {
		t.Fatal(err)
	}
	for _, want := range []record.Wake{{Table: "A", Rev: 3}, {Table: "B", Rev: 1}, {Table: "A", Rev: 4}} {
		at := want.Rev - 1
		if want.Rev == 3 {
			at = 1
		}
		must(t, l, want.Table, at, want.Rev)
		if got := next(t, wakes); got != want {
			t.Errorf("wake %v, want %v", got, want)
		}
		holds(t, l, want.Table, 0, want.Rev)
	}
}

func watchMerges(t *testing.T, l record.Log) {
	wakes, err := l.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for at := record.Rev(0); at < 50; at++ {
		must(t, l, "A", at, at+1)
		must(t, l, "B", at, at+1)
	}
	got := map[string]record.Rev{}
	n := 0
	for got["A"] < 50 || got["B"] < 50 {
		wake := next(t, wakes)
		if wake.Rev <= got[wake.Table] {
			t.Errorf("wake %v after one at %d", wake, got[wake.Table])
		}
		got[wake.Table] = wake.Rev
		n++
	}
	// What was offered when nobody took it may be out of date by one or two.
	if n > 6 {
		t.Errorf("100 appends that nobody waited for gave %d wakes", n)
	}
}

func watchEnds(t *testing.T, l record.Log) {
	ctx, cancel := context.WithCancel(t.Context())
	idle, err := l.Watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	busy, err := l.Watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	must(t, l, "A", 0, 1)
	next(t, idle)
	cancel()
	for _, wakes := range []<-chan record.Wake{idle, busy} {
		for open := true; open; {
			select {
			case _, open = <-wakes:
			case <-time.After(10 * time.Second):
				t.Fatal("the channel was not closed")
			}
		}
	}
	if _, err := l.Watch(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Watch with an ended context: %v", err)
	}
	must(t, l, "A", 1, 2)
}

func next(t *testing.T, wakes <-chan record.Wake) record.Wake {
	t.Helper()
	select {
	case wake, open := <-wakes:
		if !open {
			t.Fatal("the channel is closed")
		}
		return wake
	case <-time.After(10 * time.Second):
		t.Fatal("no wake in 10 s")
	}
	panic("unreachable")
}
