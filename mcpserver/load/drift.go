package load

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Drift compares what the server used early in a run with what it used late. Early is the second quarter of the samples: in the
// first one caches fill. Late is the last quarter. Both are medians: while the log's files are compacted, which takes a second or
// two, the heap is twice as large and more.
//
// The heap and the goroutines say whether the server keeps more and more. Resident memory and open files have wider bounds: the
// log's files, of which there is one more for each megabyte or two, are open and mapped, and the kernel takes that memory back
// when it needs to.
type Drift struct {
	Resident   Change `json:"resident_bytes"`
	Heap       Change `json:"heap_bytes"`
	Goroutines Change `json:"goroutines"`
	Files      Change `json:"open_files"`
}

// Change is a median early in a run and one late.
type Change struct {
	Early float64 `json:"early"`
	Late  float64 `json:"late"`
}

// judged is how long a run must be for growth to be a fault: in a shorter one what is kept of finished tables is still
// growing.
const judged = 20 * time.Minute

// drift is nil if there are too few samples to say anything.
func drift(samples []Sample) *Drift {
	if len(samples) < 8 {
		return nil
	}
	n := len(samples)
	change := func(of func(Sample) float64) Change {
		return Change{median(samples[n/4:n/2], of), median(samples[n-n/4:], of)}
	}
	return &Drift{
		Resident:   change(func(s Sample) float64 { return s.Resident }),
		Heap:       change(func(s Sample) float64 { return s.Heap }),
		Goroutines: change(func(s Sample) float64 { return s.Goroutines }),
		Files:      change(func(s Sample) float64 { return s.Files }),
	}
}

func median(samples []Sample, of func(Sample) float64) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// grew says whether something grew by more than a share of what it was, and by more than it may vary by.
func (c Change) grew(share, slack float64) bool {
	return c.Late-c.Early > max(share*c.Early, slack)
}

func (d *Drift) err() error {
	var errs []error
	for _, x := range []struct {
		what         string
		change       Change
		share, slack float64
	}{
		{"heap", d.Heap, 0.2, 16 << 20},
		{"resident memory", d.Resident, 0.5, 64 << 20},
		{"number of goroutines", d.Goroutines, 0.2, 50},
		{"number of open files", d.Files, 0.5, 64},
	} {
		if x.change.grew(x.share, x.slack) {
			errs = append(errs, fmt.Errorf("the server's %s grew from %.0f to %.0f", x.what, x.change.Early, x.change.Late))
		}
	}
	return errors.Join(errs...)
}

func (d *Drift) write(line func(name, format string, args ...any)) {
	mb := func(c Change) (early, late float64) { return c.Early / 1e6, c.Late / 1e6 }
	early, late := mb(d.Resident)
	line("memory", "%.1f MB early, %.1f MB late", early, late)
	early, late = mb(d.Heap)
	line("Go heap", "%.1f MB early, %.1f MB late", early, late)
	line("goroutines", "%.0f early, %.0f late", d.Goroutines.Early, d.Goroutines.Late)
	line("open files", "%.0f early, %.0f late", d.Files.Early, d.Files.Late)
}
