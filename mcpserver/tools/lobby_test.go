package tools_test

import (
	"context"
	"fmt"
	"net/netip"
	"sync"

	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/mcpserver/tables"
	"dudo.example/plugins/host"
)

// standard and perudo are what two rule files declare.
func standard() tables.Ruleset {
	return tables.Ruleset{
		Game: "liars-dice/standard", Title: "Liar's dice",
		About: "Ones are not wild. Everybody rolls in secret.\n  A bid says how many dice of all hands show a face.\n" +
			"The next player bids higher or challenges. Who is wrong loses a die; the last with dice wins.",
		MinSeats: 2, MaxSeats: 6,
		Options: []tables.Option{{Name: "dice", Doc: "dice that each player begins with", Low: 1, High: 5, Default: 3}},
		Actions: []tables.Action{
			{
				Name: "bid", Doc: "say that at least quantity dice in all hands show face. A bid has to outrank the standing one",
				Params: []tables.Param{
					{Name: "quantity", Doc: "how many dice", Low: 1, High: 30},
					{Name: "face", Doc: "the face that they show", Low: 1, High: 6},
				},
			},
			{Name: "challenge", Doc: "say that the standing bid is false; all hands are shown."},
		},
	}
}

func perudo() tables.Ruleset {
	return tables.Ruleset{
		Game: "liars-dice/perudo", Title: "Perudo", About: "Ones are wild.", MinSeats: 2, MaxSeats: 8,
		Options: []tables.Option{
			{Name: "dice", Doc: "dice that each player begins with", Low: 2, High: 6, Default: 5},
			{Name: "palifico", Doc: "a round without wild ones for who fell to one die", Bool: true, High: 1, Default: 1},
			{Name: "spot_on_gains", Doc: "dice that a right call wins", High: 2, Default: 1},
		},
		Presets: []tables.Preset{{Name: "uk", Doc: "as in Britain", Options: map[string]int{"spot_on_gains": 0}}},
		Actions: []tables.Action{
			{
				Name: "bid", Doc: "say that at least quantity dice show face, or are wild",
				Params: []tables.Param{{Name: "quantity", Low: 1, High: 48}, {Name: "face", Low: 1, High: 6}},
			},
			{Name: "challenge", Doc: "say that the standing bid is false; all hands are shown."},
			{Name: "spot_on", Doc: "say that the standing bid is exact | a die is won if it is"},
		},
	}
}

// asked is a lobby that answers with what it was asked, or with err. It stands where package tables does to show what the
// tools make of arguments and errors.
type asked struct {
	rules  []tables.Ruleset
	played []tables.Ruleset
	bots   []host.Info
	err    error
	began  chan struct{} // if not nil, a call closes it and waits for its context

	mu    sync.Mutex
	calls []string
}

func (l *asked) Rules() []tables.Ruleset  { return l.rules }
func (l *asked) Played() []tables.Ruleset { return l.played }
func (l *asked) Bots() []host.Info        { return l.bots }

func (l *asked) answer(ctx context.Context, format string, args ...any) (tables.Object, error) {
	if l.began != nil {
		close(l.began)
		<-ctx.Done()
		return nil, fmt.Errorf("wait: %w", ctx.Err())
	}
	if l.err != nil {
		return nil, l.err
	}
	call := fmt.Sprintf(format, args...)
	l.mu.Lock()
	l.calls = append(l.calls, call)
	l.mu.Unlock()
	return tables.Object{{Name: "call", Value: call}}, nil
}

func (l *asked) List(ctx context.Context, game string) (tables.Object, error) {
	return l.answer(ctx, "list %s", game)
}

func (l *asked) Create(ctx context.Context, addr netip.Addr, s tables.Settings) (tables.Object, error) {
	return l.answer(ctx, "create %v %+v", addr, s)
}

func (l *asked) Join(ctx context.Context, addr netip.Addr, j tables.Join) (tables.Object, error) {
	return l.answer(ctx, "join %v %+v", addr, j)
}

func (l *asked) Start(ctx context.Context, token string, bots []string, nonce string) (tables.Object, error) {
	return l.answer(ctx, "start %s %#v %q", token, bots, nonce)
}

func (l *asked) State(ctx context.Context, addr netip.Addr, look tables.Look) (tables.Object, error) {
	stop := look.Stop != nil
	look.Stop = nil
	type all tables.Look // which prints the token as well
	return l.answer(ctx, "state %v %+v stop=%v", addr, all(look), stop)
}

func (l *asked) Act(ctx context.Context, token string, on int64, m play.Move) (tables.Object, error) {
	return l.answer(ctx, "act %s %d %+v", token, on, m)
}

func notYourTurn() error {
	return &machine.Refusal{Code: machine.CodeNotYourTurn, Sentence: "It is not your turn; wait with get_state."}
}

var croupier = host.Info{Name: "croupier", House: true}
