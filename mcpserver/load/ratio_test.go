package load_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/mcpserver"
	"dudo.example/mcpserver/front"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
	"dudo.example/store"
)

const (
	ratioConns  = 64
	ratioRounds = 5  // of a game between two players with five dice, which has as many at least
	ratioBids   = 10 // of a round, 1×2 to 2×6
)

// BenchmarkBid measures accepted bids over HTTP at 64 connections, each with a table of its own, against bare glue: a tool
// behind the same front that appends the same bytes to the same kind of store, without rules and without a receipt, and always
// answers one text, as long as the server's answer. Rounds of both take turns. The client is part of both times, and as little
// as it can be.
//
//	go test ./mcpserver/load -run '^$' -bench Bid -benchtime 10x
//
// The metric "ratio" is bids a second of the server by those of the glue; "cpu-ratio" is the same of the processor time that
// both took, which what else the machine does changes less.
func BenchmarkBid(b *testing.B) {
	s := newBidServer(b)
	sides := []side{s, newGlue(b, s.answer())}
	conns := [2]*[ratioConns]net.Conn{dial(b, sides[0].address()), dial(b, sides[1].address())}
	var took, cpu [2]time.Duration
	rounds := 0
	for b.Loop() {
		games := []*[ratioConns]pair{sides[0].prepare(), sides[1].prepare()}
		for range ratioRounds {
			rounds++
			for i, side := range sides {
				began, spent := time.Now(), processorTime(b)
				bidAll(b, conns[i], games[i])
				took[i] += time.Since(began)
				cpu[i] += processorTime(b) - spent
				side.endRound(games[i])
			}
		}
	}
	bids := float64(rounds * ratioConns * ratioBids)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(bids/took[0].Seconds(), "bids/s")
	b.ReportMetric(bids/took[1].Seconds(), "glue/s")
	b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "ratio")
	b.ReportMetric(1e6*cpu[0].Seconds()/bids, "cpu-µs/bid")
	b.ReportMetric(1e6*cpu[1].Seconds()/bids, "cpu-µs/glue")
	b.ReportMetric(cpu[1].Seconds()/cpu[0].Seconds(), "cpu-ratio")
}

// side is what is compared.
type side interface {
	address() string
	prepare() *[ratioConns]pair       // a table for every connection
	endRound(games *[ratioConns]pair) // which is not timed
}

// pair is the two players at a table.
type pair struct {
	tokens [2]string // by seat
	first  int       // who is to bid
}

// processorTime is what the process has used so far.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// bidAll makes all bids of a round at every table.
func bidAll(b *testing.B, conns *[ratioConns]net.Conn, games *[ratioConns]pair) {
	var tables sync.WaitGroup
	for i := range games {
		tables.Go(func() {
			if err := bidRound(conns[i], &games[i]); err != nil {
				b.Error(err)
			}
		})
	}
	tables.Wait()
}

// dial opens the connections to one side.
func dial(b *testing.B, addr string) *[ratioConns]net.Conn {
	var conns [ratioConns]net.Conn
	for i := range conns {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = conn.Close() })
		conns[i] = conn
	}
	return &conns
}

func bidRound(conn net.Conn, game *pair) error {
	in := bufio.NewReader(conn)
	var out, answer bytes.Buffer
	for i := range ratioBids {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bid","arguments":{"token":%q,"quantity":%d,"face":%d}}}`,
			game.tokens[(game.first+i)%2], 1+i/5, 2+i%5)
		out.Reset()
		fmt.Fprintf(&out, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		if _, err := conn.Write(out.Bytes()); err != nil {
			return err
		}
		res, err := http.ReadResponse(in, nil)
		if err != nil {
			return err
		}
		answer.Reset()
		if _, err := io.Copy(&answer, res.Body); err != nil {
			return err
		}
		if res.StatusCode != http.StatusOK || bytes.Contains(answer.Bytes(), []byte("isError")) {
			return fmt.Errorf("bid %d: %s", i, answer.Bytes())
		}
	}
	return nil
}

func benchStore(b *testing.B) *store.Store {
	s, err := store.Open(filepath.Join(b.TempDir(), "data"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	return s
}

// bidServer is the server as it is.
type bidServer struct {
	b     *testing.B
	lobby *tables.Lobby
	addr  string
}

func newBidServer(b *testing.B) *bidServer {
	library, err := rulebook.Offer(nil)
	if err != nil {
		b.Fatal(err)
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		b.Fatal(err)
	}
	lobby, err := tables.New(b.Context(), tables.Config{
		Store: benchStore(b), Rules: rulebook.Rulesets(library), LoadRules: rulebook.Load, Key: key, Origin: "dudo.example",
		Limits: tables.Limits{Tables: 1 << 20, NewPerAddr: 1 << 20},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = lobby.Close(context.WithoutCancel(b.Context())) })
	srv, err := mcpserver.New(mcpserver.Config{Lobby: lobby, Front: front.Config{RequestsPerMinute: -1}})
	if err != nil {
		b.Fatal(err)
	}
	ln := listen(b)
	ctx, stop := context.WithCancel(context.WithoutCancel(b.Context()))
	done := make(chan error)
	go func() { done <- srv.Serve(ctx, ln) }()
	b.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	return &bidServer{b, lobby, ln.Addr().String()}
}

func listen(b testing.TB) net.Listener {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	return ln
}

func (s *bidServer) address() string { return s.addr }

// must is the answer of a call that must not fail.
func (s *bidServer) must(o tables.Object, err error) tables.Object {
	if err != nil {
		s.b.Fatal(err)
	}
	return o
}

// member is a member of an answer.
func member[T any](o tables.Object, name string) T {
	v, _ := o.Get(name)
	x, _ := v.(T)
	return x
}

func (s *bidServer) prepare() *[ratioConns]pair {
	ctx, addr := s.b.Context(), netip.MustParseAddr("127.0.0.1")
	var games [ratioConns]pair
	for i := range games {
		made := s.must(s.lobby.Create(ctx, addr, tables.Settings{Seats: 2, Options: map[string]int{"dice": 5}, Private: true}))
		for seat := range 2 {
			o := s.must(s.lobby.Join(ctx, addr, tables.Join{Name: fmt.Sprintf("p%d", seat), Table: member[string](made, "table")}))
			games[i].tokens[seat] = member[string](o, "token")
		}
		games[i].first = member[int](s.must(s.lobby.Start(ctx, games[i].tokens[0], []string{}, "")), "turn")
	}
	return &games
}

// endRound challenges the last bid, which the other player made.
func (s *bidServer) endRound(games *[ratioConns]pair) {
	for i := range games {
		g := &games[i]
		o := s.must(s.lobby.Act(s.b.Context(), g.tokens[(g.first+ratioBids)%2], -1, play.Move{Action: "challenge"}))
		g.first = member[int](o, "turn") // nobody's if the game is over
	}
}

// answer is what the server answers to a fifth bid, in the middle of a round.
func (s *bidServer) answer() string {
	game := s.prepare()[0]
	var state tables.Object
	for i := range ratioBids / 2 {
		bid := play.Move{Action: "bid", Args: []record.Arg{{Name: "quantity", Value: 1 + i/5}, {Name: "face", Value: 2 + i%5}}}
		state = s.must(s.lobby.Act(s.b.Context(), game.tokens[(game.first+i)%2], -1, bid))
	}
	return string(state.Encode())
}

// glue is a front, a tool and a store.
type glue struct {
	b      *testing.B
	store  *store.Store
	tables sync.Map // *glueTable by token
	made   int
	addr   string
	answer string
}

type glueTable struct {
	name string
	rev  record.Rev
}

func newGlue(b *testing.B, answer string) *glue {
	g := &glue{b: b, store: benchStore(b), answer: answer}
	m := front.NewMCP("glue", "1", "")
	m.AddTool(mcp.NewTool("bid"), g.bid)
	mux := http.NewServeMux()
	mux.Handle("/mcp", front.New(front.Config{RequestsPerMinute: -1}, m))
	srv := front.NewServer("", mux)
	ln := listen(b)
	g.addr = ln.Addr().String()
	go func() { _ = srv.Serve(ln) }()
	b.Cleanup(func() { _ = srv.Close() })
	return g
}

func (g *glue) address() string { return g.addr }

func (g *glue) prepare() *[ratioConns]pair {
	var games [ratioConns]pair
	for i := range games {
		g.made++
		t := &glueTable{name: fmt.Sprintf("T%d", g.made)}
		for seat := range 2 {
			token := fmt.Sprintf("%043d", g.made*2+seat) // as long as a token of the server's
			games[i].tokens[seat] = token
			g.tables.Store(token, t)
		}
	}
	return &games
}

func (g *glue) endRound(*[ratioConns]pair) {}

func (g *glue) bid(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	args := req.GetArguments()
	token, _ := args["token"].(string)
	quantity, _ := args["quantity"].(float64)
	face, _ := args["face"].(float64)
	found, ok := g.tables.Load(token)
	if !ok {
		return mcp.NewToolResultError("no such token"), nil
	}
	t := found.(*glueTable)
	e := record.Event{N: int64(t.rev), T: time.Now().UnixMilli(), Body: record.Act{
		Seat: int(t.rev) % 2, Action: "bid", Args: []record.Arg{{Name: "face", Value: int(face)}, {Name: "quantity", Value: int(quantity)}},
	}}
	rev, err := g.store.Append(ctx, t.name, t.rev, []record.Line{e.Encode()})
	if err != nil {
		return nil, err
	}
	t.rev = rev
	return mcp.NewToolResultText(g.answer), nil
}
