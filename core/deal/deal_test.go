package deal_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"dudo.example/core/deal"
)

const (
	seedHex = "a25ca73c7189e2a2ca5acf2088b57e283d4cd45aef7549185c2c3b28a4bef1de" // SHA-256 of "seed 1"
	gid     = "ZCLP-0A1B2C3D"
)

var nonces = []deal.Nonce{{Seat: 0, Words: "purple otter 41"}, {Seat: 1, Words: "kettle"}}

func seed(t testing.TB) deal.Seed {
	t.Helper()
	s, err := deal.ParseSeed(seedHex)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The vectors are part of the dudo/1 format: another implementation must agree on every one.
func TestVectors(t *testing.T) {
	s := seed(t)
	d := deal.NewDealer(s, gid, nonces)
	nobody := deal.NewDealer(s, gid, nil)
	tests := []struct{ name, got, want string }{
		{"commit", s.Commit(), "a4f0bb08fa823d8ee13d3386b1bd54fb7ce6c77e58f3508b656f335ad73d5760"},
		{"e(0)", deal.Entropy("purple otter 41"), "b3d5647fbaa087ff41fa35aceb525fd5825c4adb94cb11863ae66d1fe112878f"},
		{"e(1)", deal.Entropy("kettle"), "4ea362c8c8d0b8c4811f63476a131646f4ac926c322ee24d4fa14f0196258a21"},
		{"mix(0)", d.Mix(0), "49740bf631b289a0f35080c7df18ee3992485c0a5dcaef4f41c2398da301d0ed"},
		{"mix(1)", d.Mix(1), "dc7d80330db4c920602ea02094cedd230362ffaedc9ef9623cc283775e84bef0"},
		{"mix(2)", d.Mix(2), "dc7d80330db4c920602ea02094cedd230362ffaedc9ef9623cc283775e84bef0"},
		{"mix(t)", d.Mix(deal.Table), "dc7d80330db4c920602ea02094cedd230362ffaedc9ef9623cc283775e84bef0"},
		{"mix of nobody", nobody.Mix(0), "fced6a1732c4aa50b7c2af09683fbc5b0008e2de1a2519a81cbd236710e50fd8"},
		{"key(1,0)", d.Key(1, 0).Hex(), "09b0937a4a5412e7d03326544acf5006db7ce962c9d6d6298a9fc205b4ea8a6a"},
		{"hc(1,0)", d.Key(1, 0).Commit(gid, 1, 0), "7160a0cd0f420b95fa71e465288213b97a5123feef4acdddaaacf2c563ecb8d6"},
		{"key(1,t)", d.Key(1, deal.Table).Hex(), "86523ba3b4acccc151a501cedcd04fa1a7db8137182524117a4bcdda707d481c"},
		{"F=6", draws(d.Key(1, 0), 6, 10), "5 1 1 0 2 3 3 2 3 3"},
		{"F=8", draws(d.Key(1, 0), 8, 8), "3 5 7 2 6 7 3 6"},
		{"F=2", draws(d.Key(1, 0), 2, 12), "1 1 1 0 0 1 1 0 1 1 0 1"},
		{"F=52", draws(d.Key(1, 0), 52, 8), "31 29 23 34 38 3 19 38"},
		{"F=100", draws(d.Key(1, 0), 100, 8), "83 33 27 38 38 59 23 38"},
		{"t, F=3", draws(d.Key(1, deal.Table), 3, 6), "2 0 1 2 2 2"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s = %s, want %s", tt.name, tt.got, tt.want)
		}
	}
}

func draws(k deal.Key, outcomes, n int) string {
	s := k.Stream()
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint(s.Draw(outcomes))
	}
	return strings.Join(out, " ")
}

func TestFairBoundary(t *testing.T) {
	tests := []struct {
		b        byte
		outcomes int
		draw     int
		ok       bool
	}{
		{0, 6, 0, true},
		{5, 6, 5, true},
		{251, 6, 5, true},
		{252, 6, 0, false},
		{255, 6, 0, false},
		{255, 2, 1, true},
		{255, 256, 255, true},
		{254, 255, 254, true},
		{255, 255, 0, false},
		{199, 100, 99, true},
		{200, 100, 0, false},
	}
	for _, tt := range tests {
		if draw, ok := deal.Fair(tt.b, tt.outcomes); draw != tt.draw || ok != tt.ok {
			t.Errorf("Fair(%d, %d) = %d, %t, want %d, %t", tt.b, tt.outcomes, draw, ok, tt.draw, tt.ok)
		}
	}
}

// A byte taken modulo six without rejection is off by 0.4 %: ten million draws see it, sixty thousand do not.
func TestUniform(t *testing.T) {
	const (
		n        = 10_000_000
		outcomes = 6
		critical = 15.086 // chi-square, 5 degrees of freedom, 99 %
	)
	d := deal.NewDealer(seed(t), gid, nonces)
	var counts, biased [outcomes]int
	s := d.Key(1, 0).Stream()
	for range n {
		counts[s.Draw(outcomes)]++
	}
	if x := chiSquare(counts[:], n); x > critical {
		t.Errorf("chi-square of %v = %.2f, want at most %.2f", counts, x, critical)
	}
	for b := range 256 {
		biased[b%outcomes] += n / 256
	}
	if x := chiSquare(biased[:], n); x < critical {
		t.Errorf("chi-square of a biased die = %.2f: the test cannot see the bias", x)
	}
}

func chiSquare(counts []int, n int) float64 {
	want := float64(n) / float64(len(counts))
	sum := 0.0
	for _, c := range counts {
		d := float64(c) - want
		sum += d * d / want
	}
	return sum
}

func TestParseSeed(t *testing.T) {
	for _, bad := range []string{"", "00", strings.ToUpper(seedHex), seedHex + "0", seedHex[:63] + "g"} {
		if _, err := deal.ParseSeed(bad); err == nil {
			t.Errorf("ParseSeed(%q) succeeded", bad)
		}
	}
}

func TestSecretsDoNotPrint(t *testing.T) {
	s := seed(t)
	k := deal.NewDealer(s, gid, nonces).Key(1, 0)
	var out strings.Builder
	log := slog.New(slog.NewTextHandler(&out, nil))
	log.Info("all", "seed", s, "key", k, "in", struct {
		S deal.Seed
		K deal.Key
	}{s, k})
	slog.New(slog.NewJSONHandler(&out, nil)).Info("all", "seed", s, "key", k, "ptr", &s)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
		fmt.Fprintf(&out, verb+verb+verb+"\n", s, k, struct{ S deal.Seed }{s})
	}
	if err := json.NewEncoder(&out).Encode(map[string]any{"s": s, "k": k}); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{s.Hex(), k.Hex(), "162 92 167", "9 176 147"} {
		if strings.Contains(strings.ToLower(out.String()), secret) {
			t.Errorf("a secret was printed:\n%s", out.String())
		}
	}
}

func BenchmarkHand(b *testing.B) {
	d := deal.NewDealer(seed(b), gid, nonces)
	for b.Loop() {
		s := d.Key(1, 0).Stream()
		for range 5 {
			s.Draw(6)
		}
	}
}
