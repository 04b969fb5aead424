package tables

import (
	"context"
	"errors"
	"slices"
	"time"

	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/mcpserver/words"
	"dudo.example/plugins/host"
)

// botSeat is a seat that a bot plays. It belongs to the table's goroutine.
type botSeat struct {
	bot   string
	name  string
	seat  *host.Seat // nil until it is opened again after a restart
	fault string     // what kept it from moving in this turn
	tries int        // faults in this turn
}

const (
	retryFirst = 500 * time.Millisecond // after a bot's first fault in a turn, then twice as long each time
	retryMost  = 10 * time.Second
	openBots   = 20 * time.Second // for all bots of a game to start
)

// openBot starts a bot for a seat before it joins, so that a bot that does not work takes no seat.
func (t *table) openBot(ctx context.Context, seat int, bot, name string) error {
	opened, err := t.lobby.cfg.Bots.Open(ctx, bot, t.seatInfo(seat, name))
	if err != nil {
		t.log.Warn("a bot could not be started", "bot", bot, "outcome", string(host.OutcomeOf(err)), "error", err)
		return refuse(CodeBotUnavailable, "That bot does not start at the moment; choose another bot, or wait for others to join.")
	}
	t.bots[seat] = &botSeat{bot: bot, name: name, seat: opened}
	return nil
}

func (t *table) seatInfo(seat int, name string) host.SeatInfo {
	info := t.current.Load().Info()
	s := host.SeatInfo{
		GID: info.GID, Game: info.Rules.Game, RulesSHA256: info.Rules.SHA256, RulesText: info.Rules.Text,
		Options: map[string]int64{}, Actions: map[string][]string{}, Seats: info.Seats, Seat: seat, Name: name,
	}
	for _, o := range info.Options {
		s.Options[o.Name] = int64(o.Value)
	}
	for _, a := range t.rules.Actions {
		names := make([]string, len(a.Params))
		for i, p := range a.Params {
			names[i] = p.Name
		}
		s.Actions[a.Name] = names
	}
	return s
}

func (t *table) closeBots() {
	for seat, b := range t.bots {
		if b.seat != nil {
			b.seat.Close()
		}
		delete(t.bots, seat)
	}
}

// faultOf is what kept the bot of a seat from moving, empty for players and for bots that were only slow.
func (t *table) faultOf(seat int) string {
	if b := t.bots[seat]; b != nil {
		return b.fault
	}
	return ""
}

// act asks the bot whose turn it is for a move, once a turn, and shows the others what happened. What could be done out of turn is
// left alone by bots.
func (t *table) act(ctx context.Context) {
	m := t.current.Load()
	turn, ok := m.Turn()
	if !ok || t.shown == m {
		return
	}
	t.shown = m
	for seat, p := range m.Players() {
		if p.Bot == nil {
			continue
		}
		b := t.bots[seat]
		if b == nil { // after a restart
			b = &botSeat{bot: p.Bot.Name, name: p.Name}
			t.bots[seat] = b
		}
		switch {
		case seat == turn:
			b.fault, b.tries = "", 0
			t.ask(ctx, m, seat, b, 0)
		case b.seat != nil:
			b.seat.Observe(t.botView(m, seat))
		}
	}
}

// botView is what a bot is sent: its own view, which is what a player in its seat would see, without the clock.
func (t *table) botView(m *moment, seat int) []byte {
	o := slices.DeleteFunc(t.state(m, seat), func(m record.Member) bool { return m.Name == "turn_ms_left" || m.Name == "next" })
	return []byte(o.Encode())
}

// ask has a bot decide in a goroutine of its own, so that a slow one holds up nobody.
func (t *table) ask(ctx context.Context, m *moment, seat int, b *botSeat, after time.Duration) {
	deadline, ok := m.Deadline()
	if !ok {
		deadline = t.now() + DefaultTurn*1000
	}
	ctx, cancel := context.WithDeadline(ctx, t.when(deadline))
	view, info, opened := t.botView(m, seat), t.seatInfo(seat, b.name), b.seat
	t.lobby.owners.Add(1)
	go func() {
		defer t.lobby.owners.Done()
		defer cancel()
		select {
		case <-time.After(after):
		case <-ctx.Done():
			return
		}
		began := time.Now()
		var move host.Move
		var err error
		if opened == nil {
			opened, err = t.lobby.cfg.open(ctx, b.bot, info)
		}
		if err == nil {
			move, err = opened.Decide(ctx, view)
		}
		took := time.Since(began)
		t.post(func() { t.botMoved(ctx, m, seat, b, opened, answer{move, err, took}) })
	}()
}

var errNoBots = errors.New("this server has no bots")

func (c *Config) open(ctx context.Context, bot string, s host.SeatInfo) (*host.Seat, error) {
	if c.Bots == nil {
		return nil, errNoBots
	}
	return c.Bots.Open(ctx, bot, s)
}

// answer is what a bot said when it was asked for a move.
type answer struct {
	move host.Move
	err  error
	took time.Duration
}

// botMoved takes a bot's answer. A bot that fails or answers against the rules is asked again until its clock runs out, which
// then costs it what the rules say.
func (t *table) botMoved(ctx context.Context, m *moment, seat int, b *botSeat, opened *host.Seat, a answer) {
	if t.bots[seat] != b {
		if opened != nil {
			opened.Close()
		}
		return
	}
	b.seat = opened
	if t.current.Load() != m {
		return // the turn is over
	}
	err := a.err
	if err == nil {
		_, err = t.move(context.WithoutCancel(ctx), m, seat, asMove(a.move))
	}
	outcome := outcomeOf(err)
	t.lobby.cfg.Observe.BotAnswered(b.bot, outcome, a.took)
	if err == nil {
		return
	}
	if b.fault == "" {
		b.fault = outcome // the first of a turn says most: those after it may only say that the bot is being rested
	}
	t.log.Warn("a bot did not move", "bot", b.bot, "seat", seat, "outcome", outcome, "try", b.tries+1, "error", err)
	wait := min(retryFirst<<min(b.tries, 10), retryMost)
	b.tries++
	t.ask(t.lobby.ctx, m, seat, b, wait)
}

// The outcomes of a bot's turn, beside those of the host.
const (
	outcomeOK      = "ok"
	outcomeIllegal = "illegal_move" // the rules refuse it
	outcomeServer  = "server"       // it could not be stored
)

func outcomeOf(err error) string {
	if err == nil {
		return outcomeOK
	}
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal) && refusal.Code == CodeServerFull:
		return outcomeServer
	case errors.As(err, &refusal):
		return outcomeIllegal
	}
	if o := host.OutcomeOf(err); o != "" {
		return string(o)
	}
	return outcomeServer
}

func asMove(m host.Move) play.Move {
	move := play.Move{Action: m.Action}
	if say, err := words.Talk(m.Say); err == nil && m.Say != "" {
		move.Say = say // what may not be said is not worth the turn
	}
	for name, v := range m.Args {
		if v > 1<<31-1 || v < -1<<31 {
			v = -1 << 31 // beyond every parameter
		}
		move.Args = append(move.Args, record.Arg{Name: name, Value: int(v)})
	}
	return move
}
