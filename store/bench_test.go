package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"dudo.example/core/record"
	"dudo.example/store"
)

// benchLine is as long as a bid's event.
func benchLine(n record.Rev) record.Line {
	return record.Line(fmt.Sprintf(`{"action":"bid","args":{"face":4,"quantity":%d},"n":%d,"seat":%d,"t":%d,"type":"act"}`, 1+n%9, n, n%4, 1764500000000+n))
}

// BenchmarkDurableAppends lets 64 writers, each on a table of its own, append
// a line at a time, and compares that with the least that would be durable: 64
// writers whose lines one goroutine gathers, appends to a file and syncs. The
// metric "ratio" is appends per second of the store by those of the file.
func BenchmarkDurableAppends(b *testing.B) {
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			var inStore, inFile time.Duration
			var batches, appends int
			const each = 200
			s, err := store.Open(filepath.Join(b.TempDir(), "data"), store.Options{
				Observe: func(done store.Batch) { batches++; appends += done.Appends },
			})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			f := newRawLog(b)
			defer f.close()
			round := 0
			for b.Loop() {
				round++
				inFile += together(writers, func(w int) {
					for n := range record.Rev(each) {
						f.append(benchLine(n))
					}
				})
				inStore += together(writers, func(w int) {
					table := fmt.Sprintf("%d-%d", round, w)
					for n := range record.Rev(each) {
						if _, err := s.Append(context.Background(), table, n, []record.Line{benchLine(n)}); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			total := float64(round * writers * each)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(total/inStore.Seconds(), "appends/s")
			b.ReportMetric(total/inFile.Seconds(), "raw/s")
			b.ReportMetric(inFile.Seconds()/inStore.Seconds(), "ratio")
			b.ReportMetric(float64(appends)/float64(batches), "appends/sync")
			b.ReportMetric(float64(f.lines)/float64(f.syncs), "raw/sync")
		})
	}
}

func together(n int, f func(int)) time.Duration {
	start := time.Now()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
	return time.Since(start)
}

// rawLog is append-and-fsync with group commit and nothing else.
type rawLog struct {
	f            *os.File
	in           chan rawLine
	done         chan struct{}
	lines, syncs int
}

type rawLine struct {
	line record.Line
	done chan error
}

func newRawLog(b *testing.B) *rawLog {
	f, err := os.Create(filepath.Join(b.TempDir(), "raw"))
	if err != nil {
		b.Fatal(err)
	}
	l := &rawLog{f: f, in: make(chan rawLine, 64), done: make(chan struct{})}
	go l.run(b)
	return l
}

func (l *rawLog) append(line record.Line) {
	done := make(chan error)
	l.in <- rawLine{line, done}
	<-done
}

func (l *rawLog) run(b *testing.B) {
	defer close(l.done)
	for first := range l.in {
		batch := []rawLine{first}
		for more := true; more; {
			select {
			case next, open := <-l.in:
				more = open
				if open {
					batch = append(batch, next)
				}
			default:
				more = false
			}
		}
		var buf []byte
		for _, r := range batch {
			buf = append(append(buf, r.line...), '\n')
		}
		if _, err := l.f.Write(buf); err != nil {
			b.Error(err)
		}
		if err := l.f.Sync(); err != nil {
			b.Error(err)
		}
		l.lines += len(batch)
		l.syncs++
		for _, r := range batch {
			r.done <- nil
		}
		runtime.Gosched() // as the store does, so that batches are as large
	}
}

func (l *rawLog) close() {
	close(l.in)
	<-l.done
	l.f.Close()
}
