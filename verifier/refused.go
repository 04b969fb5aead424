package verifier

import (
	"errors"
	"fmt"

	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
)

// refused says why a decision is none.
func (p *pass) refused(e record.Event, err error) *Failure {
	kind := "nothing"
	if e.Body != nil {
		kind = e.Body.Type()
	}
	table := p.replay.Table()
	var refusal *machine.Refusal
	switch {
	case errors.As(err, &refusal):
		return p.refusal(e, refusal)
	case errors.Is(err, play.ErrAfterEnd):
		return fail(CheckEnd, "nothing", kind, "the record goes on after its end")
	case errors.Is(err, play.ErrOutOfPlace):
		if table == nil {
			return fail(CheckOrder, "open", kind, "a record begins with an open event")
		}
		return fail(CheckOrder, "a decision", kind, "nothing that came before leads to such an event here")
	case errors.Is(err, play.ErrNumber):
		return member("n", fail(CheckNumber, int64(table.Rev()), e.N, "events are numbered from 0"))
	case errors.Is(err, play.ErrTime):
		return member("t", fail(CheckTime, fmt.Sprintf("at least %d", table.LastTime()), e.T, "times never go back"))
	case errors.Is(err, play.ErrNotDue):
		deadline, _ := table.Deadline()
		return member("t", fail(CheckEarly, fmt.Sprintf("later than %d", deadline), e.T, "a timeout comes after the deadline of the turn"))
	case errors.Is(err, machine.ErrNoTimeout):
		return fail(CheckTimeout, "no timeout", kind, "no clock runs")
	case errors.Is(err, play.ErrNotLive):
		return fail(CheckOrder, "a game in progress", kind, "no game is on")
	case errors.Is(err, play.ErrNotOver):
		end, _ := e.Body.(record.End)
		return member("reason", fail(CheckReason, "expired or abandoned", end.Reason, "by the rules the game is not over"))
	case errors.Is(err, play.ErrSeat):
		return p.wrongSeat(e)
	}
	if f := p.nobody(e); f != nil {
		return f
	}
	return fail(CheckRules, "rules that work", Plain(err.Error(), 120), "the rules fail here")
}

// nobody checks for a seat that nobody has, and for a reason that there is not.
func (p *pass) nobody(e record.Event) *Failure {
	players := len(p.report.Players)
	switch b := e.Body.(type) {
	case record.Nonce:
		if b.Seat >= players {
			return member("seat", fail(CheckNonce, "a seat that is taken", b.Seat, "a nonce is of somebody who sits at the table"))
		}
	case record.Start:
		if b.By >= players {
			return member("by", fail(CheckRoster, "a seat that is taken", b.By, "the game is started by somebody who sits at the table"))
		}
	case record.End:
		return member("reason", fail(CheckReason, "finished, expired, abandoned or move limit", b.Reason, "there is no such reason"))
	}
	return nil
}

func (p *pass) wrongSeat(e record.Event) *Failure {
	switch b := e.Body.(type) {
	case record.Join:
		return member("seat", fail(CheckRoster, len(p.report.Players), b.Seat, "seats are taken in order"))
	case record.Timeout:
		seat, ok := p.replay.Table().Turn()
		if !ok {
			return member("seat", fail(CheckTimeout, "no timeout", b.Seat, "no game is on"))
		}
		return member("seat", fail(CheckTimeout, seat, b.Seat, "the clock that ran was another seat's"))
	}
	return fail(CheckEvent, "another seat", e.Body.Type(), "it is not that seat's")
}

// refusal says which check it was that a decision did not pass.
func (p *pass) refusal(e record.Event, r *machine.Refusal) *Failure {
	kind := e.Body.Type()
	switch r.Code {
	case play.CodeStarted:
		if kind == "nonce" {
			return fail(CheckNonce, "a nonce before the start", "one after it", "the nonces are frozen when the game starts")
		}
		return fail(CheckRoster, "nothing of the kind after the start", kind, "the roster is frozen when the game starts")
	case play.CodeNotStarted:
		return fail(CheckOrder, "a start before the first move", kind, "the game has not begun")
	case play.CodeTableFull:
		return fail(CheckRoster, fmt.Sprintf("%d players at the most", p.open.Seats), kind, "every seat is taken")
	case play.CodeNameTaken:
		name := ""
		if b, ok := e.Body.(record.Join); ok {
			name = b.Name
		}
		return member("name", fail(CheckRoster, "another name", name, "two players have the same name"))
	case play.CodeNonceGiven:
		return fail(CheckNonce, "one nonce a seat", "another", "the seat gave its nonce before")
	case play.CodeTooLate:
		deadline, _ := p.replay.Table().Deadline()
		return member("t", fail(CheckLate, fmt.Sprintf("at most %d", deadline), e.T, "a move comes at or before the deadline of its turn"))
	case machine.CodeNotYourTurn:
		want := "nobody"
		if seat, ok := p.replay.Table().Turn(); ok {
			want = fmt.Sprint(seat)
		}
		got := kind
		if b, ok := e.Body.(record.Act); ok {
			got = fmt.Sprint(b.Seat)
		}
		return member("seat", fail(CheckTurn, want, got, "it is another seat's turn"))
	}
	switch b := e.Body.(type) {
	case record.Act:
		return fail(CheckMove, "a legal move", moveText(b), "the rules refuse this: %s", Plain(r.Sentence, 200))
	case record.Nonce:
		return member("nonce", fail(CheckNonce, "1 to 128 bytes", b.Nonce, "a nonce has words"))
	}
	return fail(CheckOrder, "a decision that the rules allow", kind, "%s", Plain(r.Sentence, 200))
}

func moveText(b record.Act) string {
	s := Plain(b.Action, 40)
	for i, a := range b.Args {
		if i == 4 {
			return s + " …"
		}
		s += fmt.Sprintf(" %s=%d", Plain(a.Name, 40), a.Value)
	}
	return s
}
