package killloop_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"dudo.example/mcpserver/client"
	"dudo.example/mcpserver/internal/servertest"
)

var (
	kills = flag.Int("killloop", 15, "how many times the server is killed")
	seed  = flag.Uint64("killloop.seed", 0, "seed of the moments and the moves; 0 for one of its own")
)

// layout is how many players sit at each of the tables: eight in all.
var layout = []int{2, 3, 3}

func TestKillLoop(t *testing.T) {
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("%d kills, seed %d", *kills, *seed)
	program := servertest.Build(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute+time.Duration(*kills)*10*time.Second)
	defer cancel()
	l := &loop{t: t, stop: cancel, out: newOutage(), done: make(chan struct{})}
	addr := servertest.FreeAddress(t)
	l.client = client.New("http://"+addr, 16)
	defer l.client.Close()

	var hosts sync.WaitGroup
	for i, players := range layout {
		rng := rand.New(rand.NewPCG(*seed, uint64(i)))
		hosts.Go(func() {
			for !l.ending() && ctx.Err() == nil {
				l.host(ctx, rng, players)
			}
		})
	}
	data := filepath.Join(t.TempDir(), "data")
	start := func() *servertest.Server { return servertest.Start(t, program, addr, data) }
	server := l.killAll(ctx, start, rand.New(rand.NewPCG(*seed, 1000)))
	close(l.done)
	hosts.Wait()
	if err := ctx.Err(); err != nil {
		t.Fatalf("not done: %v\n%s", err, server.Log())
	}
	l.checkSeats(ctx)
	if _, err := server.Stop(); err != nil {
		t.Error(err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		left := servertest.Running(t, program)
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Errorf("processes were left behind: %v", left)
			break
		}
	}
	l.report()
}

// killAll kills servers at random moments: half of the time soon after it answers, and now and then before it does, while it
// recovers. It gives the last server, which answers and is not killed.
func (l *loop) killAll(ctx context.Context, start func() *servertest.Server, rng *rand.Rand) *servertest.Server {
	startup := 200 * time.Millisecond // how long the last one took
	for n := 0; ; n++ {
		began := time.Now()
		s := start()
		if n < *kills && rng.IntN(5) == 0 {
			wait(ctx, time.Duration(rng.Int64N(int64(startup))))
			s.Kill()
			l.early++
			continue
		}
		if err := s.Ready(ctx); err != nil {
			l.fail("start %d: %v", n, err)
			return s
		}
		startup = time.Since(began)
		l.out.end()
		l.checkReceipts(ctx)
		if n >= *kills || ctx.Err() != nil {
			return s
		}
		wait(ctx, time.Duration(rng.Int64N(int64(mostUp))))
		l.out.begin()
		s.Kill()
	}
}

// mostUp is how long a server may live, once it answers.
const mostUp = 500 * time.Millisecond

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// outage lets the players wait for the server while it is down.
type outage struct {
	mu    sync.Mutex
	count int           // of kills begun
	up    chan struct{} // closed when the server answers again; nil while it does
}

func newOutage() *outage { return &outage{up: make(chan struct{})} }

// begin is called before a server is killed.
func (o *outage) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.count++
	o.up = make(chan struct{})
}

// end is called when a server answers.
func (o *outage) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.up)
	o.up = nil
}

// over waits until a server answers. It gives the number of kills so far.
func (o *outage) over(ctx context.Context) (kills int) {
	for {
		o.mu.Lock()
		kills, up := o.count, o.up
		o.mu.Unlock()
		if up == nil {
			return kills
		}
		select {
		case <-up:
		case <-ctx.Done():
			return kills
		}
	}
}
