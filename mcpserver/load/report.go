package load

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// Report is what came of a run.
type Report struct {
	URL            string           `json:"url"`
	Tables         int              `json:"tables"`
	Seconds        float64          `json:"seconds"` // in which games were begun
	Games          int64            `json:"games"`   // begun
	Unfinished     int64            `json:"unfinished"`
	Calls          int64            `json:"calls"`
	Moves          int64            `json:"moves"`
	MovesPerSecond float64          `json:"moves_per_second"`
	Move           Times            `json:"move_ms"`
	Wake           Times            `json:"wake_ms"`
	Refusals       map[string]int64 `json:"refusals"` // by code
	Errors         int64            `json:"errors"`
	ErrorTexts     []string         `json:"error_texts,omitempty"` // the first ones
	Records        Records          `json:"records"`
	Samples        []Sample         `json:"samples,omitempty"`
	Processor      float64          `json:"processor_ms_per_move,omitempty"` // of the server, while games were begun
	Drift          *Drift           `json:"drift,omitempty"`                 // nil without metrics
}

// Records are those of the finished games.
type Records struct {
	Verified int64    `json:"verified"`
	Receipts int64    `json:"receipts"` // kept by players, in verified records
	Failed   int64    `json:"failed"`
	Failures []string `json:"failures,omitempty"` // the first ones
}

func (r *run) report(samples []Sample) *Report {
	m, v := r.meter, r.verified
	report := &Report{
		URL: r.URL, Tables: r.Tables, Games: r.games.Load(), Unfinished: r.broken.Load(),
		Move: times(m.move), Wake: times(m.wakes), ErrorTexts: m.texts, Samples: samples,
		Records: Records{Verified: v.verified, Receipts: v.receipts, Failed: v.failed, Failures: v.failures},
	}
	report.Moves, report.Calls, report.Errors, report.Refusals = m.totals()
	report.Seconds, report.MovesPerSecond = rate(samples)
	if r.Metrics != "" {
		report.Drift = drift(samples)
		if moves := report.Seconds * report.MovesPerSecond; moves > 0 {
			report.Processor = 1000 * (samples[len(samples)-1].Processor - samples[0].Processor) / moves
		}
	}
	return report
}

// rate is the time that the samples cover and the moves a second in it.
func rate(samples []Sample) (seconds, perSecond float64) {
	moves, before := 0.0, 0.0
	for _, s := range samples {
		moves += s.MovesPerSecond * (s.Seconds - before)
		before = s.Seconds
	}
	if before == 0 {
		return 0, 0
	}
	return before, moves / before
}

// Err says what is wrong: errors, games that were not finished, records that did not verify, or, in a run of more than 20
// minutes with metrics, a server that grew. It is nil if all is well. Refusals are no fault.
func (r *Report) Err() error {
	var errs []error
	add := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	add(r.Errors > 0, "%d errors, the first: %s", r.Errors, strings.Join(r.ErrorTexts, "; "))
	add(r.Unfinished > 0, "%d games were not finished", r.Unfinished)
	add(r.Records.Failed > 0, "%d records did not verify: %s", r.Records.Failed, strings.Join(r.Records.Failures, "; "))
	add(r.Records.Verified == 0, "no game was played to its end")
	if r.Drift != nil && r.Seconds > judged.Seconds() {
		errs = append(errs, r.Drift.err())
	}
	return errors.Join(errs...)
}

// Write writes the report as text.
func (r *Report) Write(w io.Writer) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-14s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("moves", "%d in %.1f s at %d tables: %.0f a second", r.Moves, r.Seconds, r.Tables, r.MovesPerSecond)
	for _, t := range []struct {
		name string
		Times
	}{{"a move", r.Move}, {"a wake", r.Wake}} {
		line(t.name, "p50 %.2f ms, p99 %.2f ms, longest %.2f ms, of %d", t.P50, t.P99, t.Max, t.Count)
	}
	if r.Processor > 0 {
		line("processor", "%.3f ms of the server's a move, all that belongs to it included", r.Processor)
	}
	refusals := "none"
	if len(r.Refusals) > 0 {
		var list []string
		for _, code := range slices.Sorted(maps.Keys(r.Refusals)) {
			list = append(list, fmt.Sprintf("%s %d", code, r.Refusals[code]))
		}
		refusals = strings.Join(list, ", ")
	}
	line("refusals", "%s", refusals)
	line("errors", "%d", r.Errors)
	for _, text := range r.ErrorTexts {
		line("", "%s", text)
	}
	line("games", "%d, of which %d unfinished", r.Games, r.Unfinished)
	line("records", "%d verified with %d kept receipts, %d failed", r.Records.Verified, r.Records.Receipts, r.Records.Failed)
	for _, text := range r.Records.Failures {
		line("", "%s", text)
	}
	if r.Drift != nil {
		r.Drift.write(line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// String is one line of progress.
func (p Progress) String() string {
	s := fmt.Sprintf("%s  %v  %d games  %d moves  %.0f/s", p.Phase, time.Duration(p.Seconds*float64(time.Second)).Round(time.Second),
		p.Games, p.Moves, p.MovesPerSecond)
	if p.Refusals > 0 {
		s += fmt.Sprintf("  %d refusals", p.Refusals)
	}
	if p.Errors > 0 {
		s += fmt.Sprintf("  %d errors", p.Errors)
	}
	if p.Verified > 0 {
		s += fmt.Sprintf("  %d verified", p.Verified)
	}
	return s
}
