package tables

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dudo.example/core/deal"
	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/plugins/host"
	lru "github.com/hashicorp/golang-lru/v2"
)

// Lobby is all tables of a server. Its methods may be called at the same time; those that take a token or a name of a
// stranger's check it. Their errors are a [*Refusal] for the player, the context's, or a fault.
type Lobby struct {
	cfg      Config
	clock    clock
	key      string                        // the public one, of new tables
	keys     map[string]ed25519.PrivateKey // by the public key, the retired ones too
	limits   Limits
	waiters  *waiters
	created  *creations
	aging    chan struct{} // held by those that set a finished table's expiry
	matching chan struct{} // held by the one quick match that looks for a table, or makes one
	offer    atomic.Pointer[[]Ruleset]
	played   chan struct{}                // see PlayedChanged
	loaded   *lru.Cache[string, *Ruleset] // from logs, by digest

	ctx    context.Context // of the tables' goroutines
	stop   context.CancelFunc
	owners sync.WaitGroup

	mu     sync.Mutex
	closed bool
	live   map[string]*table // running tables, and finished ones until they are let go
	open   int               // of those, not over
	seats  map[tokenHash]seatRef
	kept   []*table // finished tables still in memory, the latest last
	recent []Object // finished public tables as the list shows them, the latest last
}

type seatRef struct {
	table *table
	seat  int
}

// New opens the lobby and brings back every unfinished table of the store.
func New(ctx context.Context, cfg Config) (*Lobby, error) {
	if len(cfg.Rules) == 0 || len(cfg.Key) != ed25519.PrivateKeySize || cfg.Store == nil {
		return nil, errors.New("a lobby needs rules, a key and a store")
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Observe == nil {
		cfg.Observe = nobody{}
	}
	if cfg.Wall == nil {
		cfg.Wall = time.Now
	}
	limits := cfg.Limits.withDefaults()
	l := &Lobby{
		cfg: cfg, clock: newClock(cfg.Wall), key: publicKey(cfg.Key), limits: limits, waiters: newWaiters(limits), created: newCreations(limits.NewPerAddr),
		matching: make(chan struct{}, 1), aging: make(chan struct{}, 4), played: make(chan struct{}, 1),
		live: map[string]*table{}, seats: map[tokenHash]seatRef{}, keys: map[string]ed25519.PrivateKey{},
	}
	for _, key := range append([]ed25519.PrivateKey{cfg.Key}, cfg.Retired...) {
		l.keys[publicKey(key)] = key
	}
	var err error
	if l.loaded, err = lru.New[string, *Ruleset](mostLoaded); err != nil {
		return nil, err
	}
	l.Offer(cfg.Rules)
	l.ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	if err := l.recover(ctx); err != nil {
		l.stop()
		l.owners.Wait()
		return nil, err
	}
	return l, nil
}

func publicKey(key ed25519.PrivateKey) string {
	return record.KeyText(key.Public().(ed25519.PublicKey))
}

// receipt is the server's signature on a table's log up to event n; "" where the log names a key that is not the server's.
func (l *Lobby) receipt(open *record.Open, n int64, head record.Head) string {
	key, ok := l.keys[open.Key]
	if !ok {
		return ""
	}
	return record.Sign(key, open.Origin, open.GID, n, head).String()
}

// Close ends the tables' goroutines; the games go on when the lobby is opened again. It waits for appends in progress.
func (l *Lobby) Close(ctx context.Context) error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.stop()
	done := make(chan struct{})
	go func() {
		l.owners.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close the tables: %w", ctx.Err())
	}
}

// Stats tells how much the lobby holds.
func (l *Lobby) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Stats{Open: l.open, Kept: len(l.live), Waiting: l.waiters.count()}
}

// Bots are the bots on offer.
func (l *Lobby) Bots() []host.Info {
	if l.cfg.Bots == nil {
		return nil
	}
	return l.cfg.Bots.Bots()
}

// Create makes a table. It answers with the table's code.
func (l *Lobby) Create(ctx context.Context, addr netip.Addr, s Settings) (Object, error) {
	t, err := l.create(ctx, addr, s)
	if err != nil {
		return nil, err
	}
	info := t.current.Load().Info()
	return Object{
		{Name: "table", Value: t.code},
		{Name: "gid", Value: info.GID},
		{Name: "rules", Value: info.Rules.Game},
		{Name: "options", Value: optionValues(info.Options)},
		{Name: "free_seats", Value: info.Seats},
		{Name: "turn_seconds", Value: info.TurnSeconds},
		{Name: "public", Value: info.Public},
		{Name: "commit", Value: info.Commit},
		{Name: "next", Value: "Take a seat with join_table and this table's code; others can do the same, or start_game adds house bots."},
	}, nil
}

func (l *Lobby) create(ctx context.Context, addr netip.Addr, s Settings) (*table, error) {
	rules, open, err := l.settle(s)
	if err != nil {
		return nil, err
	}
	if !l.created.allow(addr) {
		return nil, refuse(CodeTooManyNew, "You have made many tables; join one with join_table, or wait a minute.")
	}
	if err := l.reserve(); err != nil {
		return nil, err
	}
	t, err := l.store(ctx, rules, open, s.Private)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.open--
		return nil, err
	}
	l.launch(t)
	l.noteRules(t.rules) // another offer may have come meanwhile
	return t, nil
}

// reserve counts a table before it exists, so that many at once do not pass the limit.
func (l *Lobby) reserve() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return refuse(CodeClosing, "The server is shutting down; try again in a minute.")
	case l.open >= l.limits.Tables:
		return refuse(CodeTooManyTables, "The server has as many tables as it takes; join one with join_table, or try again later.")
	}
	l.open++
	return nil
}

// launch lists a table and starts its goroutine. The lock must be held.
func (l *Lobby) launch(t *table) {
	l.live[t.code] = t
	l.owners.Add(1)
	go func() {
		defer l.owners.Done()
		t.run(l.ctx)
	}()
}

// settle checks a table's settings and completes them.
func (l *Lobby) settle(s Settings) (*Ruleset, record.Open, error) {
	fail := func(err error) (*Ruleset, record.Open, error) { return nil, record.Open{}, err }
	rules, ok := l.onOffer(s.Rules)
	if !ok {
		return fail(noRules())
	}
	if s.Seats == 0 {
		s.Seats = rules.MaxSeats
	}
	if s.Seats < rules.MinSeats || s.Seats > rules.MaxSeats {
		return fail(refuse(CodeBadSetting, fmt.Sprintf("seats must be %d to %d.", rules.MinSeats, rules.MaxSeats)))
	}
	if s.TurnSeconds == 0 {
		s.TurnSeconds = DefaultTurn
	}
	if s.TurnSeconds < MinTurn || s.TurnSeconds > l.limits.TurnSeconds {
		return fail(refuse(CodeBadSetting, fmt.Sprintf("turn_seconds must be %d to %d.", MinTurn, l.limits.TurnSeconds)))
	}
	options, err := rules.resolve(s.Preset, s.Options)
	if err != nil {
		return fail(err)
	}
	open := record.Open{
		Origin: l.cfg.Origin, Key: l.key,
		Rules: record.Rules{Game: rules.Game, SHA256: rules.SHA256, Text: rules.Text},
		Seats: s.Seats, TurnSeconds: s.TurnSeconds, Public: !s.Private,
	}
	for _, o := range rules.Options {
		open.Options = append(open.Options, record.Option{Name: o.Name, Value: options[o.Name], Bool: o.Bool})
	}
	slices.SortFunc(open.Options, func(a, b record.Option) int { return cmp.Compare(a.Name, b.Name) })
	return rules, open, nil
}

// store writes a new table to the log under a code that is free.
func (l *Lobby) store(ctx context.Context, rules *Ruleset, open record.Open, private bool) (*table, error) {
	var seed deal.Seed
	_, _ = rand.Read(seed[:]) // never fails
	for try := 0; ; try++ {
		code := newCode(private, try)
		open.GID = code + "-" + randomCode(crockford, gidSuffix)
		b := play.New(l.now(), open, seed, rules.compile(open.Options))
		_, err := l.cfg.Store.AppendPrivate(ctx, code, 0, b.Lines, map[string][]byte{keySeed: seed[:]})
		switch {
		case errors.Is(err, record.ErrConflict): // the code is taken
			continue
		case errors.Is(err, record.ErrFull):
			return nil, refuse(CodeServerFull, "The server has no room for another table; try again later.")
		case err != nil:
			return nil, fmt.Errorf("store a new table: %w", err)
		}
		t := newTable(l, code, rules, b.Next.LastTime())
		t.publish(b.Next)
		t.log.InfoContext(ctx, "table made", "rules", open.Rules.Game, "public", open.Public, "turn_seconds", open.TurnSeconds)
		return t, nil
	}
}
