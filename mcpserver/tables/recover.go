package tables

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"dudo.example/core/deal"
	"dudo.example/core/play"
	"dudo.example/core/record"
)

// recover brings back the unfinished tables of the store.
func (l *Lobby) recover(ctx context.Context) error {
	var codes []string
	for code, err := range l.cfg.Store.Tables(ctx) {
		if err != nil {
			return fmt.Errorf("list the tables: %w", err)
		}
		codes = append(codes, code)
	}
	var over []finishedTable
	for _, code := range codes {
		private, err := l.cfg.Store.Private(ctx, code)
		if errors.Is(err, record.ErrNotFound) {
			continue // it has expired meanwhile
		}
		if err != nil {
			return fmt.Errorf("read table %s: %w", logName(code), err)
		}
		if private[keySeed] == nil {
			if private[keyAging] == nil {
				l.ageLater(code, private[keyEnded])
			}
			if at, err := strconv.ParseInt(string(private[keyEnded]), 10, 64); err == nil && len(code) < privateCode {
				over = append(over, finishedTable{code, at})
			}
			continue
		}
		p, rules, err := l.load(ctx, code, private[keySeed])
		if err == nil {
			l.bringBack(ctx, code, p, rules, private)
			continue
		}
		l.cfg.Log.Error("a table cannot go on", "table", logName(code), "error", err)
		if errors.Is(err, errUnread) {
			continue // it may be read at the next start
		}
		if err := l.abandon(ctx, code, private[keySeed]); err != nil {
			l.cfg.Log.Error("and could not be ended", "table", logName(code), "error", err)
		}
	}
	l.listAgain(ctx, over)
	return nil
}

// finishedTable is a finished table of the store; at is when it was over, in Unix milliseconds.
type finishedTable struct {
	code string
	at   int64
}

// listAgain fills the list of recent tables from the store.
func (l *Lobby) listAgain(ctx context.Context, over []finishedTable) {
	slices.SortFunc(over, func(a, b finishedTable) int { return cmp.Compare(a.at, b.at) })
	for _, f := range over[max(0, len(over)-recentTables):] {
		t, err := l.archived(ctx, f.code)
		if err != nil {
			l.cfg.Log.Error("a finished table cannot be listed", "table", logName(f.code), "error", err)
			continue
		}
		l.mu.Lock()
		l.listFinished(t)
		l.mu.Unlock()
	}
}

// bringBack starts a table again that was replayed. The clock of the turn in progress starts again too, as soon as that can be
// stored.
func (l *Lobby) bringBack(ctx context.Context, code string, p *play.Table, rules *Ruleset, private map[string][]byte) {
	t := newTable(l, code, rules, p.LastTime())
	t.owed = p.Status() == play.Live
	t.ahead = max(0, p.LastTime()-l.now())
	m := t.publish(p)
	for seat := range p.Players() {
		t.see(m, seat)
		if hash := private[keyToken(seat)]; len(hash) == len(tokenHash{}) {
			l.remember(tokenHash(hash), t, seat)
		}
	}
	_ = t.repay(ctx) // it says so itself if it cannot, and the owner tries again
	t.log.InfoContext(ctx, "table brought back", "status", string(p.Status()), "events", int64(t.current.Load().Rev()))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open++
	l.launch(t)
}

// abandon ends a table that cannot go on, so that its seed is known all the same.
func (l *Lobby) abandon(ctx context.Context, code string, seed []byte) error {
	if len(seed) != len(deal.Seed{}) {
		return errors.New("its seed is damaged")
	}
	var last record.Event
	rev := record.Rev(0)
	for line, err := range l.cfg.Store.Read(ctx, code, 0) {
		if err != nil {
			return err
		}
		if last, err = record.Parse(line); err != nil {
			return err
		}
		rev++
	}
	end := record.Event{N: int64(rev), T: max(l.now(), last.T), Body: record.End{
		Reason: record.ReasonAbandoned, Seed: deal.Seed(seed).Hex(),
	}}
	if _, err := l.cfg.Store.AppendPrivate(ctx, code, rev, []record.Line{end.Encode()}, withEnd(nil, l.now())); err != nil {
		return err
	}
	l.ageLater(code, nil)
	return nil
}

// ageLater sets a finished table's expiry, in the background: nobody waits for it. ended is when it was over, in Unix milliseconds;
// now if it is not known.
func (l *Lobby) ageLater(code string, ended []byte) {
	l.owners.Add(1)
	go func() {
		defer l.owners.Done()
		l.aging <- struct{}{} // a few at a time
		defer func() { <-l.aging }()
		if err := l.age(context.WithoutCancel(l.ctx), code, ended); err != nil && !errors.Is(err, record.ErrNotFound) {
			l.cfg.Log.Error("a finished table's expiry could not be set; it will be at the next start", "table", logName(code), "error", err)
		}
	}()
}

func (l *Lobby) age(ctx context.Context, code string, ended []byte) error {
	left := l.limits.Finished
	if ms, err := strconv.ParseInt(string(ended), 10, 64); err == nil {
		left = max(time.Second, left-time.Duration(l.now()-ms)*time.Millisecond)
	}
	lines, err := l.lines(ctx, code)
	if err != nil {
		return err
	}
	if err := l.cfg.Store.Expire(ctx, code, left); err != nil {
		return err
	}
	_, err = l.cfg.Store.AppendPrivate(ctx, code, record.Rev(len(lines)), nil, map[string][]byte{keyAging: {1}})
	return err
}

// replay derives a running table from the log again.
func (l *Lobby) replay(ctx context.Context, code string) (*play.Table, error) {
	private, err := l.cfg.Store.Private(ctx, code)
	if err != nil {
		return nil, err
	}
	p, _, err := l.load(ctx, code, private[keySeed])
	return p, err
}

// load derives a table from its log. seed is nil for a finished one, whose log ends with it.
func (l *Lobby) load(ctx context.Context, code string, seed []byte) (*play.Table, *Ruleset, error) {
	lines, err := l.lines(ctx, code)
	if err != nil {
		return nil, nil, err
	}
	if seed == nil {
		if seed, err = lastSeed(lines); err != nil {
			return nil, nil, err
		}
	}
	if len(seed) != len(deal.Seed{}) {
		return nil, nil, errors.New("its seed is damaged")
	}
	var rules *Ruleset
	r := play.NewReplay(deal.Seed(seed), func(open record.Open) (play.Compile, error) {
		if rules, err = l.rulesOf(open); err != nil {
			return nil, err
		}
		return rules.compile(open.Options), nil
	})
	for i, line := range lines {
		if _, err := r.Next(line); err != nil {
			return nil, nil, fmt.Errorf("event %d of the log: %w", i, err)
		}
	}
	if r.Table() == nil || r.Pending() {
		return nil, nil, errors.New("the log ends in the middle of a decision")
	}
	return r.Table(), rules, nil
}

// errUnread says that the store could not be read, which says nothing of what is in it.
var errUnread = errors.New("the log could not be read")

func (l *Lobby) lines(ctx context.Context, code string) ([]record.Line, error) {
	var lines []record.Line
	for line, err := range l.cfg.Store.Read(ctx, code, 0) {
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errUnread, err)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// errCutOff is a game whose seed was left out of the backup that it comes from.
var errCutOff = errors.New("it has neither a seed nor an end")

func lastSeed(lines []record.Line) ([]byte, error) {
	if len(lines) == 0 {
		return nil, record.ErrNotFound
	}
	e, err := record.Parse(lines[len(lines)-1])
	if err != nil {
		return nil, err
	}
	end, ok := e.Body.(record.End)
	if !ok {
		return nil, errCutOff
	}
	seed, err := deal.ParseSeed(end.Seed)
	return seed[:], err
}

// rulesOf gives the rules that a table was made with: those on offer or of another table if they are the same bytes, else those
// in its log.
func (l *Lobby) rulesOf(open record.Open) (*Ruleset, error) {
	if r, ok := l.offered(open.Rules.SHA256); ok {
		return r, nil
	}
	if r, ok := l.loaded.Get(open.Rules.SHA256); ok {
		return r, nil
	}
	if l.cfg.LoadRules == nil {
		return nil, errors.New("its rules are not on offer any more")
	}
	rules, err := l.cfg.LoadRules(open.Rules.Text)
	if err != nil {
		return nil, fmt.Errorf("its rules: %w", err)
	}
	l.loaded.Add(rules.SHA256, &rules)
	return &rules, nil
}
