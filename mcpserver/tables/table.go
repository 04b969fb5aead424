package tables

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
)

// moment is a table as it was published. It does not change.
type moment struct {
	*play.Table
	receipt func() string // the server's signature on the log so far, made when it is first asked for
	changed chan struct{} // closed when the next moment is published
}

// table is a live table. Its goroutine owns what is not atomic.
type table struct {
	lobby   *Lobby
	code    string
	rules   *Ruleset
	opened  int64 // Unix milliseconds
	log     *slog.Logger
	inbox   chan func()
	gone    chan struct{} // closed when the goroutine has ended
	current atomic.Pointer[moment]
	tokens  []tokenHash                    // of its seats; the lobby's lock guards them
	touched atomic.Int64                   // when a player was last here, Unix milliseconds
	seen    [machine.MaxSeats]atomic.Int64 // the last event of the state that each seat was last shown

	lapsed [machine.MaxSeats]int64 // the event with which each seat's clock last ran out
	owed   bool                    // the clock of the turn in progress has to start again: the server was away, or could store nothing
	retry  time.Time               // when to try again what could not be stored; zero if all is
	shown  *moment                 // the last one that the bots were told of
	overAt time.Time               // when the game was over; long ago for a table that is to be let go
	ahead  int64                   // how far its log is ahead of the lobby's clock, in milliseconds
	bots   map[int]*botSeat
}

func newTable(l *Lobby, code string, rules *Ruleset, opened int64) *table {
	t := &table{
		lobby: l, code: code, rules: rules, opened: opened,
		log:   l.cfg.Log.With("table", logName(code)),
		inbox: make(chan func()), gone: make(chan struct{}),
		bots: map[int]*botSeat{},
	}
	t.touch()
	return t
}

// logName is a table's name in logs: a private table's code is a secret, so only a part of it is told.
func logName(code string) string {
	if len(code) > publicCode {
		return code[:publicCode] + "…"
	}
	return code
}

func (t *table) touch() { t.touched.Store(t.lobby.now()) }

// see notes what a seat was shown.
func (t *table) see(m *moment, seat int) {
	if seat != machine.None {
		t.seen[seat].Store(int64(m.Rev()) - 1)
	}
}

// publish makes a table the current one and wakes whoever waits for a change. Only the owner, or whoever makes the table, may.
func (t *table) publish(p *play.Table) *moment {
	m := &moment{Table: p, changed: make(chan struct{}), receipt: sync.OnceValue(func() string {
		return t.lobby.receipt(p.Info(), int64(p.Rev())-1, p.Head())
	})}
	if old := t.current.Swap(m); old != nil {
		close(old.changed)
	}
	return m
}

// errGone says that the table was let go while somebody asked it.
var errGone = errors.New("the table has been let go")

// do runs f in the table's goroutine. After ctx has ended f may still run, and its result is lost.
func (t *table) do(ctx context.Context, f func() (Object, error)) (Object, error) {
	type result struct {
		o   Object
		err error
	}
	reply := make(chan result, 1)
	job := func() {
		o, err := f()
		reply <- result{o, err}
	}
	select {
	case t.inbox <- job:
	case <-t.gone:
		return nil, errGone
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case r := <-reply:
		return r.o, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// post is do without an answer, for what comes back from a bot.
func (t *table) post(f func()) {
	select {
	case t.inbox <- f:
	case <-t.gone:
	}
}

// run is the owner's loop. It ends when the table is let go or the lobby closes.
func (t *table) run(ctx context.Context) {
	defer close(t.gone)
	defer t.closeBots()
	t.act(ctx)
	for {
		due, ok := t.due()
		if !ok {
			t.lobby.letGo(t)
			return
		}
		timer := time.NewTimer(time.Until(due))
		select {
		case f := <-t.inbox:
			f()
			t.act(ctx)
		case <-timer.C:
			t.tick(ctx)
			t.act(ctx)
		case <-ctx.Done():
			timer.Stop()
			return
		}
		timer.Stop()
	}
}

// due is when the table next has something to do by itself; ok is false once it can be let go. After what it tried could not
// be stored that is not before retry.
func (t *table) due() (at time.Time, ok bool) {
	at, ok = t.planned()
	if at.Before(t.retry) {
		at = t.retry
	}
	return at, ok
}

func (t *table) planned() (at time.Time, ok bool) {
	m := t.current.Load()
	switch m.Status() {
	case play.Open:
		return t.when(m.LastTime()).Add(t.lobby.limits.Unstarted), true
	case play.Live:
		if t.owed {
			return time.Now(), true
		}
		if deadline, ok := m.Deadline(); ok {
			return t.when(deadline + 1), true
		}
		return t.when(m.LastTime()).Add(t.lobby.limits.Unstarted), true
	case play.Over:
		at = t.overAt.Add(keepFinished)
		return at, time.Now().Before(at)
	default:
		return time.Time{}, false
	}
}

// retryAfter is how long a table waits before it tries again what could not be stored.
const retryAfter = time.Second

// tooLate is how late the owner can be to act on a clock and still hold it against the player.
const tooLate = 5 * time.Second

// tick does what is due: a timeout, or the end of a table where nothing happens.
func (t *table) tick(ctx context.Context) {
	if time.Now().Before(t.retry) || t.repay(ctx) != nil {
		return
	}
	m := t.current.Load()
	due, ok := t.due()
	late := time.Since(due)
	if !ok || late < 0 {
		return
	}
	if late > tooLate && m.Status() == play.Live {
		// The machine slept, or the disk did: the player may have moved in time and found nobody there.
		t.owed = true
		_ = t.repay(ctx)
		return
	}
	var b *play.Batch
	var err error
	_, clocked := m.Deadline()
	seat, _ := m.Turn()
	fault := t.faultOf(seat)
	if clocked {
		b, err = m.Timeout(t.now(), fault)
	} else if m.Status() != play.Over {
		b, err = m.Close(t.now(), record.ReasonExpired)
	}
	switch {
	case err != nil:
		t.failed(err)
	case b != nil:
		if _, err := t.commit(ctx, b, nil); err == nil && clocked {
			t.lapsed[seat] = int64(m.Rev())
			t.lobby.cfg.Observe.TimedOut(fault)
		}
	}
}

// failed notes that what was due could not be done or stored: that is logged once, and tried again after a while with the clock
// of a game in progress standing still.
func (t *table) failed(err error) {
	if t.retry.IsZero() {
		t.log.Error("the table stands still until it can be stored", "error", err)
	}
	t.retry = time.Now().Add(retryAfter)
	t.owed = t.current.Load().Status() == play.Live
}

// repay starts the clock of the turn in progress again, if that is owed. Until it is stored no clock runs out: what the server
// cannot do costs no player anything.
func (t *table) repay(ctx context.Context) error {
	m := t.current.Load()
	if !t.owed || m.Status() != play.Live {
		return nil
	}
	b, err := m.Resume(t.now())
	if err != nil {
		return err
	}
	if _, err = t.commit(ctx, b, nil); err == nil {
		t.owed = false
	}
	return err
}

// commit stores a batch and publishes the table after it. The append is carried through whatever becomes of the request
// that led to it.
func (t *table) commit(ctx context.Context, b *play.Batch, private map[string][]byte) (*moment, error) {
	before := t.current.Load()
	if b.Next.Status() == play.Over {
		private = withEnd(private, t.now())
	}
	_, err := t.lobby.cfg.Store.AppendPrivate(context.WithoutCancel(ctx), t.code, before.Rev(), b.Lines, private)
	if err != nil {
		t.failed(err)
	}
	switch {
	case errors.Is(err, record.ErrFull):
		return nil, refuse(CodeServerFull, "The server has no room left to keep this; nothing was changed. Try again later.")
	case err != nil:
		// What became of the append only the log can tell.
		if again, reloadErr := t.lobby.replay(context.WithoutCancel(ctx), t.code); reloadErr == nil && again.Rev() != before.Rev() {
			t.advance(ctx, again)
		}
		return nil, fmt.Errorf("append event %d: %w", before.Rev(), err)
	}
	if !t.retry.IsZero() {
		t.retry = time.Time{}
		t.log.Info("the table is stored again")
	}
	return t.advance(ctx, b.Next), nil
}

// advance publishes a table that is stored, and sees to its end.
func (t *table) advance(ctx context.Context, p *play.Table) *moment {
	m := t.publish(p)
	if m.Status() == play.Over {
		t.overAt = time.Now()
		t.log.InfoContext(ctx, "table over", "reason", m.End().Reason, "events", int64(m.Rev()))
		t.closeBots()
		t.lobby.finished(t)
	}
	return m
}

// Private values of a table in the store.
const (
	keySeed  = "seed"  // 32 bytes, until the game is over and the log holds it
	keyEnded = "ended" // when the game was over, Unix milliseconds
	keyAging = "aging" // the table's expiry is set
)

// Secret reports whether a private value of that name is one that no copy of the store may hold: a running game could go on from it.
func Secret(name string) bool { return name == keySeed || strings.HasPrefix(name, tokenPrefix) }

const tokenPrefix = "token-"

func keyToken(seat int) string { return tokenPrefix + strconv.Itoa(seat) }

func withEnd(private map[string][]byte, at int64) map[string][]byte {
	out := map[string][]byte{keySeed: nil, keyEnded: []byte(strconv.FormatInt(at, 10))}
	for k, v := range private {
		out[k] = v
	}
	return out
}
