package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"dudo.example/plugins/bot"
	"dudo.example/plugins/host"
	"dudo.example/plugins/proto"
)

// bots are the programs that the test binary can be, by the name of its file
// without dudo-bot-.
var bots = map[string]func(){
	"good": serve(func(bot.SeatInfo) bot.Player { return bot.DecideFunc(first) }),
	"echo": serve(func(s bot.SeatInfo) bot.Player {
		return bot.DecideFunc(func(v bot.View) bot.Move {
			return bot.Move{Action: "seat", Args: map[string]int64{
				"seat": int64(s.Seat), "seats": int64(s.Seats), "dice": s.Options["dice"], "n": v.N,
				"pid": int64(os.Getpid()), "rules": int64(len(s.RulesText)),
			}, Say: s.GID + " " + s.Name + " " + s.Game + " " + strings.Join(s.Actions["bid"], ",")}
		})
	}),
	"watcher":   serve(func(bot.SeatInfo) bot.Player { return new(watcher) }),
	"serial":    serve(func(bot.SeatInfo) bot.Player { return new(serial) }),
	"picky":     func() { bot.Serve(bot.Info{Games: []string{"poker/*"}}, nil) },
	"unwilling": serve(func(bot.SeatInfo) bot.Player { return nil }),

	"crash-start": func() { os.Exit(3) },
	"crash":       serve(decide(func(bot.View) bot.Move { os.Exit(3); return bot.Move{} })),
	"crash-once": serve(decide(func(v bot.View) bot.Move {
		if _, err := os.Stat("crashed"); err != nil {
			_ = os.WriteFile("crashed", nil, 0o600)
			os.Exit(3)
		}
		return first(v)
	})),
	"panic": serve(decide(func(bot.View) bot.Move { panic("no idea") })),
	"error": serve(func(bot.SeatInfo) bot.Player { return refuser{} }),
	// Hangs in seat 1 only.
	"hang": serve(func(s bot.SeatInfo) bot.Player {
		return bot.DecideFunc(func(v bot.View) bot.Move {
			if s.Seat == 1 {
				select {}
			}
			return first(v)
		})
	}),
	"stop": serve(decide(func(v bot.View) bot.Move {
		if _, err := os.Stat("stopped"); err != nil {
			_ = os.WriteFile("stopped", nil, 0o600)
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			select {} // until the signal has stopped all threads
		}
		return first(v)
	})),
	"slow": func() { time.Sleep(time.Minute) },
	"noisy": func() {
		fmt.Println("hello, I am a bot")
		fmt.Println(strings.Repeat("x", 1<<20))
		fmt.Print("no newline here")
		serve(decide(func(v bot.View) bot.Move {
			for range 1000 {
				fmt.Println(strings.Repeat("noise ", 1000))
				fmt.Fprintln(os.Stderr, "noise")
				_, _ = syscall.Write(1, []byte("1|1|unix|/tmp/other|grpc|\n"))
			}
			return first(v)
		}))()
	},
	"mute":     func() { _, _ = io.Copy(io.Discard, os.Stdin) },
	"garbage":  func() { fmt.Println("9|9|9"); _, _ = io.Copy(io.Discard, os.Stdin) },
	"version2": greet("1|2|unix|%s/s|grpc|"),
	"nocert":   greet("1|1|unix|%s/s|grpc|"),
	"outside":  greet("1|1|unix|%s/../s|grpc|"),
	"liar":     raw(&liar{protocol: 9}),
	"silent":   raw(proto.UnimplementedBotServer{}),
	"patterns": raw(&liar{protocol: 1, games: []string{"[oops"}}),

	"empty":    answer(bot.Move{}),
	"longname": answer(bot.Move{Action: strings.Repeat("a", 33)}),
	"longarg":  answer(bot.Move{Action: "bid", Args: map[string]int64{strings.Repeat("a", 33): 1}}),
	"manyargs": answer(bot.Move{Action: "bid", Args: many(9)}),
	"longsay":  answer(bot.Move{Action: "bid", Say: strings.Repeat("ä", 141)}),
	"badutf8":  answer(bot.Move{Action: "bid", Say: "\xff"}),
	"edge":     answer(bot.Move{Action: strings.Repeat("a", 32), Args: many(8), Say: strings.Repeat("ä", 140)}),
	"huge":     answer(bot.Move{Action: "bid", Say: strings.Repeat("a", 8<<20)}),

	"environ": serve(decide(func(v bot.View) bot.Move {
		_ = os.WriteFile("environ", []byte(strings.Join(os.Environ(), "\x00")), 0o600)
		return first(v)
	})),
	"fork": serve(decide(func(bot.View) bot.Move { return fork() })),
}

func many(n int) map[string]int64 {
	args := make(map[string]int64)
	for i := range n {
		args[fmt.Sprint("a", i)] = int64(i)
	}
	return args
}

// first is the first legal move.
func first(v bot.View) bot.Move { return v.Legal()[0] }

func serve(newPlayer func(bot.SeatInfo) bot.Player) func() {
	return func() { bot.Serve(bot.Info{Name: "test", Version: "1.2"}, newPlayer) }
}

func decide(f func(bot.View) bot.Move) func(bot.SeatInfo) bot.Player {
	return func(bot.SeatInfo) bot.Player { return bot.DecideFunc(f) }
}

func answer(m bot.Move) func() { return serve(decide(func(bot.View) bot.Move { return m })) }

// greet writes a handshake line and does nothing else.
func greet(line string) func() {
	return func() {
		fmt.Printf(line+"\n", os.Getenv("PLUGIN_UNIX_SOCKET_DIR"))
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
}

// fork starts a process that outlives the bot, unless somebody sees to it.
func fork() bot.Move {
	cmd := exec.Command("/bin/sleep", "1000")
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return bot.Move{Action: "forked", Args: map[string]int64{"pid": int64(os.Getpid()), "child": int64(cmd.Process.Pid)}}
}

// watcher answers with what it observed.
type watcher struct{ n int64 }

func (w *watcher) Observe(v bot.View) { w.n = v.N }

func (w *watcher) Decide(context.Context, bot.View) (bot.Move, error) {
	return bot.Move{Action: "saw", Args: map[string]int64{"n": w.n}}, nil
}

// serial answers with the number of calls that were in it at once, and of
// players that were closed.
type serial struct{ inside atomic.Int64 }

var serialsClosed atomic.Int64

func (s *serial) Decide(context.Context, bot.View) (bot.Move, error) {
	inside := s.inside.Add(1)
	defer s.inside.Add(-1)
	runtime.Gosched()
	return bot.Move{Action: "count", Args: map[string]int64{"inside": inside, "closed": serialsClosed.Load()}}, nil
}

func (s *serial) Close() error {
	serialsClosed.Add(1)
	return nil
}

// refuser answers with an error.
type refuser struct{}

func (refuser) Decide(context.Context, bot.View) (bot.Move, error) {
	return bot.Move{}, errors.New(strings.Repeat("no! ", 1000))
}

// liar says something wrong about itself.
type liar struct {
	proto.UnimplementedBotServer
	protocol uint32
	games    []string
}

func (l *liar) Describe(context.Context, *proto.DescribeRequest) (*proto.DescribeResponse, error) {
	return &proto.DescribeResponse{Protocol: l.protocol, Games: l.games}, nil
}

// raw serves s without package bot.
func raw(s proto.BotServer) func() {
	return func() {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}()
		plugin.Serve(&plugin.ServeConfig{
			HandshakeConfig: plugin.HandshakeConfig{
				ProtocolVersion: proto.Version, MagicCookieKey: proto.CookieKey, MagicCookieValue: proto.CookieValue,
			},
			Plugins:    plugin.PluginSet{"bot": rawPlugin{server: s}},
			GRPCServer: plugin.DefaultGRPCServer,
			Logger:     hclog.NewNullLogger(),
		})
	}
}

type rawPlugin struct {
	plugin.NetRPCUnsupportedPlugin
	server proto.BotServer
}

func (r rawPlugin) GRPCServer(_ *plugin.GRPCBroker, g *grpc.Server) error {
	proto.RegisterBotServer(g, r.server)
	return nil
}

func (rawPlugin) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, status.Error(codes.Unimplemented, "")
}

// botName is the bot that the test binary is to be, "" for none.
func botName() string {
	name, ok := strings.CutPrefix(filepath.Base(os.Args[0]), "dudo-bot-")
	if !ok && len(os.Args) == 3 && os.Args[1] == "bot" {
		name, ok = os.Args[2], true
	}
	if !ok {
		return ""
	}
	return name
}

// doomedHost is a host in a process of its own, whose program is no longer there. It starts bots, writes the ids of all
// processes to standard output and waits to be killed.
func doomedHost(dir string) {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	if err := os.Remove(self); err != nil { // as an upgrade does
		panic(err)
	}
	o := host.Options{TempDir: dir}
	for _, name := range []string{"fork", "echo", "slow"} {
		o.House = append(o.House, host.House{Name: name, Path: "/proc/self/exe", Args: []string{"bot", name}})
	}
	h, err := host.New(o)
	if err != nil {
		panic(err)
	}
	go h.Start(context.Background(), "slow") // has a socket's directory, is not ready
	var pids []int64
	for _, name := range []string{"fork", "echo"} {
		s, err := h.Open(context.Background(), name, host.SeatInfo{GID: "TEST-0"})
		if err != nil {
			panic(err)
		}
		m, err := s.Decide(context.Background(), view)
		if err != nil {
			panic(err)
		}
		pids = append(pids, m.Args["pid"])
		if child := m.Args["child"]; child != 0 {
			pids = append(pids, child)
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(pids)
	select {}
}
