// Package metrics counts what an operator watches, for Prometheus. It holds numbers and words from fixed sets only: tools,
// codes, actions of rule files, names of installed bots; never a table's code, a player's name or anything that a stranger
// chose.
package metrics

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"dudo.example/mcpserver/front"
	"dudo.example/mcpserver/tables"
)

// Metrics is a server's registry. It is a [tables.Observer].
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	refusals *prometheus.CounterVec
	moves    *prometheus.CounterVec
	timeouts *prometheus.CounterVec
	waits    *prometheus.CounterVec
	botCalls *prometheus.CounterVec
	botTime  *prometheus.HistogramVec
	appends  prometheus.Counter
	lines    prometheus.Counter
	bytes    prometheus.Counter
	sync     prometheus.Histogram
}

// buckets from half a millisecond to the longest wait.
var buckets = prometheus.ExponentialBuckets(0.0005, 2, 16)

// New makes the metrics, with those of the Go runtime and of the process.
func New() *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "dudo", Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "dudo", Name: name, Help: help, Buckets: buckets}, labels)
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: counter("requests_total", "Messages answered, by method, protocol version and HTTP status.", "method", "era", "status"),
		latency:  histogram("tool_seconds", "Time to answer a tool's call, waiting included.", "tool"),
		refusals: counter("refusals_total", "Calls that were refused, by the refusal's code.", "code"),
		moves:    counter("moves_total", "Moves accepted, by action.", "action"),
		timeouts: counter("timeouts_total", "Clocks that ran out, by what kept a bot from moving; none for players.", "fault"),
		waits:    counter("waits_total", "Waiting calls, by how they ended: woken, timeout, gone or drained.", "end"),
		botCalls: counter("bot_calls_total", "Moves asked of bots, by outcome; ok for a legal move.", "bot", "outcome"),
		botTime:  histogram("bot_seconds", "Time that bots took to decide.", "bot"),
		appends:  prometheus.NewCounter(prometheus.CounterOpts{Namespace: "dudo", Name: "appends_total", Help: "Appends to the log."}),
		lines:    prometheus.NewCounter(prometheus.CounterOpts{Namespace: "dudo", Name: "append_lines_total", Help: "Events appended to the log."}),
		bytes:    prometheus.NewCounter(prometheus.CounterOpts{Namespace: "dudo", Name: "append_bytes_total", Help: "Bytes of these events."}),
		sync: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: "dudo", Name: "sync_seconds", Help: "Time of a transaction of the log until it was on disk; appends share them.", Buckets: buckets,
		}),
	}
	m.registry.MustRegister(
		m.requests, m.latency, m.refusals, m.moves, m.timeouts, m.waits, m.botCalls, m.botTime, m.appends, m.lines, m.bytes, m.sync,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// Watch adds gauges of a lobby's tables and waiting calls.
func (m *Metrics) Watch(l *tables.Lobby) {
	gauge := func(name, help string, value func(tables.Stats) int) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "dudo", Name: name, Help: help},
			func() float64 { return float64(value(l.Stats())) }))
	}
	gauge("open_tables", "Tables whose game is not over.", func(s tables.Stats) int { return s.Open })
	gauge("kept_tables", "Tables in memory, finished ones that are kept for a while included.", func(s tables.Stats) int { return s.Kept })
	gauge("waiting_calls", "Calls that wait for something to happen.", func(s tables.Stats) int { return s.Waiting })
}

// Handler answers with everything counted so far.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Request counts an answer of the front.
func (m *Metrics) Request(r front.Result) {
	m.requests.WithLabelValues(r.Method, r.Era, strconv.Itoa(r.Status)).Inc()
	if r.Tool != "" {
		m.latency.WithLabelValues(r.Tool).Observe(r.Duration.Seconds())
	}
	switch {
	case r.Refusal != "":
		m.refusals.WithLabelValues(r.Refusal).Inc()
	case r.Code != 0:
		m.refusals.WithLabelValues(strconv.Itoa(r.Code)).Inc()
	}
}

// Moved implements [tables.Observer].
func (m *Metrics) Moved(action string) { m.moves.WithLabelValues(action).Inc() }

// TimedOut implements [tables.Observer].
func (m *Metrics) TimedOut(fault string) {
	if fault == "" {
		fault = "none"
	}
	m.timeouts.WithLabelValues(fault).Inc()
}

// Waited implements [tables.Observer].
func (m *Metrics) Waited(end string) { m.waits.WithLabelValues(end).Inc() }

// BotAnswered implements [tables.Observer].
func (m *Metrics) BotAnswered(bot, outcome string, took time.Duration) {
	m.botCalls.WithLabelValues(bot, outcome).Inc()
	m.botTime.WithLabelValues(bot).Observe(took.Seconds())
}

// Appended counts a batch of the log.
func (m *Metrics) Appended(appends, lines, bytes int, took time.Duration) {
	m.appends.Add(float64(appends))
	m.lines.Add(float64(lines))
	m.bytes.Add(float64(bytes))
	m.sync.Observe(took.Seconds())
}
