package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"dudo.example/mcpserver/client"
)

// Options say what is played.
type Options struct {
	URL      string        // of the server, such as http://127.0.0.1:8787
	Tables   int           // games at once
	Duration time.Duration // how long new games are begun
	Seats    int           // players of a table; 2, 3 and 4 in turn if zero
	Bots     int           // house bots besides them
	Dice     int           // of a player; the rules' default if zero
	Think    time.Duration // mean time between a player's turn and its move
	Games    int           // end after so many games; no limit if zero
	Metrics  string        // address of the server's metrics, such as http://127.0.0.1:8788/metrics; not sampled if empty
	// Progress, if set, is told how it goes, a few times a second at most.
	Progress func(Progress)
}

// finishTime is how long the games in progress have to end, once the time is up.
const finishTime = 2 * time.Minute

// run is one run of the load.
type run struct {
	Options
	client   *client.Client
	meter    *meter
	verified *verification
	began    time.Time
	games    atomic.Int64 // begun
	broken   atomic.Int64 // begun and not finished
}

// Run plays. The error says that the server could not be reached or that ctx has ended; what went wrong while playing is in the
// report, and [Report.Err] tells of it.
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Tables < 1 || o.Duration <= 0 {
		return nil, errors.New("a load needs a table and some time")
	}
	r := &run{Options: o, client: client.New(o.URL, o.Tables*6+4), meter: newMeter(), began: time.Now()}
	defer r.client.Close()
	if err := r.client.Health(ctx); err != nil {
		return nil, fmt.Errorf("%w; is a server running at %s?", err, o.URL)
	}
	var err error
	if r.verified, err = newVerification(r.client); err != nil {
		return nil, err
	}
	watch, err := r.startWatch(ctx)
	if err != nil {
		return nil, err
	}
	r.playAll(ctx)
	samples := watch.end()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.verified.all(ctx, func() { r.progress("verifying") })
	return r.report(samples), ctx.Err()
}

// playAll keeps the tables busy until the time is up and the last game is over.
func (r *run) playAll(ctx context.Context) {
	ctx, cancel := context.WithDeadline(ctx, r.began.Add(r.Duration+finishTime))
	defer cancel()
	var tables sync.WaitGroup
	for i := range r.Tables {
		tables.Go(func() {
			for failed := 0; r.timeLeft() && ctx.Err() == nil && failed < 3 && r.claim(); {
				if err := r.game(ctx, i); err != nil {
					r.meter.fail(fmt.Errorf("table %d: %w", i, err))
					r.broken.Add(1)
					failed++
				}
			}
		})
	}
	tables.Wait()
}

// claim begins a game if there is one left to be played.
func (r *run) claim() bool {
	if n := r.games.Add(1); r.Games > 0 && n > int64(r.Games) {
		r.games.Add(-1)
		return false
	}
	return true
}

// timeLeft says whether new games are begun.
func (r *run) timeLeft() bool { return time.Since(r.began) < r.Duration }

// think is how long a player takes for a move: around the mean, and nothing once the time is up.
func (r *run) think(ctx context.Context, rng *rand.Rand) {
	if r.Think <= 0 || !r.timeLeft() {
		return
	}
	select {
	case <-time.After(r.Think/2 + time.Duration(rng.Int64N(int64(r.Think)+1))):
	case <-ctx.Done():
	}
}
