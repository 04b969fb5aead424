package load

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"dudo.example/mcpserver/client"
)

// meter counts and times while the players play.
type meter struct {
	mu       sync.Mutex
	moves    int64
	move     *hdrhistogram.Histogram // of microseconds
	wakes    *hdrhistogram.Histogram
	calls    int64
	refusals map[string]int64
	errors   int64
	texts    []string
}

const (
	mostTexts = 10 // of errors
	longest   = time.Minute
	// rateLimited is what an answer of 429 counts as among the refusals.
	rateLimited = "rate_limited"
)

func newMeter() *meter {
	histogram := func() *hdrhistogram.Histogram { return hdrhistogram.New(1, longest.Microseconds(), 3) }
	return &meter{move: histogram(), wakes: histogram(), refusals: map[string]int64{}}
}

// observe is told of every call.
func (m *meter) observe(tool string, took time.Duration, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	var refusal *client.Refusal
	var rate *client.RateError
	switch {
	case errors.As(err, &refusal):
		m.refusals[refusal.Code]++
	case errors.As(err, &rate):
		m.refusals[rateLimited]++
	case err != nil:
		m.failed(err)
	default:
		switch tool {
		case "create_table", "join_table", "start_game", "get_state":
		default:
			m.moves++
			count(m.move, took)
		}
	}
}

func (m *meter) wake(took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	count(m.wakes, took)
}

func count(h *hdrhistogram.Histogram, took time.Duration) {
	_ = h.RecordValue(min(took, longest).Microseconds()) // no value is above the longest
}

// fail counts an error that was not one of a call.
func (m *meter) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failed(err)
}

func (m *meter) failed(err error) {
	if errors.Is(err, context.Canceled) {
		return // because of another that is counted
	}
	m.errors++
	if len(m.texts) < mostTexts {
		m.texts = append(m.texts, err.Error())
	}
}

// Times are quantiles in milliseconds.
type Times struct {
	Count int64   `json:"count"`
	P50   float64 `json:"p50"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

func times(h *hdrhistogram.Histogram) Times {
	ms := func(us int64) float64 { return float64(us) / 1000 }
	return Times{Count: h.TotalCount(), P50: ms(h.ValueAtQuantile(50)), P99: ms(h.ValueAtQuantile(99)), Max: ms(h.Max())}
}

// totals are the counts so far.
func (m *meter) totals() (moves, calls, errs int64, refusals map[string]int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.moves, m.calls, m.errors, maps.Clone(m.refusals)
}
