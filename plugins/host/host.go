package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// Options say which bots there are and how long they may take.
type Options struct {
	// Dir is the plugins folder; "" for none. Bots are the files dudo-bot-NAME in
	// it when the host is made; later changes need a new host.
	Dir string
	// House are the bots that are dudo's own.
	House []House
	// TempDir is where the directory for sockets is made; "" for the system's.
	TempDir string
	// Log gets what happens to bots and what they print; nil for none.
	Log *slog.Logger

	// StartTimeout is the time from a process's start to its being ready; 10 s.
	StartTimeout time.Duration
	// DecideTimeout bounds a Decide whose context allows more; 10 s.
	DecideTimeout time.Duration
	// CallTimeout bounds every other call; 2 s.
	CallTimeout time.Duration
	// StopGrace is the time that a process has to go by itself; 0.5 s.
	StopGrace time.Duration
	// RestartMin and RestartMax are the shortest and the longest wait before a
	// process that ended is started again; 0.1 s and 30 s.
	RestartMin, RestartMax time.Duration
	// Failures is how many failed calls in a row give a bot a rest, and Rest how
	// long it is; 5 and 30 s.
	Failures uint32
	Rest     time.Duration
}

// House is a bot that is dudo's own: a name and a command, whose program calls
// bot.Serve. The first of them is the host's guard as well. On Linux the path
// /proc/self/exe is the running program, even after an upgrade has put another in
// its place.
type House struct {
	Name string
	Path string
	Args []string
}

// withDefaults fills in what o leaves out.
func (o Options) withDefaults() Options {
	def := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	def(&o.StartTimeout, 10*time.Second)
	def(&o.DecideTimeout, 10*time.Second)
	def(&o.CallTimeout, 2*time.Second)
	def(&o.StopGrace, 500*time.Millisecond)
	def(&o.RestartMin, 100*time.Millisecond)
	def(&o.RestartMax, 30*time.Second)
	def(&o.Rest, 30*time.Second)
	if o.Failures == 0 {
		o.Failures = 5
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Host has the bots. Its methods may be called at the same time.
type Host struct {
	o        Options
	dir      *privateDir
	guard    *guard
	launcher *launcher
	bots     []*bot // in the order of Bots
	byName   map[string]*bot

	ctx    context.Context // ends with the host
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	serial int64 // counts launches and seats
	wg     sync.WaitGroup
}

// errClosed is the cause of what ends with the host.
var errClosed = errors.New("the host of the bots is closed")

// New makes a host. No bot is started before a seat wants it.
func New(o Options) (*Host, error) {
	o = o.withDefaults()
	programs, err := find(o)
	if err != nil {
		return nil, err
	}
	dir, err := makeDir(o.TempDir)
	if err != nil {
		return nil, err
	}
	h := &Host{o: o, dir: dir, byName: make(map[string]*bot, len(programs))}
	if len(o.House) > 0 {
		if h.guard, err = startGuard(o.House[0], dir.path); err != nil {
			dir.close()
			return nil, err
		}
	}
	h.launcher = newLauncher()
	h.ctx, h.cancel = context.WithCancel(context.Background())
	for _, p := range programs {
		b := newBot(h, p)
		h.bots = append(h.bots, b)
		h.byName[p.info.Name] = b
	}
	return h, nil
}

// Bots lists the bots: house bots first, then the folder's by name.
func (h *Host) Bots() []Info {
	infos := make([]Info, 0, len(h.bots))
	for _, b := range h.bots {
		infos = append(infos, b.snapshot())
	}
	return infos
}

// Lookup finds a bot by its name.
func (h *Host) Lookup(name string) (Info, bool) {
	b, ok := h.byName[name]
	if !ok {
		return Info{}, false
	}
	return b.snapshot(), true
}

// Start starts the bot's process if it does not run, and returns when it is
// ready: for a caller who wants to know its Version and Games, or to have it
// warm. The error is an *Error.
func (h *Host) Start(ctx context.Context, name string) (Info, error) {
	b, ok := h.byName[name]
	if !ok {
		return Info{}, notFound(name)
	}
	if _, err := b.process(ctx); err != nil {
		return Info{}, err
	}
	return b.snapshot(), nil
}

func notFound(name string) error {
	return &Error{Bot: fmt.Sprintf("%.24q", name), Outcome: NotFound, Err: errors.New("there is no such bot")}
}

// Close ends all processes of bots and returns when they, and all goroutines
// of the host, are gone. Calls in flight end with Canceled.
func (h *Host) Close() error {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return nil
	}
	h.closed = true
	h.mu.Unlock()
	h.cancel()
	h.wg.Wait()
	h.launcher.close()
	h.dir.close()
	h.guard.close()
	return nil
}

// run runs f in a goroutine that Close waits for; it says no once the host is
// closed.
func (h *Host) run(f func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.wg.Go(f)
	return true
}

// next is a number that no other launch or seat has.
func (h *Host) next() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.serial++
	return h.serial
}

// snapshot is a copy of what is known of the bot.
func (b *bot) snapshot() Info {
	b.mu.Lock()
	defer b.mu.Unlock()
	info := b.info
	info.Games = slices.Clone(info.Games)
	return info
}
