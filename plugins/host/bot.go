package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/sony/gobreaker/v2"
)

// steadyAfter is how long a process has to run for its end to be an accident,
// not one in a row of crashes.
const steadyAfter = time.Minute

// bot is a bot with the one process that it may have.
type bot struct {
	program
	host    *Host
	log     *slog.Logger
	breaker *gobreaker.CircuitBreaker[Move]

	mu        sync.Mutex // never held while waiting
	current   *process
	starting  *start
	backoff   *backoff.ExponentialBackOff
	notBefore time.Time // of the next start
}

// start is a process being started, for all who wait for it.
type start struct {
	done    chan struct{} // closed when process or err is set
	process *process
	err     error
}

func newBot(h *Host, p program) *bot {
	b := &bot{program: p, host: h, log: h.o.Log.With("bot", p.info.Name)}
	b.backoff = backoff.NewExponentialBackOff()
	b.backoff.InitialInterval = h.o.RestartMin
	b.backoff.MaxInterval = h.o.RestartMax
	b.backoff.Multiplier = 2
	b.breaker = gobreaker.NewCircuitBreaker[Move](gobreaker.Settings{
		Name:        p.info.Name,
		Timeout:     h.o.Rest,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= h.o.Failures },
		IsExcluded:  blameless,
		OnStateChange: func(_ string, from, to gobreaker.State) {
			b.log.Warn("bot's rest", "from", from.String(), "to", to.String())
		},
	})
	return b
}

// blameless says whether an error is no fault of the bot.
func blameless(err error) bool {
	switch OutcomeOf(err) {
	case Canceled, Unsupported, BadRequest:
		return true
	default:
		return false
	}
}

// error makes an error of the bot.
func (b *bot) error(o Outcome, err error) error {
	return &Error{Bot: b.info.Name, Outcome: o, Err: err}
}

// guarded is f unless the bot has a rest.
func (b *bot) guarded(f func() (Move, error)) (Move, error) {
	m, err := b.breaker.Execute(f)
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return Move{}, b.error(Unavailable, fmt.Errorf("failed too often, rests for %v", b.host.o.Rest))
	}
	return m, err
}

// running is the bot's process, nil if there is none.
func (b *bot) running() *process {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.current
}

// process is the bot's process, started if there is none.
func (b *bot) process(ctx context.Context) (*process, error) {
	b.mu.Lock()
	if p := b.current; p != nil {
		b.mu.Unlock()
		return p, nil
	}
	s := b.starting
	if s == nil {
		s = &start{done: make(chan struct{})}
		wait := time.Until(b.notBefore)
		if !b.host.run(func() { b.start(s, wait) }) {
			b.mu.Unlock()
			return nil, b.error(Canceled, errClosed)
		}
		b.starting = s
	}
	b.mu.Unlock()
	select {
	case <-s.done:
		return s.process, s.err
	case <-ctx.Done():
		if cause := context.Cause(ctx); !errors.Is(cause, context.DeadlineExceeded) {
			return nil, b.error(Canceled, cause)
		}
		return nil, b.error(Unavailable, errors.New("the process is not ready yet"))
	}
}

// start starts the process after a wait and says so to all who wait for it.
func (b *bot) start(s *start, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		s.process, s.err = b.launch()
	case <-b.host.ctx.Done():
		s.err = b.error(Canceled, errClosed)
	}
	if p := s.process; p != nil && !b.host.run(func() { b.watch(p) }) {
		p.runner.kill()
		<-p.runner.exited
		_ = p.conn.Close()
		s.process, s.err = nil, b.error(Canceled, errClosed)
	}
	b.mu.Lock()
	b.starting = nil
	if p := s.process; p != nil {
		b.current = p
		b.info.Version, b.info.Games = p.about.GetVersion(), p.about.GetGames()
	} else {
		b.notBefore = time.Now().Add(b.backoff.NextBackOff())
	}
	b.mu.Unlock()
	close(s.done)
	if s.err != nil {
		b.log.Warn("bot did not start", "outcome", string(OutcomeOf(s.err)), "err", s.err)
	} else {
		b.log.Info("bot started", "pid", s.process.runner.ID(), "version", s.process.about.GetVersion())
	}
}

// watch waits for the end of the process, its own or the host's.
func (b *bot) watch(p *process) {
	select {
	case <-p.runner.exited:
	case <-b.host.ctx.Done():
		p.runner.stop()
		<-p.runner.exited
	}
	_ = p.conn.Close()
	b.mu.Lock()
	if b.current == p {
		b.current = nil
	}
	if time.Since(p.since) > steadyAfter {
		b.backoff.Reset()
	}
	wait := b.backoff.NextBackOff()
	b.notBefore = time.Now().Add(wait)
	b.mu.Unlock()
	close(p.ended)
	if b.host.ctx.Err() == nil {
		b.log.Warn("bot ended", "pid", p.runner.ID(), "status", p.runner.cmd.ProcessState.String(), "restart_in", wait)
	}
}
