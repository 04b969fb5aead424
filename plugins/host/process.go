package host

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"os"
	"path"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"dudo.example/plugins/proto"
)

// Bounds on what a bot says about itself, and on the headers of its answers.
const (
	maxInfo    = 64
	maxGames   = 32
	maxHeaders = 16 << 10
)

// maxTimeouts is how many calls in a row a process may leave unanswered, even if
// it still says who it is.
const maxTimeouts = 3

// process is a running bot.
type process struct {
	runner   *runner
	conn     *grpc.ClientConn
	client   proto.BotClient
	about    *proto.DescribeResponse
	since    time.Time
	ended    chan struct{} // closed when the bot has forgotten the process
	probing  atomic.Bool
	timeouts atomic.Int32
}

// launch starts a process and returns when it has said who it is. On an error
// nothing is left of it.
func (b *bot) launch() (*process, error) {
	h := b.host
	ctx, cancel := context.WithTimeout(h.ctx, h.o.StartTimeout)
	defer cancel()
	check := &plugin.SecureConfig{Checksum: b.sum, Hash: sha256.New()}
	if ok, err := check.Check(b.path); err != nil {
		return nil, b.error(Checksum, err)
	} else if !ok {
		return nil, b.error(Checksum, errors.New("the bot's file has changed since the host was made"))
	}
	home, err := h.dir.sub("bot-" + b.info.Name)
	if err != nil {
		return nil, b.error(Failed, err)
	}
	sockets, err := h.dir.sub(strconv.FormatInt(h.next(), 10))
	if err != nil {
		return nil, b.error(Failed, err)
	}
	defer os.RemoveAll(sockets)
	r := &runner{
		ctx: ctx, path: b.path, args: b.args, dir: home, sockets: sockets,
		log: b.log, launcher: h.launcher, guard: h.guard, grace: h.o.StopGrace,
		greeting: newGreeting(), exited: make(chan struct{}),
	}
	p, err := b.connect(ctx, r, sockets)
	if err != nil {
		if r.ID() != "" {
			r.kill()
			<-r.exited
		}
		return nil, err
	}
	r.ready.Store(true)
	if ctx.Err() != nil {
		r.kill()
	}
	return p, nil
}

// connect starts the process of r, shakes hands and asks who it is.
func (b *bot) connect(ctx context.Context, r *runner, sockets string) (*process, error) {
	config := &plugin.ClientConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			ProtocolVersion:  proto.Version,
			MagicCookieKey:   proto.CookieKey,
			MagicCookieValue: proto.CookieValue,
		},
		VersionedPlugins: map[int]plugin.PluginSet{proto.Version: {}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         true,
		SkipHostEnv:      true,
		StartTimeout:     b.host.o.StartTimeout,
		UnixSocketConfig: &plugin.UnixSocketConfig{TempDir: sockets},
		Logger:           hclog.NewNullLogger(),
		RunnerFunc:       r.take,
	}
	address, err := plugin.NewClient(config).Start()
	if err != nil {
		return nil, b.startError(ctx, r, err)
	}
	if config.TLSConfig.RootCAs == nil {
		return nil, b.error(Handshake, errors.New("the bot sent no certificate"))
	}
	conn, err := grpc.NewClient("passthrough:///bot",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, address.Network(), address.String())
		}),
		grpc.WithTransportCredentials(credentials.NewTLS(config.TLSConfig)),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(proto.MaxReply), grpc.MaxCallSendMsgSize(proto.MaxRequest)),
		grpc.WithMaxHeaderListSize(maxHeaders),
		grpc.WithIdleTimeout(0), // there is no second connection
		grpc.WithDisableServiceConfig(),
	)
	if err != nil {
		return nil, b.error(Failed, err)
	}
	p := &process{
		runner: r, conn: conn, client: proto.NewBotClient(conn),
		since: time.Now(), ended: make(chan struct{}),
	}
	p.about, err = p.client.Describe(ctx, &proto.DescribeRequest{})
	if err != nil {
		_ = conn.Close()
		outcome, detail := callError(ctx, err)
		if outcome == Timeout {
			outcome = SlowStart
		}
		return nil, b.error(outcome, detail)
	}
	if outcome, err := checkAbout(p.about); err != nil {
		_ = conn.Close()
		return nil, b.error(outcome, err)
	}
	return p, nil
}

// startError finds out why a process did not shake hands.
func (b *bot) startError(ctx context.Context, r *runner, err error) error {
	version := r.greeting.version.Load()
	exited := false
	select {
	case <-r.exited:
		exited = true
	case <-time.After(drainTime):
	}
	switch {
	case b.host.ctx.Err() != nil:
		return b.error(Canceled, errClosed)
	case ctx.Err() != nil:
		return b.error(SlowStart, fmt.Errorf("not ready after %v", b.host.o.StartTimeout))
	case version != nil && *version != strconv.Itoa(proto.Version):
		return b.error(Version, fmt.Errorf("the bot speaks version %.20s of the contract, dudo speaks %d", *version, proto.Version))
	case version == nil && exited:
		return b.error(Crashed, errors.New("the process ended before it introduced itself"))
	default:
		message := err.Error()
		return b.error(Handshake, fmt.Errorf("%q", message[:min(len(message), maxMessage)]))
	}
}

// checkAbout checks what a bot says about itself.
func checkAbout(d *proto.DescribeResponse) (Outcome, error) {
	if d.GetProtocol() != proto.Version {
		return Version, fmt.Errorf("the bot's handshake says version %d of the contract and its answer %d", proto.Version, d.GetProtocol())
	}
	if len(d.GetName()) > maxInfo || len(d.GetVersion()) > maxInfo || len(d.GetGames()) > maxGames {
		return BadReply, fmt.Errorf("the bot says too much about itself: %d bytes of name, %d of version, %d games",
			len(d.GetName()), len(d.GetVersion()), len(d.GetGames()))
	}
	for _, g := range d.GetGames() {
		if _, err := path.Match(g, ""); err != nil || len(g) > maxInfo {
			return BadReply, fmt.Errorf("the bot plays %.64q, which is no pattern", g)
		}
	}
	return OK, nil
}

// plays says whether the bot plays a game.
func (p *process) plays(game string) bool {
	for _, g := range p.about.GetGames() {
		if ok, _ := path.Match(g, game); ok {
			return true
		}
	}
	return len(p.about.GetGames()) == 0
}

// late notes a missed deadline. A process that misses several, or that does not
// even say who it is, is killed; one that thinks too long is not.
func (b *bot) late(p *process) {
	if p.timeouts.Add(1) >= maxTimeouts {
		b.log.Warn("bot hangs: too many calls unanswered")
		p.runner.kill()
		return
	}
	if !p.probing.CompareAndSwap(false, true) {
		return
	}
	ok := b.host.run(func() {
		defer p.probing.Store(false)
		ctx, cancel := context.WithTimeout(b.host.ctx, b.host.o.CallTimeout)
		defer cancel()
		if _, err := p.client.Describe(ctx, &proto.DescribeRequest{}); err != nil && b.host.ctx.Err() == nil {
			b.log.Warn("bot hangs: it does not say who it is")
			p.runner.kill()
		}
	})
	if !ok {
		p.probing.Store(false)
	}
}
