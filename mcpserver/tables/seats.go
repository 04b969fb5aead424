package tables

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/mcpserver/words"
	"dudo.example/plugins/host"
)

// Join takes a seat at a table, or at the table that quick match finds. It answers with the seat's secret token.
func (l *Lobby) Join(ctx context.Context, addr netip.Addr, j Join) (Object, error) {
	if err := words.Name(j.Name); err != nil {
		return nil, err
	}
	if l.reserved(j.Name) {
		return nil, refuse(play.CodeNameTaken, "That is the name of a bot here; choose another.")
	}
	nonce, err := checkNonce(j.Nonce)
	if err != nil {
		return nil, err
	}
	for {
		t, err := l.find(ctx, addr, j)
		if err != nil {
			return nil, err
		}
		o, err := t.do(ctx, func() (Object, error) { return t.join(ctx, j.Name, nonce) })
		if j.Table == "" && (errors.Is(err, errGone) || isRefusal(err, play.CodeStarted, play.CodeTableFull, play.CodeNameTaken)) {
			continue // somebody was faster: look for another table
		}
		if errors.Is(err, errGone) {
			return nil, noTable()
		}
		return o, err
	}
}

// checkNonce checks a nonce if there is one.
func checkNonce(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	return words.Nonce(s)
}

func isRefusal(err error, codes ...string) bool {
	var r *Refusal
	return errors.As(err, &r) && slices.Contains(codes, r.Code)
}

// reserved says whether a name could be taken for one of a bot's, which may have a number behind it.
func (l *Lobby) reserved(name string) bool {
	folded, plain := words.Fold(name), words.Fold(strings.TrimRight(name, "0123456789._-"))
	return slices.ContainsFunc(l.Bots(), func(b host.Info) bool {
		bot := words.Fold(b.Name)
		return bot == folded || bot == plain
	})
}

func taken(m *moment, name string) bool {
	folded := words.Fold(name)
	return slices.ContainsFunc(m.Players(), func(p play.Player) bool { return words.Fold(p.Name) == folded })
}

// find gives the table that is asked for, or the one that quick match finds or makes.
func (l *Lobby) find(ctx context.Context, addr netip.Addr, j Join) (*table, error) {
	if j.Table != "" {
		if t := l.lookup(j.Table); t != nil {
			return t, nil
		}
		return nil, noTable()
	}
	// One at a time, so that players who come together find each other and do not make a table each.
	select {
	case l.matching <- struct{}{}:
		defer func() { <-l.matching }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if t := l.quickMatch(j.Name); t != nil {
		return t, nil
	}
	return l.create(ctx, addr, Settings{})
}

func (l *Lobby) lookup(code string) *table {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.live[normalCode(code)]
}

// quickMatch finds the oldest public table with a free seat that was touched lately and where the name is free.
func (l *Lobby) quickMatch(name string) *table {
	l.mu.Lock()
	defer l.mu.Unlock()
	var best *table
	for _, t := range l.live {
		m := t.current.Load()
		if m.Status() != play.Open || !m.Info().Public || len(m.Players()) >= m.Info().Seats || taken(m, name) ||
			l.now()-t.touched.Load() > quickMatchAge.Milliseconds() {
			continue
		}
		if best == nil || t.opened < best.opened || (t.opened == best.opened && t.code < best.code) {
			best = t
		}
	}
	return best
}

// join seats a player. It runs in the table's goroutine.
func (t *table) join(ctx context.Context, name, nonce string) (Object, error) {
	m := t.current.Load()
	if m.Status() == play.Open && taken(m, name) {
		return nil, refuse(play.CodeNameTaken, "Somebody at this table has that name, or one that looks like it; choose another.")
	}
	seat := len(m.Players())
	b, err := m.Join(t.now(), name, nil)
	if err != nil {
		return nil, err
	}
	if nonce != "" {
		if b, err = then(b, func(p *play.Table) (*play.Batch, error) { return p.Nonce(t.now(), seat, nonce) }); err != nil {
			return nil, err
		}
	}
	token, hash := newToken()
	m, err = t.commit(ctx, b, map[string][]byte{keyToken(seat): hash[:]})
	if err != nil {
		return nil, err
	}
	t.touch()
	t.log.InfoContext(ctx, "seat taken", "seat", seat)
	t.lobby.remember(hash, t, seat)
	return Object{
		{Name: "table", Value: t.code},
		{Name: "gid", Value: m.Info().GID},
		{Name: "token", Value: token},
		{Name: "seat", Value: seat},
		{Name: "commit", Value: m.Info().Commit},
		{Name: "receipt", Value: m.receipt()},
		{Name: "rules", Value: m.Info().Rules.Game},
		{Name: "about", Value: squeeze(t.rules.About)},
		{Name: "options", Value: optionValues(m.Info().Options)},
		{Name: "next", Value: t.nextSentence(m.seenBy(seat))},
	}, nil
}

// then makes one batch of a decision and another that follows it.
func then(b *play.Batch, decide func(*play.Table) (*play.Batch, error)) (*play.Batch, error) {
	more, err := decide(b.Next)
	if err != nil {
		return nil, err
	}
	return &play.Batch{Next: more.Next, Lines: append(b.Lines, more.Lines...)}, nil
}

func (l *Lobby) remember(hash tokenHash, t *table, seat int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seats[hash] = seatRef{t, seat}
	t.tokens = append(t.tokens, hash)
}

// seatOf finds the seat of a token.
func (l *Lobby) seatOf(token string) (seatRef, error) {
	hash := hashToken(token)
	l.mu.Lock()
	defer l.mu.Unlock()
	ref, ok := l.seats[hash]
	if !ok {
		return seatRef{}, noToken()
	}
	return ref, nil
}

// Start begins the game at the token's table, after seating bots of the names given; nil adds one house bot to a player who is
// alone. It answers with the state.
func (l *Lobby) Start(ctx context.Context, token string, bots []string, nonce string) (Object, error) {
	ref, err := l.seatOf(token)
	if err != nil {
		return nil, err
	}
	if nonce, err = checkNonce(nonce); err != nil {
		return nil, err
	}
	t := ref.table
	t.touch()
	o, err := t.do(ctx, func() (Object, error) { return t.start(ctx, ref.seat, bots, nonce) })
	return o, tokenGone(err)
}

// tokenGone is the answer to a token whose table has been let go.
func tokenGone(err error) error {
	if errors.Is(err, errGone) {
		return noToken()
	}
	return err
}

func (t *table) start(ctx context.Context, seat int, bots []string, nonce string) (Object, error) {
	m := t.current.Load()
	if m.Status() == play.Open && bots == nil && len(m.Players()) == 1 {
		if house := t.lobby.Bots(); len(house) > 0 {
			bots = []string{house[0].Name}
		}
	}
	b := &play.Batch{Next: m.Table}
	var err error
	add := func(decide func(*play.Table) (*play.Batch, error)) {
		if err == nil {
			b, err = then(b, decide)
		}
	}
	if nonce != "" {
		add(func(p *play.Table) (*play.Batch, error) { return p.Nonce(t.now(), seat, nonce) })
	}
	if m.Status() == play.Open {
		opening, cancel := context.WithTimeout(ctx, openBots)
		defer cancel()
		for _, name := range bots {
			bot, errBot := t.seatBot(opening, b.Next, name)
			if errBot != nil {
				err = errBot
				break
			}
			add(func(p *play.Table) (*play.Batch, error) { return p.Join(t.now(), bot.name, bot.info) })
		}
	}
	add(func(p *play.Table) (*play.Batch, error) { return p.Start(t.now(), seat) })
	if err == nil {
		m, err = t.commit(ctx, b, nil)
	}
	if err != nil {
		if t.current.Load().Status() == play.Open {
			t.closeBots() // none has a seat
		}
		return nil, err
	}
	t.log.InfoContext(ctx, "game started", "seats", len(m.Players()), "bots", len(bots))
	return t.withReceipt(m, seat), nil
}

// newBot is a bot about to take a seat.
type newBot struct {
	name string
	info *record.Bot
}

// seatBot gives a bot the name that it has at the table: its own, or with a number if that is taken.
func (t *table) seatBot(ctx context.Context, p *play.Table, bot string) (newBot, error) {
	if t.lobby.cfg.Bots == nil {
		return newBot{}, refuse(CodeNoBot, "There are no bots here; wait for others to join.")
	}
	info, ok := t.lobby.cfg.Bots.Lookup(bot)
	if !ok {
		return newBot{}, refuse(CodeNoBot, "There is no bot of that name; list_tables names those on offer.")
	}
	if len(p.Players()) >= p.Info().Seats {
		return newBot{}, refuse(play.CodeTableFull, "There are fewer free seats than bots asked for; ask for fewer.")
	}
	name := info.Name
	for k := 2; taken(&moment{Table: p}, name); k++ {
		name = info.Name + "-" + strconv.Itoa(k)
	}
	if err := t.openBot(ctx, len(p.Players()), info.Name, name); err != nil {
		return newBot{}, err
	}
	info, _ = t.lobby.cfg.Bots.Lookup(bot) // again: a bot tells its version once it runs
	return newBot{name, &record.Bot{Name: info.Name, Version: info.Version, SHA256: info.SHA256}}, nil
}

// Act makes a move for the token's seat. on is the event number that the player saw, negative for none: if the game has moved
// on since, the move is refused. Without it a move is refused if the player's clock ran out since the last state that the seat was
// shown: it was meant for the round that this ended. It answers with the new state and a receipt.
func (l *Lobby) Act(ctx context.Context, token string, on int64, move play.Move) (Object, error) {
	ref, err := l.seatOf(token)
	if err != nil {
		return nil, err
	}
	if move.Say != "" {
		if move.Say, err = words.Talk(move.Say); err != nil {
			return nil, err
		}
	}
	t := ref.table
	if err := t.rules.takes(move); err != nil {
		return nil, err
	}
	t.touch()
	o, err := t.do(ctx, func() (Object, error) {
		if err := t.repay(ctx); err != nil {
			return nil, err
		}
		t.tick(ctx) // a clock that has run out comes before the move
		m := t.current.Load()
		if err := t.fresh(m, ref.seat, on, move.Action); err != nil {
			return nil, err
		}
		m, err := t.move(ctx, m, ref.seat, move)
		if err != nil {
			return nil, err
		}
		return t.withReceipt(m, ref.seat), nil
	})
	return o, tokenGone(err)
}

// fresh refuses a move that was made for an earlier position. What can be done out of turn, and the others move meanwhile, is for the
// position that the seat was last shown.
func (t *table) fresh(m *moment, seat int, on int64, action string) error {
	switch {
	case m.Status() != play.Live:
		return nil // which is refused as such
	case on >= 0 && on != int64(m.Rev())-1, on < 0 && t.seen[seat].Load() < int64(m.Rev())-1 && m.outOfTurn(seat, action):
		return refuse(CodeMovedOn, "The game has moved on since the state you saw; call get_state.")
	case on < 0 && t.seen[seat].Load() < t.lapsed[seat]:
		return refuse(CodeMovedOn, "Your clock ran out and a new round has begun since the state you saw; call get_state.")
	}
	return nil
}

// outOfTurn says whether it is not the seat's turn and the action one that does not need to be.
func (m *moment) outOfTurn(seat int, action string) bool {
	turn, _ := m.Turn()
	a, ok := m.Position().FindAction(action)
	return turn != seat && ok && a.Who != nil
}

func (t *table) move(ctx context.Context, m *moment, seat int, move play.Move) (*moment, error) {
	b, err := m.Act(t.now(), seat, move)
	if err != nil {
		return nil, err
	}
	if m, err = t.commit(ctx, b, nil); err == nil {
		t.lobby.cfg.Observe.Moved(move.Action)
	}
	return m, err
}

func (t *table) withReceipt(m *moment, seat int) Object {
	t.see(m, seat)
	o := t.state(m, seat)
	if receipt := m.receipt(); receipt != "" {
		o = o.With("receipt", receipt)
	}
	return o
}
