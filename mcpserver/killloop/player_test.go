package killloop_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"dudo.example/mcpserver/client"
)

// loop is what all tables share.
type loop struct {
	t      *testing.T
	client *client.Client
	out    *outage
	stop   context.CancelFunc // ends everything, after a failure
	done   chan struct{}      // closed when no more games are begun

	words      atomic.Int64 // talk is numbered
	games      atomic.Int64 // finished and verified
	moves      atomic.Int64 // answered
	unanswered atomic.Int64 // moves whose answer a kill took
	stored     atomic.Int64 // and which were found in the record
	checked    atomic.Int64 // receipts held against a recovered log
	early      int          // kills while the server was starting

	mu     sync.Mutex
	tables []*table
}

// fail fails the test, and ends everything: a game that somebody has left would go on by its clock for an hour.
func (l *loop) fail(format string, args ...any) {
	l.t.Errorf(format, args...)
	l.stop()
}

func (l *loop) ending() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// errKilled says that a kill took a call's answer: nobody knows what became of the call.
var errKilled = errors.New("the server was killed before it answered")

// call calls a tool once the server answers. That an answer fails to come is an error of the server's unless it was killed.
func (l *loop) call(ctx context.Context, tool string, args map[string]any, out any) error {
	kills := l.out.over(ctx)
	err := l.client.Call(ctx, tool, args, out)
	var refusal *client.Refusal
	var status *client.StatusError
	switch {
	case err == nil, errors.As(err, &refusal) && refusal.Code != "internal_error", ctx.Err() != nil:
		return err
	case refusal == nil && !errors.As(err, &status) && l.out.over(ctx) > kills:
		return errKilled
	}
	l.fail("%s without a kill: %v", tool, err)
	return err
}

// table is a table and its players.
type table struct {
	loop    *loop
	code    string
	players []*player

	mu       sync.Mutex
	receipts []string
	attempts map[string]*attempt // by their talk
	over     bool
}

// attempt is a move that was sent.
type attempt struct {
	seat   int
	action string
	args   map[string]any
	n      int64 // the event that its answer named, or one of those below
}

const (
	unanswered = -1
	refused    = -2
)

type player struct {
	*client.Agent
	table *table
}

// host plays one game, on a table whose making no kill came across.
func (l *loop) host(ctx context.Context, rng *rand.Rand, players int) {
	t := &table{loop: l, attempts: map[string]*attempt{}}
	l.mu.Lock()
	l.tables = append(l.tables, t)
	l.mu.Unlock()
	if err := t.gather(ctx, rng, players); err != nil {
		if !errors.Is(err, errKilled) && ctx.Err() == nil {
			l.fail("%v", err)
		}
		return
	}
	var group sync.WaitGroup
	for _, p := range t.players {
		group.Go(func() {
			if err := p.play(ctx); err != nil && ctx.Err() == nil {
				l.fail("table %s, seat %d: %v", t.code, p.Seat, err)
			}
		})
	}
	group.Wait()
	if ctx.Err() == nil {
		t.checkRecord(ctx)
	}
}

// gather makes the table, seats the players and starts.
func (t *table) gather(ctx context.Context, rng *rand.Rand, players int) error {
	var made struct{ Table string }
	settings := map[string]any{"seats": players, "dice": 5, "turn_seconds": 120, "public": false}
	if err := t.loop.call(ctx, "create_table", settings, &made); err != nil {
		return err
	}
	t.mu.Lock()
	t.code = made.Table // before the first receipt, with which others look the table up
	t.mu.Unlock()
	for i := range players {
		p := &player{&client.Agent{Name: fmt.Sprintf("p%d", i), Rand: rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))}, t}
		s, err := p.ask(ctx, "join_table", map[string]any{"table": made.Table, "name": p.Name, "nonce": fmt.Sprint(rng.Uint64())})
		if err != nil {
			return err
		}
		p.Table, p.Token, p.Seat = s.Table, s.Token, s.Seat
		t.mu.Lock()
		t.players = append(t.players, p)
		t.mu.Unlock()
	}
	for {
		_, err := t.players[0].ask(ctx, "start_game", map[string]any{"token": t.players[0].Token})
		var refusal *client.Refusal
		switch {
		case errors.Is(err, errKilled):
			// Either it has started or it has not; if it has, starting again is refused.
		case errors.As(err, &refusal) && refusal.Code == "already_started":
			return nil
		default:
			return err
		}
	}
}

// ask calls a tool and keeps the receipt of its answer.
func (p *player) ask(ctx context.Context, tool string, args map[string]any) (client.State, error) {
	var s client.State
	if err := p.table.loop.call(ctx, tool, args, &s); err != nil {
		return s, err
	}
	if s.Receipt != "" {
		p.table.mu.Lock()
		p.table.receipts = append(p.table.receipts, s.Receipt)
		p.table.mu.Unlock()
	}
	return s, nil
}

// play plays a seat until the game is over.
func (p *player) play(ctx context.Context) error {
	for ctx.Err() == nil {
		kills := p.table.loop.out.over(ctx)
		s, err := p.ask(ctx, "get_state", map[string]any{"token": p.Token, "wait_seconds": 20})
		var refusal *client.Refusal
		switch {
		case errors.Is(err, errKilled):
			continue
		case errors.As(err, &refusal) && refusal.Code == "unknown_token":
			// A game that ended before a kill is over afterwards, and its seats are let go.
			if s, err = p.ask(ctx, "get_state", map[string]any{"table": p.Table}); errors.Is(err, errKilled) {
				continue
			}
			if err == nil && s.Status != "over" {
				return errors.New("the seat is lost")
			}
		}
		if err != nil || s.Status == "over" {
			return err
		}
		if s.YourTurn {
			if err := p.move(ctx, s, kills); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// move makes a move for a state that it was asked for after so many kills. It is noted before it is sent.
func (p *player) move(ctx context.Context, s client.State, kills int) error {
	tool, args, err := p.Choose(s)
	if err != nil {
		return err
	}
	say := fmt.Sprintf("move %d", p.table.loop.words.Add(1))
	a := &attempt{seat: p.Seat, action: tool, args: args, n: unanswered}
	p.table.mu.Lock()
	p.table.attempts[say] = a
	p.table.mu.Unlock()
	sent := map[string]any{"token": p.Token, "say": say, "on": s.N}
	for name, v := range args {
		sent[name] = v
	}
	_, err = p.ask(ctx, tool, sent)
	var refusal *client.Refusal
	switch {
	case errors.Is(err, errKilled):
		p.table.loop.unanswered.Add(1)
		return nil
	case errors.As(err, &refusal) && refusal.Code == "moved_on" && p.table.loop.out.over(ctx) > kills:
		a.n = refused // the server has noted that the game was resumed since the player saw it
		return nil
	case err != nil:
		return fmt.Errorf("move at event %d: %w", s.N, err)
	}
	a.n = s.N + 1
	p.table.loop.moves.Add(1)
	return nil
}
