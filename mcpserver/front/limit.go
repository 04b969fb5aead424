package front

import (
	"math"
	"net/netip"
	"strconv"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// remembered is how many clients the limiter knows at once, a few MB. Beyond it
// the longest unseen is forgotten, which gives that client a fresh start.
const remembered = 16384

// A limiter counts requests by client (see [Block]) with one token bucket each.
type limiter struct {
	perMinute int // negative: no limit
	now       func() time.Time
	buckets   *lru.Cache[netip.Prefix, *rate.Limiter]
}

func newLimiter(perMinute int, now func() time.Time) *limiter {
	buckets, err := lru.New[netip.Prefix, *rate.Limiter](remembered)
	if err != nil {
		panic("front: " + err.Error()) // the size is a positive constant
	}
	return &limiter{perMinute: perMinute, now: now, buckets: buckets}
}

// take counts n requests of a client. If they are too many, none is counted and
// take returns how long to wait until they are not.
func (l *limiter) take(addr netip.Addr, n int) (wait time.Duration, ok bool) {
	if l.perMinute < 0 || n <= 0 {
		return 0, true
	}
	key := Block(addr)
	bucket, found := l.buckets.Get(key)
	if !found {
		bucket = rate.NewLimiter(rate.Limit(float64(l.perMinute)/60), l.perMinute)
		if earlier, raced, _ := l.buckets.PeekOrAdd(key, bucket); raced {
			bucket = earlier
		}
	}
	now := l.now()
	r := bucket.ReserveN(now, n)
	if !r.OK() { // more than a whole minute's worth
		return time.Minute, false
	}
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
		return wait, false
	}
	return 0, true
}

// rejectLimited refuses a request for wait.
func rejectLimited(wait time.Duration) (rej *rejection, retryAfter string) {
	seconds := strconv.Itoa(int(math.Ceil(wait.Seconds())))
	return &rejection{status: 429, code: codeLimited, text: "Too many requests: wait " + seconds + " s and send it again."}, seconds
}
