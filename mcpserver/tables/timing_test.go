package tables_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"dudo.example/mcpserver/tables"
)

// BenchmarkTiming asks whether anybody can tell hidden hands from how long the server takes. It times the same calls at tables
// where the hands that the caller cannot see are opposite, all ones and all sixes, in an order left to chance, and reports Welch's
// t of each kind of call. An |t| below 4.5 tells nothing (the threshold of the dudect method: Reparaz, Balasch and Verbauwhede,
// "Dude, is my code constant time?", DATE 2017, whose cropping of the slowest calls is used too).
func BenchmarkTiming(b *testing.B) {
	const looks, wakes = 100_000, 4_000
	for b.Loop() {
		r := open(b, tables.Limits{Tables: 1 << 20, NewPerAddr: 1 << 30})
		ones, sixes := r.opposite()
		both := [2]*dealtTable{ones, sixes}
		for name, look := range map[string]func(*dealtTable) tables.Look{
			"player":    func(t *dealtTable) tables.Look { return look(t.tokens[2]) },
			"spectator": func(t *dealtTable) tables.Look { return tables.Look{Table: t.code, Since: -1} },
		} {
			var took [2][]float64
			for range looks {
				k := rand.IntN(2)
				l := look(both[k])
				began := time.Now()
				_, err := r.State(context.Background(), home, l)
				took[k] = append(took[k], float64(time.Since(began)))
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(welch(took), "t-"+name)
		}
		var answered, woken [2][]float64
		for len(woken[0])+len(woken[1]) < wakes {
			ones, sixes := r.opposite()
			both := [2]*dealtTable{ones, sixes}
			for both[0].moves+both[1].moves < 2*17 { // all but the highest bids of a round
				k := rand.IntN(2)
				if both[k].moves == 17 {
					k = 1 - k
				}
				answer, wake := r.bidAndWake(both[k])
				answered[k], woken[k] = append(answered[k], answer), append(woken[k], wake)
			}
		}
		b.ReportMetric(welch(answered), "t-move")
		b.ReportMetric(welch(woken), "t-wake")
	}
	b.ReportMetric(0, "ns/op")
}

// dealtTable is a table for three with a die each, of which the first two show the same face.
type dealtTable struct {
	code   string
	tokens []string
	moves  int
}

// opposite makes tables until two have opposite hands.
func (r *room) opposite() (ones, sixes *dealtTable) {
	for ones == nil || sixes == nil {
		t := &dealtTable{}
		t.code, t.tokens = r.sit(tables.Settings{Options: map[string]int{"dice": 1}}, "ann", "bob", "cid")
		face := 0
		for _, token := range t.tokens[:2] {
			face = 10*face + r.ok(r.State(context.Background(), home, look(token))).You.Dice[0]
		}
		switch {
		case face == 11 && ones == nil:
			ones = t
		case face == 66 && sixes == nil:
			sixes = t
		}
	}
	return ones, sixes
}

// bidAndWake makes the next of the lowest bids, and tells in nanoseconds how long the answer took and how long it was until a
// spectator who waits was answered.
func (r *room) bidAndWake(t *dealtTable) (answered, woken float64) {
	ctx := context.Background()
	n := r.ok(r.State(ctx, home, tables.Look{Table: t.code, Since: -1})).N
	done := make(chan time.Time)
	go func() {
		_, err := r.State(ctx, home, tables.Look{Table: t.code, Since: n, Wait: 10 * time.Second})
		if err != nil {
			r.t.Error(err)
		}
		done <- time.Now()
	}()
	time.Sleep(200 * time.Microsecond) // so that it waits
	began := time.Now()
	_, err := r.Act(ctx, t.tokens[t.moves%3], -1, bid(1+t.moves/6, 1+t.moves%6))
	answered = float64(time.Since(began))
	if err != nil {
		r.t.Fatal(err)
	}
	t.moves++
	return answered, float64((<-done).Sub(began))
}

// welch is Welch's t of two samples, without the slowest tenth of all calls.
func welch(took [2][]float64) float64 {
	all := slices.Sorted(slices.Values(slices.Concat(took[0], took[1])))
	most := all[len(all)*9/10]
	var mean, variance, n [2]float64
	for k, list := range took {
		for _, x := range list {
			if x > most {
				continue
			}
			n[k]++
			d := x - mean[k]
			mean[k] += d / n[k]
			variance[k] += d * (x - mean[k])
		}
		variance[k] /= n[k] - 1
	}
	return (mean[0] - mean[1]) / math.Sqrt(variance[0]/n[0]+variance[1]/n[1])
}
