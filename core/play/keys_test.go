package play_test

import (
	"encoding/hex"
	"fmt"
	"testing"

	"dudo.example/core/deal"
	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
)

// cards gives a game in which each of two seats is dealt a hand of two unseen cards; move is what the first action does with
// the hand of the seat that acts, before a second deal draws a board for all to see. Then all hands are shown.
func cards(move machine.Step) play.Compile {
	two := func(*machine.Frame, int) int { return 2 }
	vars := []machine.Var{
		{Name: "hand", PerSeat: true, Zone: 2, Min: 0, Max: 9, See: machine.SeeOwner},
		{Name: "down", PerSeat: true, Zone: 2, Min: 0, Max: 9, See: machine.SeeNone},
		{Name: "up", PerSeat: true, Zone: 2, Min: 0, Max: 9},
		{Name: "board", Zone: 2, Min: 0, Max: 9},
	}
	return func(players int) (*machine.Game, error) {
		return machine.NewGame(machine.Definition{
			Name: "test/cards", Seats: players, Vars: vars, Limit: 40,
			Payoff: func(*machine.Frame, int) int { return 0 },
			Phases: []machine.Phase{
				{
					Name: "deal", Draws: []machine.Draw{{Into: 0, Each: true, From: -1, Count: two, High: 9}},
					Then: []machine.Step{machine.Goto{Phase: 1}},
				},
				{
					Name:    "first",
					Actions: []machine.Action{{Name: "go", Do: []machine.Step{move, machine.Goto{Phase: 2}}}},
				},
				{
					Name: "board", Draws: []machine.Draw{
						{Into: 0, Each: true, From: -1, Count: two, High: 9, When: func(_ *machine.Frame, seat int) bool { return seat == 1 }},
						{Into: 3, From: -1, Count: two, High: 9},
					},
					Then: []machine.Step{machine.Goto{Phase: 3}},
				},
				{
					Name:    "second",
					Actions: []machine.Action{{Name: "show", Do: []machine.Step{machine.Reveal{Var: 0}, machine.End{}}}},
				},
			},
		})
	}
}

// TestKeysOpen tells which keys a showdown opens: the one of the deal that each hand came from, if all that was drawn with it
// is public.
func TestKeysOpen(t *testing.T) {
	mine := func(f *machine.Frame) int { return int(f.Cells[machine.Me]) }
	to := func(variable int) machine.Step {
		return machine.Transfer{
			From: machine.Place{Var: 0, Seat: mine}, To: machine.Place{Var: variable, Seat: mine}, Count: func(*machine.Frame) int { return 1 },
		}
	}
	nothing := machine.If{Cond: func(*machine.Frame) bool { return false }}
	tests := []struct {
		name string
		move machine.Step
		want string // owners with the deals of their keys
	}{
		{"nothing moved", nothing, "0 of deal 1, 1 of deal 2"},
		{"one card laid open", to(2), "0 of deal 1, 1 of deal 2"},
		{"one card put down unseen", to(1), ""},
		{"the hand thrown away unseen", machine.Clear{Var: 0, Seat: mine}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := play.New(1000, record.Open{Origin: "dudo.example", GID: "ZCLP-0A1B2C3D", Key: "k", Rules: record.Rules{Game: "test/cards"}, Seats: 2, TurnSeconds: 60}, seed, cards(tt.move))
			lines := b.Lines
			take := func(next *play.Batch, err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				b, lines = next, append(lines, next.Lines...)
			}
			take(b.Next.Join(1001, "ann", nil))
			take(b.Next.Join(1001, "bob", nil))
			take(b.Next.Start(1002, 0))
			take(b.Next.Act(1003, 0, play.Move{Action: "go"}))
			take(b.Next.Act(1004, 0, play.Move{Action: "show"}))
			if got := opened(t, lines); got != tt.want {
				t.Errorf("keys opened: %q, want %q", got, tt.want)
			}
			r := play.NewReplay(seed, func(record.Open) (play.Compile, error) { return cards(tt.move), nil })
			for _, l := range lines {
				if _, err := r.Next(l); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// opened names the owners and the deals of the keys that seats' hands are shown with in a log.
func opened(t *testing.T, lines []record.Line) string {
	t.Helper()
	out, deals := "", map[string]int{}
	for _, l := range lines {
		e, err := record.Parse(l)
		if err != nil {
			t.Fatal(err)
		}
		switch body := e.Body.(type) {
		case record.Deal:
			for _, hc := range body.HC {
				deals[hc.Value] = body.Deal
			}
		case record.Show:
			for _, k := range body.Keys {
				if k.Owner == machine.None {
					continue
				}
				for n := 1; n <= 2; n++ {
					if deals[commit(t, k.Value, n, k.Owner)] == n {
						if out != "" {
							out += ", "
						}
						out += fmt.Sprintf("%d of deal %d", k.Owner, n)
					}
				}
			}
		}
	}
	return out
}

// commit is the commitment to a hand whose key is written in hex.
func commit(t *testing.T, key string, number, owner int) string {
	t.Helper()
	var k deal.Key
	b, err := hex.DecodeString(key)
	if err != nil || copy(k[:], b) != len(k) {
		t.Fatalf("key %q: %v", key, err)
	}
	return k.Commit("ZCLP-0A1B2C3D", number, owner)
}
