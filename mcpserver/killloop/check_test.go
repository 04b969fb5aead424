package killloop_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"dudo.example/core/record"
	"dudo.example/mcpserver/client"
	"dudo.example/verifier"
)

// log downloads a table's log and reads its receipts.
func (t *table) log(ctx context.Context) (text []byte, open record.Open, lines []record.Line, err error) {
	fail := func(err error) ([]byte, record.Open, []record.Line, error) { return nil, record.Open{}, nil, err }
	if text, err = t.loop.client.Record(ctx, t.code); err != nil {
		return fail(err)
	}
	file, err := record.ReadFile(bytes.NewReader(text))
	if err != nil {
		return fail(err)
	}
	first, err := record.Parse(file.Lines[0])
	if err != nil {
		return fail(err)
	}
	open, ok := first.Body.(record.Open)
	if !ok {
		return fail(errors.New("the log does not begin with an open event"))
	}
	return text, open, file.Lines, nil
}

// checkReceipts holds every receipt of every table against the log that the server has recovered.
func (l *loop) checkReceipts(ctx context.Context) {
	l.mu.Lock()
	tables := slices.Clone(l.tables)
	l.mu.Unlock()
	for _, t := range tables {
		t.mu.Lock()
		receipts, over := slices.Clone(t.receipts), t.over
		t.mu.Unlock()
		if len(receipts) == 0 || over {
			continue
		}
		if err := t.checkReceipts(ctx, receipts); err != nil && ctx.Err() == nil {
			l.fail("table %s after a kill: %v", t.code, err)
		}
		l.checked.Add(int64(len(receipts)))
	}
}

func (t *table) checkReceipts(ctx context.Context, receipts []string) error {
	_, open, lines, err := t.log(ctx)
	if err != nil {
		return err
	}
	key, err := record.ParseKey(open.Key)
	if err != nil {
		return err
	}
	heads := make([]record.Head, len(lines))
	head := record.NoHead
	for i, line := range lines {
		head = head.Next(line)
		heads[i] = head
	}
	for _, text := range receipts {
		r, err := record.ParseReceipt(text)
		switch {
		case err != nil:
			return err
		case r.N >= int64(len(lines)):
			return fmt.Errorf("there is a receipt of event %d, and %d events", r.N, len(lines))
		case r.Head != heads[r.N]:
			return fmt.Errorf("the receipt of event %d is of another history", r.N)
		case !r.Verify(key, open.Origin, open.GID):
			return fmt.Errorf("the receipt of event %d is not signed", r.N)
		}
	}
	return nil
}

// checkRecord verifies a finished game, and finds every move in it.
func (t *table) checkRecord(ctx context.Context) {
	for {
		kills := t.loop.out.over(ctx)
		err := t.verify(ctx)
		if err == nil {
			t.loop.games.Add(1)
			break
		}
		var status *client.StatusError
		if errors.As(err, &status) || t.loop.out.over(ctx) == kills {
			t.loop.fail("table %s: %v", t.code, err)
			break
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
}

func (t *table) verify(ctx context.Context) error {
	text, open, lines, err := t.log(ctx)
	if err != nil {
		return err
	}
	key, err := record.ParseKey(open.Key)
	if err != nil {
		return err
	}
	options := verifier.Options{Key: key}
	for _, text := range t.receipts {
		r, err := record.ParseReceipt(text)
		if err != nil {
			return err
		}
		options.Kept = append(options.Kept, r)
	}
	report, err := verifier.Verify(bytes.NewReader(text), options)
	switch {
	case err != nil:
		return err
	case report.Failure != nil:
		return report.Failure
	case report.Ending == nil || len(report.Ending.Places) != len(t.players):
		return errors.New("not every seat has a place at the end")
	}
	for i, p := range report.Players {
		if p.Name != t.players[i].Name || t.players[i].Seat != i {
			return fmt.Errorf("seat %d is held by %s", i, p.Name)
		}
	}
	return t.findMoves(lines)
}

// findMoves compares the moves of a record with those that were sent.
func (t *table) findMoves(lines []record.Line) error {
	found := map[string]bool{}
	stored := int64(0)
	for _, line := range lines {
		e, err := record.Parse(line)
		if err != nil {
			return err
		}
		switch body := e.Body.(type) {
		case record.Timeout:
			return fmt.Errorf("event %d: the clock ran out for seat %d", e.N, body.Seat)
		case record.Act:
			sent := t.attempts[body.Say]
			switch {
			case sent == nil:
				return fmt.Errorf("event %d: nobody sent %+v", e.N, body)
			case found[body.Say]:
				return fmt.Errorf("event %d: %q is there twice", e.N, body.Say)
			case sent.seat != body.Seat || sent.action != body.Action || len(sent.args) != len(body.Args):
				return fmt.Errorf("event %d is %+v, and %+v was sent", e.N, body, *sent)
			case sent.n >= 0 && sent.n != e.N:
				return fmt.Errorf("event %d was answered as event %d", e.N, sent.n)
			case sent.n == refused:
				return fmt.Errorf("event %d was refused", e.N)
			case sent.n == unanswered:
				stored++
			}
			for _, arg := range body.Args {
				if sent.args[arg.Name] != arg.Value {
					return fmt.Errorf("event %d is %+v, and %+v was sent", e.N, body, *sent)
				}
			}
			found[body.Say] = true
		}
	}
	for say, sent := range t.attempts {
		if sent.n >= 0 && !found[say] {
			return fmt.Errorf("event %d was answered and is lost", sent.n)
		}
	}
	t.loop.stored.Add(stored)
	return nil
}

// checkSeats asks for every seat that was taken at a table whose making a kill came across, and that nobody has played since.
func (l *loop) checkSeats(ctx context.Context) {
	seats := 0
	for _, t := range l.tables {
		if t.over {
			continue
		}
		for _, p := range t.players {
			s, err := p.ask(ctx, "get_state", map[string]any{"token": p.Token})
			if err != nil || s.Table != t.code || len(s.Seats) <= p.Seat || s.Seats[p.Seat].Name != p.Name {
				l.t.Errorf("table %s, seat %d: %v; %+v", t.code, p.Seat, err, s.Seats)
			}
			seats++
		}
	}
	l.t.Logf("%d seats of games that were not begun are kept", seats)
}

func (l *loop) report() {
	l.t.Logf("%d kills, %d of them while it started; %d games finished and verified; %d moves answered, %d not, of which %d were stored; "+
		"%d times a receipt was held against a recovered log",
		l.out.count+l.early, l.early, l.games.Load(), l.moves.Load(), l.unanswered.Load(), l.stored.Load(), l.checked.Load())
}
