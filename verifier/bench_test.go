package verifier_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"dudo.example/core/deal"
	"dudo.example/core/record"
	"dudo.example/verifier"
)

// benchGames are games of the standard rules as they are played: 2 to 5 seats, 3 to 5 dice, nonces, talk.
func benchGames(b *testing.B) [][]byte {
	b.Helper()
	var games [][]byte
	for i := range 16 {
		games = append(games, sign(playGame(b, setting{
			seed: fmt.Sprint("bench ", i), seats: 2 + i%4, options: map[string]int{"dice": 3 + i%3}, nonces: []string{"a", "b"}, talk: i%2 == 0,
		})))
	}
	return games
}

// BenchmarkVerify verifies games, the rules compiled before.
func BenchmarkVerify(b *testing.B) {
	games := benchGames(b)
	v := newVerifier(b, verifier.Options{Key: public()})
	i := 0
	for b.Loop() {
		if r, err := v.Verify(bytes.NewReader(games[i%len(games)])); err != nil || !r.Verified() {
			b.Fatal(err, r)
		}
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// BenchmarkRatio measures, in one run, verification against a loop that does nothing but the hashes and the signature check
// that it cannot do without. The two take turns, 16 games each, and the figures are medians of the turns, so that whatever
// else the machine is doing falls out. Reported as ratio: the share of the time of verification that the baseline takes.
func BenchmarkRatio(b *testing.B) {
	games := benchGames(b)
	v := newVerifier(b, verifier.Options{Key: public()})
	var work []hashWork
	for _, g := range games {
		work = append(work, newHashWork(b, g))
	}
	var whole, hashes, ratio []float64 // seconds a game
	for b.Loop() {
		start := time.Now()
		for _, g := range games {
			if r, err := v.Verify(bytes.NewReader(g)); err != nil || !r.Verified() {
				b.Fatal(err, r)
			}
		}
		middle := time.Now()
		for i := range work {
			if !work[i].run() {
				b.Fatal("the signature of the baseline is false")
			}
		}
		x, y := middle.Sub(start).Seconds()/float64(len(games)), time.Since(middle).Seconds()/float64(len(games))
		whole, hashes, ratio = append(whole, x), append(hashes, y), append(ratio, y/x)
	}
	b.ReportMetric(1/median(whole), "games/s")
	b.ReportMetric(1/median(hashes), "baseline/s")
	b.ReportMetric(median(ratio), "ratio")
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

// hashWork is the hashing that a record needs, its preimages ready: the rules' digest, the chain, and for every hand a key, a
// commitment and blocks of draws; and one signature.
type hashWork struct {
	rules     []byte
	lines     []record.Line
	seed      []byte
	keys      [][]byte // preimages
	plain     [][]byte // preimages of mixes, nonces, commitments and draws
	signature []byte
	signed    []byte
}

func newHashWork(b *testing.B, text []byte) hashWork {
	b.Helper()
	f, err := record.ReadFile(bytes.NewReader(text))
	if err != nil {
		b.Fatal(err)
	}
	w := hashWork{lines: f.Lines}
	var nonces []deal.Nonce
	var seed deal.Seed
	var deals []record.Deal
	for _, l := range f.Lines {
		e, err := record.Parse(l)
		if err != nil {
			b.Fatal(err)
		}
		switch x := e.Body.(type) {
		case record.Open:
			w.rules = []byte(x.Rules.Text)
		case record.Nonce:
			nonces = append(nonces, deal.Nonce{Seat: x.Seat, Words: x.Nonce})
			w.plain = append(w.plain, []byte("dudo/1/nonce:"+x.Nonce), make([]byte, 11+len(gid)+66*len(nonces)))
		case record.Deal:
			deals = append(deals, x)
		case record.End:
			if seed, err = deal.ParseSeed(x.Seed); err != nil {
				b.Fatal(err)
			}
		}
	}
	w.seed = seed[:]
	w.plain = append(w.plain, w.seed, make([]byte, 11+len(gid)+66*len(nonces)))
	dealer := deal.NewDealer(seed, gid, nonces)
	for _, d := range deals {
		for _, c := range d.Counts {
			id := strconv.Itoa(d.Deal) + ":" + strconv.Itoa(c.Owner) + ":"
			key := dealer.Key(d.Deal, c.Owner).Hex()
			w.keys = append(w.keys, []byte("dudo/1/key:"+gid+":"+id+dealer.Mix(c.Owner)))
			w.plain = append(w.plain, []byte("dudo/1/hand:"+gid+":"+id+key), []byte("dudo/1/draw:"+key+":0"))
		}
	}
	r, err := record.ParseReceipt(f.Receipt)
	if err != nil {
		b.Fatal(err)
	}
	w.signed = []byte("dudo/1/head:" + origin + ":" + gid + ":" + strconv.FormatInt(r.N, 10) + ":" + string(r.Head))
	w.signature = ed25519.Sign(serverKey, w.signed)
	return w
}

// run does the work. Like any program that does, it writes each head as hex for the next line of the chain.
func (w *hashWork) run() bool {
	sha256.Sum256(w.rules)
	head := []byte(record.NoHead)
	buf := make([]byte, 0, 16<<10)
	for _, l := range w.lines {
		buf = append(buf[:0], "dudo/1/event:"...)
		buf = append(buf, head...)
		buf = append(buf, ':')
		buf = append(buf, l...)
		sum := sha256.Sum256(buf)
		hex.Encode(head, sum[:])
	}
	for _, k := range w.keys {
		h := hmac.New(sha256.New, w.seed)
		h.Write(k)
		h.Sum(buf[:0])
	}
	for _, p := range w.plain {
		sha256.Sum256(p)
	}
	return ed25519.Verify(public(), w.signed, w.signature)
}
