package croupier_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"dudo.example/plugins/bot"
	"dudo.example/plugins/bots/croupier"
	"dudo.example/plugins/host"
)

// The test binary is also croupier's.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "bot" && os.Args[2] == croupier.Name {
		croupier.Serve()
		return
	}
	goleak.VerifyTestMain(m)
}

// Croupier plays games with itself in a process of its own.
func TestThroughHost(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h, err := host.New(host.Options{
		House:   []host.House{{Name: croupier.Name, Path: self, Args: []string{"bot", croupier.Name}}},
		TempDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for seed := range uint64(5) {
		g := newGame(seed, 3, 3)
		seats := make([]*host.Seat, len(g.hands))
		for i := range seats {
			seats[i], err = h.Open(t.Context(), croupier.Name, host.SeatInfo{
				GID: "TEST-0", Game: "liars-dice/standard", Seats: len(seats), Seat: i, Name: croupier.Name,
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for {
			if _, over := g.over(); over {
				break
			}
			m, err := seats[g.turn].Decide(t.Context(), g.view(t))
			if err != nil {
				t.Fatal(err)
			}
			g.act(t, bot.Move(m))
		}
		for _, s := range seats {
			s.Close()
		}
	}
}

// random is a player that takes any legal move, each as likely as any other.
func random(rng *rand.Rand) func(bot.View) bot.Move {
	return func(v bot.View) bot.Move {
		moves := v.Legal()
		return moves[rng.IntN(len(moves))]
	}
}

// share is how many of n games croupier wins against rival; the games begin with
// dice dice each and either may begin.
func share(t *testing.T, n uint64, dice int, rival func(bot.View) bot.Move) float64 {
	wins := 0
	for seed := range n {
		g := newGame(seed, 2, dice)
		for {
			if winner, over := g.over(); over {
				if winner == 0 {
					wins++
				}
				break
			}
			v, err := bot.ParseView(g.view(t))
			if err != nil {
				t.Fatal(err)
			}
			if g.turn == 0 {
				g.act(t, croupier.Decide(v))
			} else {
				g.act(t, rival(v))
			}
		}
	}
	return float64(wins) / float64(n)
}

// honest is a player that does what is likeliest to be true: the odds without
// croupier's judgement of what others think.
func honest(v bot.View) bot.Move {
	unknown := v.Dice() - len(v.You.Dice)
	truth := func(quantity, face int64) float64 {
		need, sum := int(quantity)-v.Count(face), 0.0
		for k := max(0, need); k <= unknown; k++ {
			ways := new(big.Int).Binomial(int64(unknown), int64(k)).Int64()
			sum += float64(ways) * math.Pow(1.0/6, float64(k)) * math.Pow(5.0/6, float64(unknown-k))
		}
		return sum
	}
	var best bot.Move
	top := -1.0
	for _, m := range v.Legal() {
		p := truth(m.Args["quantity"], m.Args["face"])
		if m.Action == "challenge" {
			p = 1 - truth(v.Standing.Quantity, v.Standing.Face)
		}
		if p > top {
			best, top = m, p
		}
	}
	return best
}

func TestStrength(t *testing.T) {
	tests := []struct {
		rival string
		dice  int
		want  float64 // at least, by a margin below what was measured
	}{
		{"random", 1, 0.85},
		{"random", 3, 0.95},
		{"random", 5, 0.95},
		{"honest", 1, 0.4},
		{"honest", 3, 0.6},
		{"honest", 5, 0.7},
	}
	for _, test := range tests {
		rival := honest
		if test.rival == "random" {
			rival = random(rand.New(rand.NewPCG(7, uint64(test.dice))))
		}
		got := share(t, 200, test.dice, rival)
		t.Logf("with %d dice croupier wins %.3f of 200 games against the %s player", test.dice, got, test.rival)
		if got < test.want {
			t.Errorf("with %d dice croupier wins %.3f of the games against the %s player, want %.2f", test.dice, got, test.rival, test.want)
		}
	}
}

// The same position gets the same answer, and croupier knows the obvious ones.
func TestDecide(t *testing.T) {
	const head = `{"gid":"TEST-0","seats":[{"seat":0,"dice_left":2},{"seat":1,"dice_left":1}],"you":{"seat":0,"dice":[3,3]},`
	tests := []struct {
		name, view string
		want       []bot.Move // any of these
	}{
		{
			"false for certain", head + `"standing":{"seat":1,"quantity":3,"face":2},"legal":{"bid":{"3":[3,3],"4":[3,3]},"challenge":{}}}`,
			[]bot.Move{{Action: "challenge"}},
		},
		{
			"true for certain", head + `"standing":{"seat":1,"quantity":2,"face":3},"legal":{"bid":{"5":[2,2],"3":[3,3]},"challenge":{}}}`,
			[]bot.Move{
				{Action: "bid", Args: map[string]int64{"quantity": 2, "face": 5}},
				{Action: "bid", Args: map[string]int64{"quantity": 3, "face": 3}},
			},
		},
		{
			"only move", head + `"standing":{"seat":1,"quantity":3,"face":6},"legal":{"challenge":{}}}`,
			[]bot.Move{{Action: "challenge"}},
		},
		{
			"another game", head + `"legal":{"fold":{},"raise":[1,1]}}`,
			[]bot.Move{{Action: "fold"}, {Action: "raise", Args: map[string]int64{"a": 1}}},
		},
		{
			"a wild face makes it true for certain", `{"gid":"TEST-0","wild":1,"seats":[{"seat":0,"dice_left":2},{"seat":1,"dice_left":1}],"you":{"seat":0,"dice":[1,1]},` +
				`"standing":{"seat":1,"quantity":2,"face":5},"legal":{"bid":{"1":[3,3],"5":[3,3]},"challenge":{}}}`,
			[]bot.Move{{Action: "bid", Args: map[string]int64{"quantity": 3, "face": 5}}},
		},
		{
			"wild dice do not count when no face is wild", `{"gid":"TEST-0","wild":0,"seats":[{"seat":0,"dice_left":2},{"seat":1,"dice_left":1}],"you":{"seat":0,"dice":[1,1]},` +
				`"standing":{"seat":1,"quantity":2,"face":5},"legal":{"bid":{"5":[3,3]},"challenge":{}}}`,
			[]bot.Move{{Action: "challenge"}},
		},
		{
			"dice that lie open make it false for certain", `{"gid":"TEST-0","wild":6,"seats":[{"seat":0,"dice_left":1},{"seat":1,"dice_left":3,"pushed":[2,2,2]}],"you":{"seat":0,"dice":[3]},` +
				`"standing":{"seat":1,"quantity":2,"face":5},"legal":{"bid":{"2":[3,3]},"challenge":{}}}`,
			[]bot.Move{{Action: "challenge"}},
		},
		{
			"exact for certain, and no bid left that is not false", `{"gid":"TEST-0","seats":[{"seat":0,"dice_left":1},{"seat":1,"dice_left":1,"pushed":[5]}],"you":{"seat":0,"dice":[3]},` +
				`"standing":{"seat":1,"quantity":1,"face":5},"legal":{"bid":{"6":[2,2]},"challenge":{},"spot_on":{}}}`,
			[]bot.Move{{Action: "spot_on"}},
		},
		{"no move", head + `"legal":{}}`, []bot.Move{{}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, err := bot.ParseView([]byte(test.view))
			if err != nil {
				t.Fatal(err)
			}
			got := croupier.Decide(v)
			if !slices.ContainsFunc(test.want, func(m bot.Move) bool { return cmp.Equal(m, got) }) {
				t.Errorf("Decide() = %v, want one of %v", got, test.want)
			}
			if again := croupier.Decide(v); !cmp.Equal(got, again) {
				t.Errorf("Decide() = %v, then %v", got, again)
			}
		})
	}
}

// Whatever the view, the answer is one of its legal moves.
func FuzzDecide(f *testing.F) {
	f.Add(newGame(1, 3, 5).view(f))
	f.Add([]byte(`{"standing":{"seat":9,"quantity":-1,"face":900},"seats":[{"seat":9,"dice_left":1000000}],"legal":{"bid":{"7":[0,9]},"challenge":{},"x":[1,2]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := bot.ParseView(data)
		if err != nil {
			return
		}
		got, legal := croupier.Decide(v), v.Legal()
		if len(legal) > 0 && !slices.ContainsFunc(legal, func(m bot.Move) bool { return cmp.Equal(m, got) }) {
			t.Errorf("Decide() = %v, which is not legal", got)
		}
	})
}
