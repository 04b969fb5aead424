//go:build unix

package rules_test

import (
	"syscall"
	"testing"
	"time"

	"dudo.example/rules"
)

// BenchmarkLoad loads and proves every file that ships, alone: it is parsed and checked, compiled for the most and the least
// seats with its orders asked for every pair of bids, and its worked examples are run, each for its own seats and options. It
// reports the processor time of the fastest load, collecting garbage included, of which a file may take 100 ms.
func BenchmarkLoad(b *testing.B) {
	for _, f := range shipped(b) {
		b.Run(f.Game, func(b *testing.B) {
			best := time.Hour
			for b.Loop() {
				t := processorTime(b)
				loaded, err := rules.Parse("file.yaml", f.Text)
				if err != nil {
					b.Fatal(err)
				}
				if errs := loaded.RunExamples(); len(errs) > 0 {
					b.Fatal(errs[0])
				}
				best = min(best, processorTime(b)-t)
			}
			b.ReportMetric(float64(best.Microseconds())/1000, "cpu-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// processorTime is what the process has used so far.
func processorTime(tb testing.TB) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
