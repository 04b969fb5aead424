package tables

import (
	"net/netip"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"dudo.example/core/machine"
)

const (
	quickMatchAge = 2 * time.Minute // a public table untouched for longer is not joined by quick match
	keepFinished  = 5 * time.Minute // a finished table is kept in memory for so long
	mostFinished  = 500             // and so many at the most
	recentTables  = 20              // finished public tables that the list shows
	mostLoaded    = 16              // rule files of logs that are kept for the next table that they are of
	knownAddrs    = 10000           // addresses whose new tables are counted; the least recent is forgotten
)

// The seconds that a turn can have.
const (
	MinTurn     = 20
	MaxTurn     = 120 // unless Limits says otherwise
	DefaultTurn = 60
)

func (l Limits) withDefaults() Limits {
	def := func(v *int, d int) {
		if *v == 0 {
			*v = d
		}
	}
	def(&l.Tables, 200)
	def(&l.TableWaiters, 16)
	def(&l.AddrWaiters, 8)
	def(&l.Waiters, 4000)
	def(&l.TurnSeconds, MaxTurn)
	def(&l.NewPerAddr, 10)
	if l.Unstarted == 0 {
		l.Unstarted = 30 * time.Minute
	}
	if l.Finished == 0 {
		l.Finished = 7 * 24 * time.Hour
	}
	return l
}

// waiters counts long-polls. Those of seats have places of their own, which no crowd of spectators can take.
type waiters struct {
	limits Limits
	mu     sync.Mutex
	all    int
	watch  int // of all, those of spectators
	addrs  map[netip.Addr]int
	places map[place]int
}

// place is a seat of a table, or with machine.None its spectators.
type place struct {
	table string
	seat  int
}

// seatWaiters is how many calls of a seat can wait: one, and some that its client has given up without saying so.
const seatWaiters = 4

func newWaiters(l Limits) *waiters {
	return &waiters{limits: l, addrs: map[netip.Addr]int{}, places: map[place]int{}}
}

// enter takes a place to wait, or refuses. leave gives it back.
func (w *waiters) enter(addr netip.Addr, at place) (leave func(), err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	watching, most := 0, seatWaiters
	if at.seat == machine.None {
		watching, most = 1, w.limits.TableWaiters
	}
	if w.all >= w.limits.Waiters || w.watch+watching > w.limits.Waiters/2 || w.addrs[addr] >= w.limits.AddrWaiters || w.places[at] >= most {
		return nil, &Refusal{Code: CodeTooManyWaiters, Sentence: "Too many calls are waiting already; ask again without wait_seconds, or wait in one call at a time."}
	}
	w.all++
	w.watch += watching
	w.addrs[addr]++
	w.places[at]++
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.all--
		w.watch -= watching
		drop(w.addrs, addr)
		drop(w.places, at)
	}, nil
}

func (w *waiters) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all
}

func drop[K comparable](m map[K]int, k K) {
	if m[k]--; m[k] <= 0 {
		delete(m, k)
	}
}

// creations limits the new tables of an address.
type creations struct {
	limit rate.Limit
	burst int
	mu    sync.Mutex
	addrs *lru.Cache[netip.Addr, *rate.Limiter]
}

func newCreations(perTenMinutes int) *creations {
	addrs, err := lru.New[netip.Addr, *rate.Limiter](knownAddrs)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return &creations{limit: rate.Limit(float64(perTenMinutes) / 600), burst: perTenMinutes, addrs: addrs}
}

func (c *creations) allow(addr netip.Addr) bool {
	c.mu.Lock()
	l, ok := c.addrs.Get(addr)
	if !ok {
		l = rate.NewLimiter(c.limit, c.burst)
		c.addrs.Add(addr, l)
	}
	c.mu.Unlock()
	return l.Allow()
}
