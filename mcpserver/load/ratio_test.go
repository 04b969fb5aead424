package load_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
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
	"dudo.example/rules"
	"dudo.example/store"
)

const (
	ratioConns  = 64
	ratioTables = 5  // of a connection in a block, one after the other
	ratioBids   = 10 // at a table: the first round, of two players with five dice
)

// BenchmarkBid measures accepted bids over HTTP at 64 connections, each with a table of its own, against bare glue: a tool
// behind the same front that appends the same bytes to the same kind of store, without rules and without a receipt, and always
// answers one text, as long as the server's answer. Blocks of both take turns. The client is part of both times, and as little
// as it can be.
//
//	go test ./mcpserver/load -run '^$' -bench Bid -benchtime 10x
//
// The metric "ratio" is bids a second of the server by those of the glue; "cpu-ratio" is the same of the processor time that
// both took, which what else the machine does changes less.
func BenchmarkBid(b *testing.B) {
	s := newBidServer(b)
	g := newGlue(b, s.answer())
	var took, cpu [2]time.Duration
	blocks := 0
	for b.Loop() {
		blocks++
		for i, side := range []interface {
			prepare() players
			address() string
		}{s, g} {
			players := side.prepare()
			began, spent := time.Now(), processorTime(b)
			bidAll(b, side.address(), players)
			took[i] += time.Since(began)
			cpu[i] += processorTime(b) - spent
		}
	}
	bids := float64(blocks * ratioConns * ratioTables * ratioBids)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(bids/took[0].Seconds(), "bids/s")
	b.ReportMetric(bids/took[1].Seconds(), "glue/s")
	b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "ratio")
	b.ReportMetric(1e6*cpu[0].Seconds()/bids, "cpu-µs/bid")
	b.ReportMetric(1e6*cpu[1].Seconds()/bids, "cpu-µs/glue")
	b.ReportMetric(cpu[1].Seconds()/cpu[0].Seconds(), "cpu-ratio")
}

// players are the tokens of the two players at each table of each connection; the first is to move.
type players [ratioConns][ratioTables][2]string

// processorTime is what the process has used so far.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// bidAll makes all bids of every table, the two tokens in turn.
func bidAll(b *testing.B, addr string, p players) {
	var conns sync.WaitGroup
	for _, tables := range p {
		conns.Go(func() {
			if err := bidRounds(addr, tables); err != nil {
				b.Error(err)
			}
		})
	}
	conns.Wait()
}

func bidRounds(addr string, tables [ratioTables][2]string) error {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	var out, answer bytes.Buffer
	for bid := range ratioTables * ratioBids {
		tokens, i := tables[bid/ratioBids], bid%ratioBids
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bid","arguments":{"token":%q,"quantity":%d,"face":%d}}}`,
			tokens[i%2], 1+i/5, 2+i%5)
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
	library, err := rules.Library()
	if err != nil {
		b.Fatal(err)
	}
	sets := make([]tables.Ruleset, len(library))
	for i, f := range library {
		sets[i] = rulebook.Ruleset(f)
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		b.Fatal(err)
	}
	lobby, err := tables.New(b.Context(), tables.Config{
		Store: benchStore(b), Rules: sets, LoadRules: rulebook.Load, Key: key, Origin: "dudo.example",
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

// prepare starts a game at a table for every connection. The first token of each is the one that is to move.
func (s *bidServer) prepare() (p players) {
	ctx, addr := s.b.Context(), netip.MustParseAddr("127.0.0.1")
	check := func(o tables.Object, err error) tables.Object {
		if err != nil {
			s.b.Fatal(err)
		}
		return o
	}
	for i := range ratioConns * ratioTables {
		tokens := &p[i/ratioTables][i%ratioTables]
		made := check(s.lobby.Create(ctx, addr, tables.Settings{Seats: 2, Options: map[string]int{"dice": 5}, Private: true}))
		code := made["table"].(string)
		for seat := range 2 {
			o := check(s.lobby.Join(ctx, addr, tables.Join{Name: fmt.Sprintf("p%d", seat), Table: code}))
			tokens[seat] = o["token"].(string)
		}
		if state := check(s.lobby.Start(ctx, tokens[0], []string{}, "")); state["turn"] != 0 {
			tokens[0], tokens[1] = tokens[1], tokens[0]
		}
	}
	return p
}

// answer is what the server answers to a fifth bid, in the middle of a round.
func (s *bidServer) answer() string {
	tokens := s.prepare()[0][0]
	var state tables.Object
	for i := range ratioBids / 2 {
		bid := play.Move{Action: "bid", Args: []record.Arg{{Name: "quantity", Value: 1 + i/5}, {Name: "face", Value: 2 + i%5}}}
		var err error
		if state, err = s.lobby.Act(s.b.Context(), tokens[i%2], -1, bid); err != nil {
			s.b.Fatal(err)
		}
	}
	text, err := json.Marshal(state)
	if err != nil {
		s.b.Fatal(err)
	}
	return string(text)
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

func (g *glue) prepare() (p players) {
	for i := range ratioConns * ratioTables {
		g.made++
		t := &glueTable{name: fmt.Sprintf("T%d", g.made)}
		for seat := range 2 {
			token := fmt.Sprintf("%043d", g.made*2+seat) // as long as a token of the server's
			p[i/ratioTables][i%ratioTables][seat] = token
			g.tables.Store(token, t)
		}
	}
	return p
}

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
