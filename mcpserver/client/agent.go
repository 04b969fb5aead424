package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// State is what an agent needs of a table's state.
type State struct {
	Table    string
	Token    string
	Seat     int
	Status   string
	N        int64
	YourTurn bool `json:"your_turn"`
	Round    int
	Turn     *int
	Legal    map[string]json.RawMessage
	Standing *struct{ Quantity, Face int }
	Seats    []struct {
		Seat     int
		Name     string
		DiceLeft int `json:"dice_left"`
	}
	Places  []int
	Seed    string
	Reason  string
	Commit  string
	Receipt string
	Record  string
	Next    string
}

// Agent is a player that follows a script: it raises by the least it can, and challenges now and then and whenever the bid is
// high. It plays liar's dice without looking at its dice.
type Agent struct {
	Client *Client
	Name   string
	Rand   *rand.Rand
	Table  string // the table's code, once it has a seat
	Token  string
	Seat   int
	// Receipts are those of its moves, as an agent would keep them.
	Receipts []string
	// Observe, if set, is told of every call: the tool, how long it took, and its error.
	Observe func(tool string, took time.Duration, err error)

	seen State // the last state, as far as answers with only what is new leave it
}

func (a *Agent) call(ctx context.Context, tool string, args map[string]any) (State, error) {
	var s State
	begin := time.Now()
	err := a.Client.Call(ctx, tool, args, &s)
	if a.Observe != nil {
		a.Observe(tool, time.Since(begin), err)
	}
	var rate *RateError
	if errors.As(err, &rate) {
		select {
		case <-time.After(rate.After):
			return a.call(ctx, tool, args)
		case <-ctx.Done():
		}
	}
	if s.Receipt != "" {
		a.Receipts = append(a.Receipts, s.Receipt)
	}
	if err == nil {
		if s.Seats == nil {
			s.Seats = a.seen.Seats
		}
		a.seen = s
	}
	return s, err
}

// Join takes a seat, by quick match if table is empty.
func (a *Agent) Join(ctx context.Context, table string) error {
	args := map[string]any{"name": a.Name, "nonce": fmt.Sprintf("%s %d", a.Name, a.Rand.Uint64())}
	if table != "" {
		args["table"] = table
	}
	s, err := a.call(ctx, "join_table", args)
	if err != nil {
		return err
	}
	a.Table, a.Token, a.Seat = s.Table, s.Token, s.Seat
	return nil
}

// Start begins the game; bots is how many house bots are added, negative for what the server finds right.
func (a *Agent) Start(ctx context.Context, bots int) error {
	args := map[string]any{"token": a.Token}
	if bots >= 0 {
		args["bots"] = bots
	}
	_, err := a.call(ctx, "start_game", args)
	return err
}

// Look asks for the state, waiting up to a number of seconds for the agent's turn.
func (a *Agent) Look(ctx context.Context, wait int) (State, error) {
	return a.call(ctx, "get_state", map[string]any{"token": a.Token, "wait_seconds": wait})
}

// Await waits up to a number of seconds for the agent's turn, and asks only for what is new since the last answer. The members of
// the state that are not news are the zero value, but for the seats.
func (a *Agent) Await(ctx context.Context, wait int) (State, error) {
	return a.call(ctx, "get_state", map[string]any{"token": a.Token, "wait_seconds": wait, "since": a.seen.N})
}

// Play plays until the game is over and gives the last state. step, if set, is told of every state.
func (a *Agent) Play(ctx context.Context, step func(State)) (State, error) {
	s, err := a.Look(ctx, 20)
	for {
		var refusal *Refusal
		switch {
		case errors.As(err, &refusal) && refusal.Code != "unknown_token":
			// The game has moved on since the state that the move was made for.
			if s, err = a.Look(ctx, 0); err != nil {
				return s, err
			}
		case err != nil:
			return s, err
		}
		if step != nil {
			step(s)
		}
		switch {
		case s.Status == "over":
			return s, nil
		case s.YourTurn:
			s, err = a.Move(ctx, s)
		default:
			s, err = a.Look(ctx, 20)
		}
	}
}

// Move makes a move in a state where it is the agent's turn.
func (a *Agent) Move(ctx context.Context, s State) (State, error) {
	tool, args, err := a.Choose(s)
	if err != nil {
		return s, err
	}
	args["token"] = a.Token
	return a.call(ctx, tool, args)
}

// Choose picks a legal move: the tool and its arguments without the token.
func (a *Agent) Choose(s State) (tool string, args map[string]any, err error) {
	bids := map[int][2]int{}
	if raw := s.Legal["bid"]; raw != nil {
		if err := json.Unmarshal(raw, &bids); err != nil {
			return "", nil, fmt.Errorf("the legal bids: %w", err)
		}
	}
	_, challenge := s.Legal["challenge"]
	if challenge && (len(bids) == 0 || a.Rand.IntN(4) == 0 || (s.Standing != nil && s.Standing.Quantity > a.brave(s))) {
		return "challenge", map[string]any{}, nil
	}
	if len(bids) == 0 {
		return "", nil, errors.New("it is my turn and there is no legal move that I know")
	}
	least := 1 << 30
	for _, r := range bids {
		least = min(least, r[0])
	}
	var faces []int
	for face, r := range bids {
		if r[0] == least {
			faces = append(faces, face)
		}
	}
	slices.Sort(faces)
	return "bid", map[string]any{"quantity": least, "face": faces[a.Rand.IntN(len(faces))]}, nil
}

// brave is the highest quantity that the agent lets stand: a third of the dice, and one.
func (a *Agent) brave(s State) int {
	dice := 0
	for _, seat := range s.Seats {
		dice += seat.DiceLeft
	}
	return dice/3 + 1
}
