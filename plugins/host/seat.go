package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"dudo.example/plugins/proto"
)

// maxRetries is how often a call starts again, if there is time, after a crash: the
// call of another table may have caused it.
const maxRetries = 2

// SeatInfo is all that stays the same in a seat during a game.
type SeatInfo struct {
	// GID is the game's id.
	GID string
	// Game is the name of the rules, RulesText the rule file, RulesSHA256 the
	// SHA-256 of that text in hexadecimal.
	Game, RulesSHA256, RulesText string
	// Options are the table's options with their values; a switch is 0 or 1.
	Options map[string]int64
	// Actions are the game's actions with the names of their parameters in
	// order; nil if the bot has to know them.
	Actions map[string][]string
	// Seats is the number of seats, Seat the bot's own, from 0.
	Seats, Seat int
	// Name is what the bot is called at this table.
	Name string
}

// Move is a bot's answer. It is within bounds; whether it is legal is for the
// caller to find out.
type Move struct {
	// Action is the name of an action, 1 to 32 bytes.
	Action string
	// Args are its parameters, at most 8.
	Args map[string]int64
	// Say is what the bot says, at most 140 characters.
	Say string
}

// Seat is a seat that a bot plays. Its methods may be called at the same time.
type Seat struct {
	bot    *bot
	game   string
	open   *proto.OpenSeatRequest
	ctx    context.Context // ends with the seat
	cancel context.CancelFunc

	mu        sync.Mutex
	openIn    *process // the process that knows the seat
	observes  bool     // whether it wants Observe there
	pending   []byte   // the newest view not observed yet
	observing bool
}

// Open gives a seat to a bot, starting the bot if need be. ctx bounds the
// opening only. The error is an *Error.
func (h *Host) Open(ctx context.Context, name string, s SeatInfo) (*Seat, error) {
	b, ok := h.byName[name]
	if !ok {
		return nil, notFound(name)
	}
	if n := len(s.RulesText); n > proto.MaxRequest/2 {
		return nil, b.error(BadRequest, fmt.Errorf("rules of %d bytes", n))
	}
	actions := make(map[string]*proto.Params, len(s.Actions))
	for action, names := range s.Actions {
		actions[action] = &proto.Params{Names: slices.Clone(names)}
	}
	seat := &Seat{bot: b, game: s.Game, open: &proto.OpenSeatRequest{
		Handle:  fmt.Sprintf("%.40s/%d/%d", s.GID, s.Seat, h.next()),
		Gid:     s.GID,
		Rules:   &proto.Rules{Game: s.Game, Sha256: s.RulesSHA256, Text: s.RulesText},
		Options: s.Options,
		Actions: actions,
		Seats:   uint32(max(0, s.Seats)),
		Seat:    uint32(max(0, s.Seat)),
		Name:    s.Name,
	}}
	seat.ctx, seat.cancel = context.WithCancel(h.ctx)
	ctx, cancel := context.WithTimeout(ctx, h.o.StartTimeout+h.o.CallTimeout)
	defer cancel()
	_, err := seat.persist(ctx, func() (Move, error) {
		_, err := seat.ready(ctx)
		return Move{}, err
	})
	if err != nil {
		seat.cancel()
		return nil, err
	}
	return seat, nil
}

// Decide asks the bot for a move in the position of view, which must be the
// seat's to move. It takes no longer than ctx and the host's DecideTimeout allow. A process
// that was restarted gets the seat again by itself. The error is an *Error.
func (s *Seat) Decide(ctx context.Context, view []byte) (Move, error) {
	if len(view) > proto.MaxRequest/2 {
		return Move{}, s.bot.error(BadRequest, fmt.Errorf("a view of %d bytes", len(view)))
	}
	ctx, cancel := context.WithTimeout(ctx, s.bot.host.o.DecideTimeout)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	return s.persist(ctx, func() (Move, error) { return s.decide(ctx, view) })
}

// persist is f, and f again if the process ended or has forgotten the seat.
func (s *Seat) persist(ctx context.Context, f func() (Move, error)) (Move, error) {
	return s.bot.guarded(func() (Move, error) {
		for try := 0; ; try++ {
			m, err := f()
			if err == nil || try == maxRetries || ctx.Err() != nil ||
				OutcomeOf(err) != Crashed && !errors.Is(err, errSeatUnknown) {
				return m, err
			}
		}
	})
}

// decide asks once.
func (s *Seat) decide(ctx context.Context, view []byte) (Move, error) {
	p, err := s.ready(ctx)
	if err != nil {
		return Move{}, err
	}
	deadline, _ := ctx.Deadline()
	r, err := p.client.Decide(ctx, &proto.DecideRequest{
		Handle:     s.open.GetHandle(),
		View:       view,
		DeadlineMs: max(0, time.Until(deadline).Milliseconds()),
	})
	if err != nil {
		return Move{}, s.failed(ctx, p, err)
	}
	p.timeouts.Store(0)
	if err := checkReply(r); err != nil {
		return Move{}, s.bot.error(BadReply, err)
	}
	return Move{Action: r.GetAction(), Args: r.GetArgs(), Say: r.GetSay()}, nil
}

// checkReply holds an answer to its bounds.
func checkReply(r *proto.DecideResponse) error {
	if n := len(r.GetAction()); n == 0 || n > proto.MaxName {
		return fmt.Errorf("an action's name of %d bytes", n)
	}
	if n := len(r.GetArgs()); n > proto.MaxArgs {
		return fmt.Errorf("%d parameters", n)
	}
	for name := range r.GetArgs() {
		if len(name) == 0 || len(name) > proto.MaxName {
			return fmt.Errorf("a parameter's name of %d bytes", len(name))
		}
	}
	if n := utf8.RuneCountInString(r.GetSay()); n > proto.MaxSay {
		return fmt.Errorf("words of %d characters", n)
	}
	return nil
}

// ready is a process that knows the seat.
func (s *Seat) ready(ctx context.Context) (*process, error) {
	p, err := s.bot.process(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	known := s.openIn == p
	s.mu.Unlock()
	if known {
		return p, nil
	}
	if !p.plays(s.game) {
		return nil, s.bot.error(Unsupported, fmt.Errorf("the bot plays %.200q, not %.64q", p.about.GetGames(), s.game))
	}
	call, cancel := context.WithTimeout(ctx, s.bot.host.o.CallTimeout)
	defer cancel()
	r, err := p.client.OpenSeat(call, s.open)
	if err != nil {
		if status.Code(err) == codes.FailedPrecondition {
			return nil, s.bot.error(Unsupported, errors.New("the bot does not want the seat"))
		}
		return nil, s.failed(call, p, err)
	}
	s.mu.Lock()
	s.openIn, s.observes = p, r.GetObserves()
	s.mu.Unlock()
	if s.ctx.Err() != nil {
		s.Close() // again: the first did not know of the process
	}
	return p, nil
}

// failed makes an error of a failed call and sees to the process.
func (s *Seat) failed(ctx context.Context, p *process, err error) error {
	outcome, detail := callError(ctx, err)
	switch {
	case outcome == Crashed:
		p.runner.kill()
		select {
		case <-p.ended:
		case <-ctx.Done():
		}
	case outcome == Timeout:
		s.bot.late(p)
	case errors.Is(detail, errSeatUnknown):
		s.mu.Lock()
		s.openIn = nil
		s.mu.Unlock()
	}
	return s.bot.error(outcome, detail)
}

// Observe tells the bot that something happened. It returns at once and promises
// nothing, but that of several views the newest is the one that arrives. The view
// must not be changed afterwards.
func (s *Seat) Observe(view []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(view) > proto.MaxRequest/2 || s.ctx.Err() != nil {
		return
	}
	s.pending = view
	if !s.observing {
		s.observing = s.bot.host.run(s.observe)
	}
}

// observe sends the newest view until there is none.
func (s *Seat) observe() {
	for {
		s.mu.Lock()
		view, p, wanted := s.pending, s.openIn, s.observes
		s.pending = nil
		if view == nil || s.ctx.Err() != nil {
			s.observing = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		if p == nil || p != s.bot.running() || !wanted {
			continue
		}
		ctx, cancel := context.WithTimeout(s.ctx, s.bot.host.o.CallTimeout)
		if _, err := p.client.Observe(ctx, &proto.ObserveRequest{Handle: s.open.GetHandle(), View: view}); err != nil {
			outcome, detail := callError(ctx, err)
			s.bot.log.Debug("bot did not observe", "outcome", string(outcome), "err", detail)
		}
		cancel()
	}
}

// Close takes the seat from the bot. A Decide in flight ends with Canceled. It
// returns at once.
func (s *Seat) Close() {
	s.mu.Lock()
	p := s.openIn
	s.openIn = nil
	s.mu.Unlock()
	s.cancel()
	if p == nil {
		return
	}
	s.bot.host.run(func() {
		ctx, cancel := context.WithTimeout(s.bot.host.ctx, s.bot.host.o.CallTimeout)
		defer cancel()
		_, _ = p.client.CloseSeat(ctx, &proto.CloseSeatRequest{Handle: s.open.GetHandle()})
	})
}
