// Package player plays liar's dice for clients that other projects wrote: it takes a seat and plays to the end of the game. How a
// tool is called is the client's affair, and so is the protocol. It knows of the server what the tools say, nothing else.
package player

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// A Refusal is a tool's no: a sentence for the player.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// Call calls a tool and gives what it says, which must be one block of text. It gives a [Refusal] if the tool refuses, and
// any other error if there was no answer.
type Call func(ctx context.Context, tool string, arguments map[string]any) (text string, err error)

const (
	wait    = 20 // seconds
	pause   = time.Second
	tries   = 60 // with a pause between them
	patient = 5  // refusals in a row
)

type args = map[string]any

type player struct {
	Options
	call         Call
	table, token string
}

// Play plays a game and writes the table's code and the receipt of the last move, a line each. It goes on when the server is
// gone for up to a minute.
func Play(ctx context.Context, out io.Writer, call Call, o Options) error {
	p := &player{call: call, Options: o}
	if err := p.sit(ctx); err != nil {
		return err
	}
	s, err := p.look(ctx)
	if err != nil {
		return err
	}
	receipt, refused := "", 0
	for s.Status != "over" {
		if s.YourTurn {
			if o.Moves == 0 {
				return nil
			}
			o.Moves--
			tool, move := choose(s, o.Doubt)
			move["token"], move["on"] = p.token, s.N
			var next state
			err := p.ask(ctx, tool, move, &next)
			if err == nil {
				s, receipt, refused = next, next.Receipt, 0
				continue
			}
			// A refusal: the game has moved on, or the answer to a move that was taken got lost.
			var refusal Refusal
			if refused++; !errors.As(err, &refusal) || refused == patient {
				return err
			}
		}
		if s, err = p.look(ctx); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(out, "%s\n%s\n", p.table, receipt)
	return err
}

// sit takes a seat and starts the game, if that is the player's to do.
func (p *player) sit(ctx context.Context) error {
	p.table = p.Table
	if p.table == "" {
		var made struct{ Table string }
		if err := p.ask(ctx, "create_table", args{"seats": p.Players + p.Bots, "public": false}, &made); err != nil {
			return err
		}
		p.table = made.Table
	}
	var seat struct{ Token string }
	if err := p.ask(ctx, "join_table", args{"name": p.Name, "table": p.table, "nonce": p.Name + " " + rand.Text()}, &seat); err != nil {
		return err
	}
	p.token = seat.Token
	if p.Players == 0 {
		return nil
	}
	var s state
	for len(s.Seats) < p.Players {
		if s.Seats != nil {
			time.Sleep(pause)
		}
		if err := p.ask(ctx, "get_state", args{"token": p.token}, &s); err != nil {
			return err
		}
	}
	return p.ask(ctx, "start_game", args{"token": p.token, "bots": p.Bots}, &s)
}

// look waits for the player's turn.
func (p *player) look(ctx context.Context) (s state, err error) {
	err = p.ask(ctx, "get_state", args{"token": p.token, "wait_seconds": wait}, &s)
	return s, err
}

// ask calls a tool until it answers.
func (p *player) ask(ctx context.Context, tool string, a args, answer any) (err error) {
	for range tries {
		var text string
		text, err = p.call(ctx, tool, a)
		var refusal Refusal
		switch {
		case err == nil:
			if err := json.Unmarshal([]byte(text), answer); err != nil {
				return fmt.Errorf("%s: the answer of %s: %w", p.Name, tool, err)
			}
			return nil
		case errors.As(err, &refusal):
			return fmt.Errorf("%s: %s refused: %w", p.Name, tool, err)
		case ctx.Err() != nil:
			return ctx.Err()
		}
		time.Sleep(pause)
	}
	return fmt.Errorf("%s: %s got no answer: %w", p.Name, tool, err)
}
