package tables

import (
	"context"
	"errors"
	"slices"
	"time"

	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
)

// finished notes that a table is over: it no longer counts as open, is listed among the recent ones, and expires some day.
// It runs in the table's goroutine.
func (l *Lobby) finished(t *table) {
	l.mu.Lock()
	l.open--
	l.listFinished(t)
	var oldest *table
	if l.kept = append(l.kept, t); len(l.kept) > mostFinished {
		oldest = l.kept[0]
		l.kept = slices.Delete(l.kept, 0, 1)
	}
	l.mu.Unlock()
	if oldest != nil {
		go oldest.post(func() { oldest.overAt = time.Time{} })
	}
	l.noteRules(t.rules)
	l.ageLater(t.code, nil)
}

// listFinished puts a finished table into the list of recent ones, if it is public and somebody sat there. The lock must be held.
func (l *Lobby) listFinished(t *table) {
	m := t.current.Load()
	if !m.Info().Public || len(m.Players()) == 0 {
		return
	}
	l.recent = append(l.recent, t.summary(m))
	if extra := len(l.recent) - recentTables; extra > 0 {
		l.recent = slices.Delete(l.recent, 0, extra)
	}
}

// letGo forgets a finished table; what is asked of it then is answered from the store.
func (l *Lobby) letGo(t *table) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.live, t.code)
	for _, hash := range t.tokens {
		delete(l.seats, hash)
	}
	if i := slices.Index(l.kept, t); i >= 0 {
		l.kept = slices.Delete(l.kept, i, i+1)
	}
}

// archived reads a finished table from the store. It has no goroutine and can only be looked at.
func (l *Lobby) archived(ctx context.Context, code string) (*table, error) {
	if code == "" {
		return nil, noTable()
	}
	p, rules, err := l.load(ctx, code, nil)
	switch {
	case errors.Is(err, record.ErrNotFound):
		return nil, noTable()
	case errors.Is(err, errCutOff):
		return nil, refuse(CodeNoTable, "The server lost this game when it was restored from a backup; its record ends there. Join or create another table.")
	case err != nil:
		return nil, err
	}
	t := newTable(l, code, rules, p.LastTime())
	close(t.gone)
	t.publish(p)
	return t, nil
}

// Record is the table's log so far with a receipt for it; of a finished table, its record.
func (l *Lobby) Record(ctx context.Context, table string) (record.File, error) {
	code := normalCode(table)
	if code == "" {
		return record.File{}, noTable()
	}
	lines, err := l.lines(ctx, code)
	switch {
	case errors.Is(err, record.ErrNotFound) || (err == nil && len(lines) == 0):
		return record.File{}, noTable()
	case err != nil:
		return record.File{}, err
	}
	e, err := record.Parse(lines[0])
	if err != nil {
		return record.File{}, err
	}
	open, ok := e.Body.(record.Open)
	if !ok {
		return record.File{}, errors.New("the log does not begin with an open event")
	}
	return record.File{Lines: lines, Receipt: l.receipt(&open, int64(len(lines))-1, record.HeadOf(lines))}, nil
}

// List answers with the public tables, those that can be joined first, and what is on offer. With a game it lists only what is of
// that game, and tells its rules, options and presets.
func (l *Lobby) List(_ context.Context, game string) (Object, error) {
	rules := []record.Value{}
	offer := l.Rules()
	for i := range offer {
		r := &offer[i]
		switch game {
		case "":
			rules = append(rules, Object{{Name: "rules", Value: r.Game}, {Name: "title", Value: r.Title}})
		case r.Game:
			rules = append(rules, r.details())
		}
	}
	if len(rules) == 0 {
		return nil, noRules()
	}
	bots := []record.Value{}
	for _, b := range l.Bots() {
		bots = append(bots, b.Name)
	}
	return Object{
		{Name: "tables", Value: l.listed(game)},
		{Name: "rules", Value: rules},
		{Name: "bots", Value: bots},
		{Name: "next", Value: "Take a seat with join_table: with a table's code, or without one for quick match."},
	}, nil
}

// listed are the public tables of a game, of all games if it is empty.
func (l *Lobby) listed(game string) []record.Value {
	l.mu.Lock()
	live := make([]*table, 0, len(l.live))
	for _, t := range l.live {
		live = append(live, t)
	}
	recent := slices.Clone(l.recent)
	l.mu.Unlock()

	slices.SortFunc(live, func(a, b *table) int { return int(a.opened - b.opened) })
	list := []record.Value{}
	for _, status := range []play.Status{play.Open, play.Live} {
		for _, t := range live {
			if m := t.current.Load(); m.Status() == status && m.Info().Public && len(list) < maxListed && t.plays(game) {
				list = append(list, t.summary(m))
			}
		}
	}
	for _, o := range slices.Backward(recent) {
		if of, _ := o.Get("rules"); game == "" || of == game {
			list = append(list, o)
		}
	}
	return list
}

func (t *table) plays(game string) bool { return game == "" || t.rules.Game == game }

// maxListed bounds the open and live tables of a list.
const maxListed = 50

// summary is a table in a list. It can be shared: nothing writes to it any more.
func (t *table) summary(m *moment) Object {
	info := m.Info()
	o := m.seenBy(machine.None).addSeats(Object{
		{Name: "table", Value: t.code},
		{Name: "status", Value: string(m.Status())},
		{Name: "rules", Value: info.Rules.Game},
		{Name: "options", Value: optionValues(info.Options)},
		{Name: "turn_seconds", Value: info.TurnSeconds},
	})
	if e := m.End(); e != nil {
		o = o.With("record", "/record/"+t.code).With("ended", time.UnixMilli(m.LastTime()).UTC().Format(time.RFC3339))
		if e.Places != nil {
			o = o.With("places", e.Places)
		}
	}
	o.Encode() // which sorts it
	return o
}
