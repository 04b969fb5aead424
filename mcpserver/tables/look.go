package tables

import (
	"context"
	"net/netip"
	"time"

	"dudo.example/core/machine"
	"dudo.example/core/play"
)

// State answers with a view of a table, at once or when there is something to do: for a seat its turn, a position that is new to
// it and in which it may act out of turn, the end of the game, or before the start any change; for a spectator any event after
// since.
func (l *Lobby) State(ctx context.Context, addr netip.Addr, look Look) (Object, error) {
	t, m, seat, err := l.at(ctx, look)
	if err != nil {
		return nil, err
	}
	if look.Nonce != "" {
		if err := t.nonce(ctx, seat, look.Nonce); err != nil {
			return nil, err
		}
		m = t.current.Load()
	}
	if m, err = l.wait(ctx, addr, t, m, seat, look); err != nil {
		return nil, err
	}
	t.see(m, seat)
	if look.Since >= 0 {
		return t.delta(m, seat, look.Since), nil
	}
	return t.state(m, seat), nil
}

// at finds the table and seat that a look means.
func (l *Lobby) at(ctx context.Context, look Look) (t *table, m *moment, seat int, err error) {
	switch {
	case look.Token != "":
		ref, err := l.seatOf(look.Token)
		if err != nil {
			return nil, nil, 0, err
		}
		ref.table.touch()
		return ref.table, ref.table.current.Load(), ref.seat, nil
	case look.Nonce != "":
		return nil, nil, 0, refuse(CodeNoToken, "A nonce needs the token of a seat.")
	}
	if t := l.lookup(look.Table); t != nil {
		return t, t.current.Load(), machine.None, nil
	}
	t, err = l.archived(ctx, normalCode(look.Table))
	if err != nil {
		return nil, nil, 0, err
	}
	return t, t.current.Load(), machine.None, nil
}

// nonce mixes a seated player's words into their dice, before the start.
func (t *table) nonce(ctx context.Context, seat int, nonce string) error {
	nonce, err := checkNonce(nonce)
	if err != nil {
		return err
	}
	_, err = t.do(ctx, func() (Object, error) {
		b, err := t.current.Load().Nonce(t.now(), seat, nonce)
		if err != nil {
			return nil, err
		}
		_, err = t.commit(ctx, b, nil)
		return nil, err
	})
	return tokenGone(err)
}

// wait gives the first moment that the look is for, or the last one when its time is over.
func (l *Lobby) wait(ctx context.Context, addr netip.Addr, t *table, m *moment, seat int, look Look) (*moment, error) {
	from := int64(m.Rev()) - 1
	switch {
	case look.Since >= 0:
		from = min(from, look.Since)
	case seat != machine.None && m.Status() == play.Live:
		from = min(from, t.seen[seat].Load())
	}
	if look.Wait <= 0 || worth(m, seat, from) {
		return m, nil
	}
	leave, err := l.waiters.enter(addr, place{t.code, seat})
	if err != nil {
		return nil, err
	}
	defer leave()
	timer := time.NewTimer(min(look.Wait, MaxWait))
	defer timer.Stop()
	end := "woken"
	for end == "woken" && !worth(m, seat, from) {
		select {
		case <-m.changed:
		case <-timer.C:
			end = "timeout"
		case <-look.Stop:
			end = "drained"
		case <-l.ctx.Done():
			end = "drained"
		case <-ctx.Done():
			l.cfg.Observe.Waited("gone")
			return nil, ctx.Err()
		}
		m = t.current.Load()
	}
	l.cfg.Observe.Waited(end)
	return m, nil
}

// worth says whether a moment is worth waking a viewer for who has seen the events up to from.
func worth(m *moment, seat int, from int64) bool {
	if m.Status() == play.Over {
		return true
	}
	if seat == machine.None || m.Status() == play.Open {
		return int64(m.Rev())-1 > from
	}
	if turn, ok := m.Turn(); ok && turn == seat {
		return true
	}
	return int64(m.Rev())-1 > from && m.mayAct(seat)
}

// mayAct says whether a seat has a move, in turn or out of it.
func (m *moment) mayAct(seat int) bool {
	var set machine.MoveSet
	m.Position().Legal(seat, &set)
	return set.Len() > 0
}
