package croupier_test

import (
	"math/rand/v2"
	"os"
	"testing"

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

func TestBeatsRandom(t *testing.T) {
	for _, dice := range []int{1, 3, 5} {
		got := share(t, 500, dice, random(rand.New(rand.NewPCG(7, uint64(dice)))))
		t.Logf("with %d dice croupier wins %.3f of the games against a random player", dice, got)
		if got < 0.7 {
			t.Errorf("with %d dice croupier wins %.3f of the games against a random player, want 0.7", dice, got)
		}
	}
}
