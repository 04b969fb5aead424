package play_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"dudo.example/core/deal"
	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
)

// compile gives a small game for any number of players: every seat holds two hidden dice and there is one open die; in turn a
// seat calls a number of pips, and whoever calls more than the dice have is shown up and out of luck.
func compile(players int) (*machine.Game, error) {
	if players < 2 {
		return nil, &machine.Refusal{Code: "need_players", Sentence: "This game is for 2 players or more."}
	}
	vars := []machine.Var{
		{Name: "hand", PerSeat: true, Zone: 2, Min: 1, Max: 6, See: machine.SeeOwner},
		{Name: "die", Min: 0, Max: 6},
		{Name: "called", Min: 0, Max: 99},
		{Name: "turn", Kind: machine.KindSeat, Min: machine.None, Max: players - 1, Init: []int{0}},
		{Name: "lost", PerSeat: true, Min: 0, Max: 50},
	}
	at, _ := machine.Layout(vars, players)
	read := func(i int) machine.Value { return machine.Value{Cell: at[i]} }
	next := machine.Value{Of: func(f *machine.Frame) int { return (int(f.Cells[machine.Me]) + 1) % players }}
	me, pips := machine.Value{Cell: machine.Me}, machine.Value{Cell: machine.Arg}
	lost := machine.Value{Of: func(f *machine.Frame) int { return int(f.Cells[at[4]+int(f.Cells[machine.Me])]) + 1 }}
	lose := machine.Set{{Var: 4, Seat: me, Value: lost}, {Var: 2}}
	return machine.NewGame(machine.Definition{
		Name: "test/pips", Seats: players, Vars: vars, Limit: 40,
		Rank: func(f *machine.Frame, seat int) int { return 1 + int(f.Cells[at[4]+seat]) },
		Phases: []machine.Phase{
			{
				Name: "deal",
				Draws: []machine.Draw{
					{Into: 0, Each: true, From: -1, Count: func(*machine.Frame, int) int { return 2 }, Min: func(*machine.Frame) int { return 1 }, Max: func(*machine.Frame) int { return 6 }},
					{Into: 1, From: -1, Min: func(*machine.Frame) int { return 1 }, Max: func(*machine.Frame) int { return 6 }},
				},
				Then: []machine.Step{machine.Goto{Phase: 1}},
			},
			{
				Name: "calling", Turn: read(3), Clock: true,
				Timeout: []machine.Step{lose, machine.Goto{Phase: 0}},
				Actions: []machine.Action{
					{
						Name: "call", Params: []machine.Param{{Name: "pips", Low: 1, High: 30}},
						When: func(f *machine.Frame) bool { return int(f.Cells[machine.Arg]) > int(f.Cells[at[2]]) },
						Do:   []machine.Step{machine.Set{{Var: 2, Value: pips}, {Var: 3, Value: next}}},
					},
					{
						Name: "show",
						Do: []machine.Step{
							machine.Reveal{Var: 0},
							machine.Emit{{Name: "call.pips", Value: read(2)}, {Name: "call.by", Kind: machine.KindSeat, Value: me}},
							lose,
							machine.If{
								Cond: func(f *machine.Frame) bool { return f.Cells[at[4]+int(f.Cells[machine.Me])] >= 5 },
								Then: []machine.Step{machine.End{}},
							},
							machine.Goto{Phase: 0},
						},
					},
				},
			},
		},
	})
}

var seed = deal.Seed{1, 2, 3}

func table(t *testing.T, players ...string) (*play.Table, []record.Line) {
	t.Helper()
	b := play.New(1000, record.Open{
		Origin: "dudo.example", GID: "ZCLP-0A1B2C3D", Key: "k", Rules: record.Rules{Game: "test/pips"}, Seats: 4, TurnSeconds: 60,
	}, seed, compile)
	lines := b.Lines
	for _, name := range players {
		var err error
		if b, err = b.Next.Join(1001, name, nil); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, b.Lines...)
	}
	return b.Next, lines
}

func rules(record.Open) (play.Compile, error) { return compile, nil }

// replay decides lines again.
func replay(lines []record.Line) (*play.Table, error) {
	r := play.NewReplay(seed, rules)
	for _, l := range lines {
		if _, err := r.Next(l); err != nil {
			return nil, err
		}
	}
	if r.Pending() {
		return nil, errors.New("cut short")
	}
	return r.Table(), nil
}

// game plays a random game and gives all of its lines.
func game(t *testing.T, rnd *rand.Rand) []record.Line {
	t.Helper()
	p, lines := table(t, "ann", "bob", "cid")
	take := func(b *play.Batch, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if int(b.Next.Rev()) != len(lines)+len(b.Lines) {
			t.Fatalf("rev %d after %d lines", b.Next.Rev(), len(lines)+len(b.Lines))
		}
		p, lines = b.Next, append(lines, b.Lines...)
	}
	take(p.Nonce(1002, 1, "purple otter 41"))
	take(p.Nonce(1002, 0, "kettle"))
	take(p.Start(1003, 2))
	for p.Status() == play.Live {
		seat, ok := p.Turn()
		if !ok {
			t.Fatal("nobody's turn")
		}
		now := p.LastTime() + rnd.Int64N(60_000)
		deadline, _ := p.Deadline()
		switch rnd.IntN(6) {
		case 0:
			take(p.Timeout(deadline+1, "crashed"))
		case 1:
			take(p.Resume(now))
		case 2:
			take(p.Act(now, seat, play.Move{Action: "show", Say: "well"}))
		default:
			called := p.Position().Values(2, 0)[0]
			if called == 30 {
				continue
			}
			take(p.Act(now, seat, play.Move{Action: "call", Args: []record.Arg{{Name: "pips", Value: called + 1 + rnd.IntN(30-called)}}}))
		}
		again, err := replay(lines)
		if err != nil {
			t.Fatalf("replay: %v", err)
		}
		if again.Head() != p.Head() || again.Rev() != p.Rev() || (again.Position() != nil && again.Position().Key() != p.Position().Key()) {
			t.Fatal("the replay is another table than the one played")
		}
	}
	return lines
}

func TestReplayEqualsPlay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	for range 20 {
		lines := game(t, rnd)
		last, err := record.Parse(lines[len(lines)-1])
		if err != nil {
			t.Fatal(err)
		}
		if end, ok := last.Body.(record.End); !ok || end.Seed != seed.Hex() || len(end.Places) != 3 {
			t.Errorf("the log ends with %s", lines[len(lines)-1])
		}
	}
}

// A log without one of its lines, or with two exchanged, is no log of a game.
func TestReplayRefusesOtherLogs(t *testing.T) {
	lines := game(t, rand.New(rand.NewPCG(4, 4)))
	for i := range lines {
		if _, err := replay(append(append([]record.Line(nil), lines[:i]...), lines[i+1:]...)); err == nil && i < len(lines)-1 {
			t.Errorf("the log without line %d is accepted", i)
		}
		if i+1 < len(lines) {
			swapped := append([]record.Line(nil), lines...)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			if _, err := replay(swapped); err == nil {
				t.Errorf("the log with lines %d and %d exchanged is accepted", i, i+1)
			}
		}
	}
	if _, err := replay(append(append([]record.Line(nil), lines...), lines[len(lines)-1])); err == nil {
		t.Error("a log that goes on after its end is accepted")
	}
}

// What everybody sees is opened with the deal; what is hidden only by its commitment.
func TestDealOpensOnlyWhatIsPublic(t *testing.T) {
	p, _ := table(t, "ann", "bob")
	b, err := p.Start(1002, 0)
	if err != nil {
		t.Fatal(err)
	}
	var bodies []record.Body
	for _, l := range b.Lines {
		e, err := record.Parse(l)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, e.Body)
	}
	d := bodies[1].(record.Deal)
	if len(d.HC) != 3 || fmt.Sprint(d.Counts) != "[{0 2} {1 2} {-1 1}]" {
		t.Errorf("the deal is %+v", d)
	}
	s := bodies[2].(record.Show)
	if len(s.Keys) != 1 || s.Keys[0].Owner != deal.Table || len(s.Hands) != 1 || len(s.Hands[0].Value) != 1 {
		t.Errorf("with the deal is shown %+v", s)
	}
	if die := b.Next.Position().Values(1, 0)[0]; s.Hands[0].Value[0] != die {
		t.Errorf("the die shows %d, the event says %v", die, s.Hands)
	}

	b, err = b.Next.Act(1003, 0, play.Move{Action: "show"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := record.Parse(b.Lines[1])
	if err != nil {
		t.Fatal(err)
	}
	s = e.Body.(record.Show)
	if len(s.Keys) != 2 || len(s.Hands) != 2 {
		t.Errorf("the showdown shows %+v", s)
	}
	key := deal.NewDealer(seed, "ZCLP-0A1B2C3D", nil).Key(1, 0)
	if s.Keys[0].Value != key.Hex() || d.HC[0].Value != key.Commit("ZCLP-0A1B2C3D", 1, 0) {
		t.Error("the key shown is not the one that was committed to")
	}
	if got := string((record.Object{{Name: "f", Value: s.Facts}}).Encode()); got != `{"f":{"call":{"by":0,"pips":0}}}` {
		t.Errorf("facts %s", got)
	}
}

func TestDecisionsAreRefused(t *testing.T) {
	open, _ := table(t, "ann", "bob")
	started, err := open.Start(1002, 0)
	if err != nil {
		t.Fatal(err)
	}
	live := started.Next
	closed, err := open.Close(1002, record.ReasonExpired)
	if err != nil {
		t.Fatal(err)
	}
	full, _ := table(t, "a", "b", "c", "d")
	lone, _ := table(t, "ann")
	call := play.Move{Action: "call", Args: []record.Arg{{Name: "pips", Value: 3}}}
	deadline, _ := live.Deadline()
	tests := []struct {
		name string
		do   func() (*play.Batch, error)
		want string // the refusal's code, or a part of the error
	}{
		{"join a full table", func() (*play.Batch, error) { return full.Join(1, "eve", nil) }, play.CodeTableFull},
		{"join a started one", func() (*play.Batch, error) { return live.Join(1, "eve", nil) }, play.CodeStarted},
		{"take a name", func() (*play.Batch, error) { return open.Join(1, "ann", nil) }, play.CodeNameTaken},
		{"an empty nonce", func() (*play.Batch, error) { return open.Nonce(1, 0, "") }, play.CodeBadText},
		{"a long nonce", func() (*play.Batch, error) { return open.Nonce(1, 0, strings.Repeat("x", 129)) }, play.CodeBadText},
		{"a nonce of nobody", func() (*play.Batch, error) { return open.Nonce(1, 2, "x") }, "seat 2 of 2"},
		{"a nonce too late", func() (*play.Batch, error) { return live.Nonce(1, 0, "x") }, play.CodeStarted},
		{"start alone", func() (*play.Batch, error) { return lone.Start(1, 0) }, "need_players"},
		{"start again", func() (*play.Batch, error) { return live.Start(1, 0) }, play.CodeStarted},
		{"start by nobody", func() (*play.Batch, error) { return open.Start(1, 3) }, "seat 3 of 2"},
		{"move before the start", func() (*play.Batch, error) { return open.Act(1, 0, call) }, play.CodeNotStarted},
		{"move after the end", func() (*play.Batch, error) { return closed.Next.Act(1, 0, call) }, machine.CodeGameOver},
		{"move out of turn", func() (*play.Batch, error) { return live.Act(1003, 1, call) }, machine.CodeNotYourTurn},
		{"move too late", func() (*play.Batch, error) { return live.Act(deadline+1, 0, call) }, play.CodeTooLate},
		{"say too much", func() (*play.Batch, error) {
			return live.Act(1003, 0, play.Move{Action: "show", Say: strings.Repeat("é", 141)})
		}, play.CodeBadText},
		{"an argument of another name", func() (*play.Batch, error) {
			return live.Act(1003, 0, play.Move{Action: "call", Args: []record.Arg{{Name: "dots", Value: 3}}})
		}, machine.CodeBadArgument},
		{"an argument more", func() (*play.Batch, error) {
			return live.Act(1003, 0, play.Move{Action: "call", Args: append([]record.Arg{{Name: "x"}}, call.Args...)})
		}, machine.CodeBadArgument},
		{"an unknown action", func() (*play.Batch, error) { return live.Act(1003, 0, play.Move{Action: "fold"}) }, machine.CodeUnknownAction},
		{"a timeout too early", func() (*play.Batch, error) { return live.Timeout(deadline, "") }, play.ErrNotDue.Error()},
		{"a timeout before the start", func() (*play.Batch, error) { return open.Timeout(1<<40, "") }, machine.ErrNoTimeout.Error()},
		{"resume before the start", func() (*play.Batch, error) { return open.Resume(1) }, play.ErrNotLive.Error()},
		{"close again", func() (*play.Batch, error) { return closed.Next.Close(1, record.ReasonExpired) }, play.ErrNotLive.Error()},
		{"close as finished", func() (*play.Batch, error) { return live.Close(1, record.ReasonFinished) }, "not closed because"},
	}
	for _, tt := range tests {
		b, err := tt.do()
		if err == nil || b != nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want an error with %s", tt.name, err, tt.want)
		}
	}
	if _, err := live.Act(deadline, 0, call); err != nil {
		t.Errorf("a move at the deadline: %v", err)
	}
	if _, err := live.Timeout(deadline+1, ""); err != nil {
		t.Errorf("a timeout a millisecond after it: %v", err)
	}
}

func TestTimeNeverGoesBack(t *testing.T) {
	p, _ := table(t, "ann", "bob")
	b, err := p.Start(500, 0) // the clock of the machine was set back
	if err != nil {
		t.Fatal(err)
	}
	if b.Next.LastTime() != 1001 {
		t.Errorf("time %d, want that of the event before, 1001", b.Next.LastTime())
	}
}

// A table holds the seed and every hand: however it is printed, it tells neither.
func TestSecretsDoNotPrint(t *testing.T) {
	p, _ := table(t, "ann", "bob")
	b, err := p.Start(1002, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	pos := b.Next.Position()
	log := slog.New(slog.NewJSONHandler(&out, nil))
	log.Info("a table", "table", b.Next, "batch", b, "position", pos, "dealer", deal.NewDealer(seed, "ZCLP-0A1B2C3D", nil))
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+verb+verb+verb+"\n", b.Next, b, pos, struct{ T *play.Table }{b.Next})
	}
	text, err := json.Marshal(map[string]any{"table": b.Next, "position": pos})
	if err != nil {
		t.Fatal(err)
	}
	out.Write(text)
	hands := fmt.Sprint(pos.Cells())
	for _, secret := range []string{seed.Hex(), "1, 2, 3, 0, 0", "1 2 3 0 0", "0x1, 0x2, 0x3", "010203", strings.Trim(hands, "[]")} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%q was printed:\n%s", secret, out.String())
		}
	}
}
