package tables_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"dudo.example/core/deal"
	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
	"dudo.example/plugins/bot"
	"dudo.example/plugins/bots/croupier"
	"dudo.example/rules"
)

// TestCroupierPlaysTheFamily has the house bot play every variant that a server offers, from the views that the server sends it.
// Its moves are never refused. Where bids are a quantity of a face it wins far more than its half against random moves, and more
// than its half against itself when only the other side is not told which face is wild. Elsewhere it moves at random.
func TestCroupierPlaysTheFamily(t *testing.T) {
	files, err := rulebook.Offer(nil)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	random := func(v bot.View) bot.Move {
		moves := v.Legal()
		return moves[rnd.IntN(len(moves))]
	}
	blind := func(v bot.View) bot.Move {
		v.Wild = 0
		return croupier.Decide(v)
	}
	for _, f := range files {
		t.Run(f.Game, func(t *testing.T) {
			c := newContest(t, f)
			if _, bids := c.actions["bid"]; !bids {
				c.wins(t, "random moves", random, 40, 0.2)
				return
			}
			c.wins(t, "random moves", random, 40, 0.8)
			if v, ok := c.game.Var("wild"); ok && c.game.Vars[v].See == machine.SeeAll {
				c.wins(t, "croupier that knows of no wild face", blind, 200, 0.55)
			}
		})
	}
}

// contest is a rule file in which croupier plays.
type contest struct {
	lobby   *tables.Lobby
	file    *rules.File
	set     tables.Ruleset
	game    *machine.Game
	actions map[string][]string // the names of their parameters
}

func newContest(t *testing.T, f *rules.File) *contest {
	t.Helper()
	c := &contest{file: f, set: rulebook.Ruleset(f), actions: map[string][]string{}}
	var err error
	if c.game, err = f.Compile(2, nil); err != nil {
		t.Fatal(err)
	}
	c.lobby, err = tables.New(t.Context(), tables.Config{
		Store: record.NewMemory(time.Now), Rules: []tables.Ruleset{c.set}, Key: key, Origin: "dudo.example",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.lobby.Close(context.Background()) })
	for _, a := range c.set.Actions {
		c.actions[a.Name] = []string{}
		for _, q := range a.Params {
			c.actions[a.Name] = append(c.actions[a.Name], q.Name)
		}
	}
	return c
}

// wins plays games of two, in which croupier has seat 0 in every other one, and wants it to win a share of them.
func (c *contest) wins(t *testing.T, rival string, decide func(bot.View) bot.Move, games int, want float64) {
	t.Helper()
	wins := 0.0
	for game := range games {
		mine := game % 2
		players := []func(bot.View) bot.Move{decide, decide}
		players[mine] = croupier.Decide
		wins += c.won(t, mine, 1+game/2%5, deal.Seed{byte(game), byte(game >> 8), 2}, players)
	}
	t.Logf("croupier wins %.1f of %d games against %s", wins, games, rival)
	if wins < want*float64(games) {
		t.Errorf("croupier wins %.1f of %d games against %s, want %.2f of them", wins, games, rival, want)
	}
}

// won plays a game and gives 1 if the seat won it, ½ for a draw.
func (c *contest) won(t *testing.T, mine, dice int, seed deal.Seed, players []func(bot.View) bot.Move) float64 {
	t.Helper()
	p := newGame(t, c.file, 2, dice, seed)
	for p.Status() == play.Live {
		seat, _ := p.Turn()
		view := c.lobby.BotView(&c.set, p, seat)
		v, err := bot.ParseView(view)
		if err != nil {
			t.Fatalf("%v: %s", err, view)
		}
		m := players[seat](v.WithActions(c.actions))
		move := play.Move{Action: m.Action}
		for name, value := range m.Args {
			move.Args = append(move.Args, record.Arg{Name: name, Value: int(value)})
		}
		b, err := p.Act(p.LastTime()+5, seat, move)
		if err != nil {
			t.Fatalf("%v is refused, %v, in %s", m, err, view)
		}
		p = b.Next
	}
	score := p.Position().Payoffs()
	for _, place := range p.Position().Places() {
		score = append(score, -place)
	}
	switch own, other := score[mine], score[1-mine]; {
	case own > other:
		return 1
	case own == other:
		return 0.5
	}
	return 0
}
