package load

import (
	"context"
	"fmt"
	"time"
)

// Sample is how it stood at one time. What the server uses is zero without metrics.
type Sample struct {
	Seconds        float64 `json:"seconds"` // since the start
	MovesPerSecond float64 `json:"moves_per_second"`
	Games          int64   `json:"games"` // begun
	Resident       float64 `json:"resident_bytes,omitempty"`
	Heap           float64 `json:"heap_bytes,omitempty"` // in use, as the Go runtime sees it
	Goroutines     float64 `json:"goroutines,omitempty"`
	Files          float64 `json:"open_files,omitempty"`
	Processor      float64 `json:"processor_seconds,omitempty"` // since the server's start
}

// Progress is how it stands.
type Progress struct {
	Sample
	Phase    string // playing, finishing or verifying
	Moves    int64
	Errors   int64
	Refusals int64
	Verified int64
}

const (
	showEvery  = 250 * time.Millisecond
	mostSample = 120 // in a run
)

// watch samples while the games are played.
type watch struct {
	run     *run
	stop    context.CancelFunc
	done    chan struct{}
	samples []Sample
	moves   int64 // until the last sample
	at      time.Time
}

func (r *run) startWatch(ctx context.Context) (*watch, error) {
	w := &watch{run: r, done: make(chan struct{}), at: r.began}
	first := Sample{}
	if err := r.addMetrics(ctx, &first); err != nil {
		return nil, err
	}
	w.samples = append(w.samples, first)
	ctx, w.stop = context.WithCancel(ctx)
	go w.loop(ctx)
	return w, nil
}

func (w *watch) end() []Sample {
	w.stop()
	<-w.done
	return w.samples
}

func (w *watch) loop(ctx context.Context) {
	defer close(w.done)
	show := time.NewTicker(showEvery)
	defer show.Stop()
	sample := time.NewTicker(max(time.Second, w.run.Duration/mostSample))
	defer sample.Stop()
	over := time.NewTimer(w.run.Duration)
	defer over.Stop()
	for {
		select {
		case <-ctx.Done():
			if w.run.timeLeft() { // the games have run out before the time
				w.sample(context.WithoutCancel(ctx))
			}
			return
		case <-show.C:
			if w.run.timeLeft() {
				w.run.progress("playing")
			} else {
				w.run.progress("finishing")
			}
		case <-sample.C:
			w.sample(ctx)
		case <-over.C:
			w.sample(ctx)
			sample.Stop() // games that end one by one say nothing about the server
		}
	}
}

func (w *watch) sample(ctx context.Context) {
	moves, _, _, _ := w.run.meter.totals()
	now := time.Now()
	s := Sample{Seconds: now.Sub(w.run.began).Seconds(), Games: w.run.games.Load()}
	s.MovesPerSecond = float64(moves-w.moves) / now.Sub(w.at).Seconds()
	w.moves, w.at = moves, now
	if err := w.run.addMetrics(ctx, &s); err != nil {
		w.run.meter.fail(err)
	}
	w.samples = append(w.samples, s)
}

func (r *run) progress(phase string) {
	if r.Progress == nil {
		return
	}
	p := Progress{Phase: phase, Sample: Sample{Seconds: time.Since(r.began).Seconds(), Games: r.games.Load()}}
	var refusals map[string]int64
	p.Moves, _, p.Errors, refusals = r.meter.totals()
	for _, n := range refusals {
		p.Refusals += n
	}
	p.MovesPerSecond = float64(p.Moves) / min(p.Seconds, r.Duration.Seconds())
	r.verified.mu.Lock()
	p.Verified = r.verified.verified + r.verified.failed
	r.verified.mu.Unlock()
	r.Progress(p)
}

// addMetrics reads what the server uses, if it is known where.
func (r *run) addMetrics(ctx context.Context, s *Sample) error {
	if r.Metrics == "" {
		return nil
	}
	values, err := ReadMetrics(ctx, r.Metrics)
	if err != nil {
		return err
	}
	for name, into := range map[string]*float64{
		"process_resident_memory_bytes": &s.Resident, "go_memstats_heap_inuse_bytes": &s.Heap,
		"go_goroutines": &s.Goroutines, "process_open_fds": &s.Files, "process_cpu_seconds_total": &s.Processor,
	} {
		v, ok := values[name]
		if !ok {
			return fmt.Errorf("the metrics at %s have no %s", r.Metrics, name)
		}
		*into = v
	}
	return nil
}
