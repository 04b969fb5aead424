//go:build unix

package rules_test

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"dudo.example/rules"
)

// What reading and compiling may cost, whatever the text: processor time of all threads, so that a busy machine does not matter,
// and bytes allocated in all, which is more than was in use at any time.
const (
	mostTime   = time.Second
	mostMemory = 64 << 20
)

// cost is what doing something costs.
func cost(tb testing.TB, do func()) (took time.Duration, allocated uint64) {
	runtime.GC()
	begin, bytes := processorTime(tb), allBytes()
	do()
	took = processorTime(tb) - begin
	if raceEnabled {
		took /= 10
	}
	return took, allBytes() - bytes
}

func allBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// within complains of what costs more than it may. The race detector allocates much of its own.
func within(t *testing.T, what string, took, mostTime time.Duration, allocated uint64) {
	t.Helper()
	t.Logf("%s: %v, %d MiB allocated", what, took.Round(time.Millisecond), allocated>>20)
	if took > mostTime {
		t.Errorf("%s took %v of the processor, want at most %v", what, took, mostTime)
	}
	if allocated > mostMemory && !raceEnabled {
		t.Errorf("%s allocated %d MiB, want at most %d", what, allocated>>20, mostMemory>>20)
	}
}

// TestBounded reads hostile texts and games.
func TestBounded(t *testing.T) {
	games := hostileGames()
	for name, text := range hostileTexts() {
		games[name] = hostileGame{text: text}
	}
	for name, game := range games {
		t.Run(name, func(t *testing.T) {
			var err error
			took, allocated := cost(t, func() { _, err = rules.Parse("hostile.yaml", []byte(game.text)) })
			within(t, "Parse", took, mostTime, allocated)
			if (err == nil) != game.accepted {
				t.Errorf("Parse gave %.200v, want accepted to be %t", err, game.accepted)
			}
			if err != nil && !errors.As(err, new(*rules.Error)) {
				t.Errorf("the error has no place: %v", err)
			}
		})
	}
}

// TestBoundedCompile compiles the games that are accepted for most and fewest seats with every option at its least and its
// greatest.
func TestBoundedCompile(t *testing.T) {
	for name, game := range hostileGames() {
		if !game.accepted {
			continue
		}
		f, err := rules.Parse("hostile.yaml", []byte(game.text))
		if err != nil {
			t.Fatal(err)
		}
		least, greatest := map[string]int{}, map[string]int{}
		for _, o := range f.Options {
			least[o.Name], greatest[o.Name] = o.Low, o.High
		}
		for _, options := range []map[string]int{least, greatest} {
			for _, seats := range []int{f.MinSeats, f.MaxSeats} {
				took, allocated := cost(t, func() { _, err = f.Compile(seats, options) })
				within(t, fmt.Sprintf("%s: Compile(%d, %v)", name, seats, options), took, mostTime/2, allocated)
			}
		}
	}
}

// TestBoundedCheck walks small instances of hostile games and plays their examples. That is done for the author of a file and
// for the operator of a server, not for a stranger, and may take a few seconds.
func TestBoundedCheck(t *testing.T) {
	for name, text := range hostileChecks() {
		t.Run(name, func(t *testing.T) {
			f, err := rules.Parse("hostile.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			var walked []rules.Instance
			took, _ := cost(t, func() { walked, err = f.Walk() })
			within(t, fmt.Sprintf("Walk, %d instances, %v", len(walked), err), took, 4*mostTime, 0)
			var errs []error
			took, _ = cost(t, func() { errs = f.RunExamples() })
			within(t, fmt.Sprintf("RunExamples, %d faults", len(errs)), took, 4*mostTime, 0)
		})
	}
}
