package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"dudo.example/mcpserver/client"
)

// game is one game and its players.
type game struct {
	run    *run
	agents []*client.Agent

	mu      sync.Mutex
	moved   int64     // the event of the last answered move
	movedAt time.Time // and when its answer arrived
	woken   int64     // the event that a waiter was told of before the move's own answer arrived
}

// longPoll is how long a player waits in one call, in seconds.
const longPoll = 20

// game plays one game to its end and hands it over to be verified.
func (r *run) game(ctx context.Context, i int) error {
	g := &game{run: r}
	settings := map[string]any{"public": false, "seats": r.seats(i) + r.Bots}
	if r.Dice > 0 {
		settings["dice"] = r.Dice
	}
	var made struct{ Table string }
	if err := r.patiently(ctx, func() error { return r.call(ctx, "create_table", settings, &made) }); err != nil {
		return err
	}
	for seat := range r.seats(i) {
		a := &client.Agent{
			Client: r.client, Name: fmt.Sprintf("load-%d-%d", i, seat), Observe: r.meter.observe,
			Rand: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
		}
		if err := a.Join(ctx, made.Table); err != nil {
			return err
		}
		g.agents = append(g.agents, a)
	}
	bots := r.Bots
	if bots == 0 {
		bots = -1 // the server adds none to several players
	}
	if err := g.agents[0].Start(ctx, bots); err != nil {
		return err
	}
	if err := g.play(ctx); err != nil {
		return err
	}
	kept := played{table: made.Table}
	for _, a := range g.agents {
		kept.receipts = append(kept.receipts, a.Receipts...)
	}
	r.verified.add(ctx, kept)
	return nil
}

func (r *run) seats(i int) int {
	if r.Seats > 0 {
		return r.Seats
	}
	return 2 + i%3
}

// call is a call without a seat.
func (r *run) call(ctx context.Context, tool string, args map[string]any, out any) error {
	began := time.Now()
	err := r.client.Call(ctx, tool, args, out)
	r.meter.observe(tool, time.Since(began), err)
	return err
}

// patiently repeats what the server's limits of an address refuse, for a minute.
func (r *run) patiently(ctx context.Context, call func() error) error {
	for tries := 0; ; tries++ {
		err := call()
		var rate *client.RateError
		var refusal *client.Refusal
		wait := time.Second
		switch {
		case tries >= 60:
			return err
		case errors.As(err, &rate):
			wait = rate.After
		case errors.As(err, &refusal) && (refusal.Code == "too_many_new_tables" || refusal.Code == "too_many_tables"):
		default:
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return err
		}
	}
}

// play lets every player play until the game is over. The first error ends it for all.
func (g *game) play(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var players sync.WaitGroup
	for _, a := range g.agents {
		players.Go(func() {
			if err := g.follow(ctx, a); err != nil {
				stop(fmt.Errorf("seat %d: %w", a.Seat, err))
			}
		})
	}
	players.Wait()
	return context.Cause(ctx)
}

// follow plays one seat.
func (g *game) follow(ctx context.Context, a *client.Agent) error {
	s, err := a.Look(ctx, 0)
	for {
		wait := longPoll
		var refusal *client.Refusal
		switch {
		case errors.As(err, &refusal) && refusal.Code == "too_many_waiters":
			wait = 0
			select {
			case <-time.After(pollInstead):
			case <-ctx.Done():
			}
		case errors.As(err, &refusal) && refusal.Code != "unknown_token":
			wait = 0 // the game has moved on since
		case err != nil:
			return err
		case s.Status == "over":
			return nil
		case s.YourTurn:
			g.run.think(ctx, a.Rand)
			if s, err = a.Move(ctx, s); err == nil {
				g.answered(s.N, time.Now())
			}
			continue
		}
		asked := time.Now()
		if s, err = a.Await(ctx, wait); err == nil && s.YourTurn && wait > 0 {
			g.woke(s.N, asked, time.Now())
		}
	}
}

// pollInstead is how long a player waits that may not wait in a call.
const pollInstead = 100 * time.Millisecond

// answered notes that a move that was event n has been answered.
func (g *game) answered(n int64, at time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.moved, g.movedAt = n, at
	if g.woken == n {
		g.run.meter.wake(0)
	}
}

// woke notes that a player who asked at one time was told at another that it is their turn by event n.
func (g *game) woke(n int64, asked, told time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.moved < n:
		g.woken = n
	case g.moved == n && asked.Before(g.movedAt):
		g.run.meter.wake(told.Sub(g.movedAt))
	}
}
