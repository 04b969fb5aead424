package load_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"dudo.example/mcpserver/client"
	"dudo.example/mcpserver/internal/servertest"
	"dudo.example/mcpserver/load"
)

const (
	waitTables = 200
	waitSeats  = 6
	waiters    = waitTables * (waitSeats - 1) // all but those whose turn it is: 1,000
	wakes      = 400                          // that are timed
)

// TestThousandWaiters plays with 200 full tables of a server that is a process of its own: who is not to move waits in a call.
func TestThousandWaiters(t *testing.T) {
	program, addr, admin := servertest.Build(t), servertest.FreeAddress(t), servertest.FreeAddress(t)
	s := servertest.Start(t, program, addr, filepath.Join(t.TempDir(), "data"), "--admin", admin)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if err := s.Ready(ctx); err != nil {
		t.Fatal(err)
	}
	c := &crowd{t: t, ctx: ctx, addr: addr, metrics: "http://" + admin + "/metrics", client: client.New(s.URL, 16)}
	defer c.client.Close()
	before := c.memory(s)
	c.seat()
	idle := c.memory(s)
	c.wait()
	c.until(waiters)
	full := c.memory(s)
	t.Logf("resident memory: %.1f MB at the start, %.1f MB with %d tables, %.1f MB with %d waiters; heap and stacks %.1f, %.1f and %.1f MB",
		before.resident, idle.resident, waitTables, full.resident, waiters, before.heap, idle.heap, full.heap)
	if grown := full.resident - idle.resident; grown > 80 {
		t.Errorf("%d waiters hold %.1f MB, want less than 80", waiters, grown)
	}
	c.wakeSome()
	c.leave()
	began, answered := time.Now(), make(chan time.Duration)
	go func() {
		c.waiters.Wait()
		answered <- time.Since(began)
	}()
	took, err := s.Stop()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("shutdown with %d waiters: all were answered within %v, and the process ended after %v", waiters-1, <-answered, took)
	c.close()
	if took > shutdownBound {
		t.Errorf("shutdown took %v, want less than %v", took, shutdownBound)
	}
}

// The bounds are wider than what is promised (50 ms for a wake, a second for a shutdown), because a test shares its machine; the
// log says what was measured.
const (
	wakeBound     = 250 * time.Millisecond
	shutdownBound = 3 * time.Second
)

// crowd is the players of all tables.
type crowd struct {
	t             *testing.T
	ctx           context.Context
	addr, metrics string
	client        *client.Client
	tables        []*crowded
	waiters       sync.WaitGroup
}

type crowded struct {
	seats []*client.Agent
	turn  client.State // of whoever is to move
	conns []net.Conn   // by seat
	told  chan told
}

// told is what a waiter was answered.
type told struct {
	state client.State
	at    time.Time
}

type memory struct{ resident, heap float64 } // MB

func (c *crowd) memory(s *servertest.Server) memory {
	c.t.Helper()
	resident, err := s.Resident()
	if err != nil {
		c.t.Fatal(err)
	}
	values := c.read()
	return memory{float64(resident) / 1e6, (values["go_memstats_heap_inuse_bytes"] + values["go_memstats_stack_inuse_bytes"]) / 1e6}
}

func (c *crowd) read() map[string]float64 {
	c.t.Helper()
	values, err := load.ReadMetrics(c.ctx, c.metrics)
	if err != nil {
		c.t.Fatal(err)
	}
	return values
}

// until waits until so many calls wait at the server.
func (c *crowd) until(n float64) {
	c.t.Helper()
	for c.read()["dudo_waiting_calls"] != n {
		select {
		case <-c.ctx.Done():
			c.t.Fatalf("%v calls wait, want %v", c.read()["dudo_waiting_calls"], n)
		case <-time.After(time.Millisecond):
		}
	}
}

// seat fills and starts the tables.
func (c *crowd) seat() {
	c.t.Helper()
	for range waitTables {
		var made struct{ Table string }
		table := &crowded{conns: make([]net.Conn, waitSeats), told: make(chan told, waitSeats)}
		settings := map[string]any{"seats": waitSeats, "dice": 5, "turn_seconds": 120, "public": false}
		err := c.client.Call(c.ctx, "create_table", settings, &made)
		for i := range waitSeats {
			a := &client.Agent{Client: c.client, Name: fmt.Sprintf("p%d", i), Rand: rand.New(rand.NewPCG(1, uint64(i)))}
			table.seats = append(table.seats, a)
			if err == nil {
				err = a.Join(c.ctx, made.Table)
			}
		}
		if err == nil {
			err = table.seats[0].Start(c.ctx, 0)
		}
		var s client.State
		if err == nil {
			s, err = table.seats[0].Look(c.ctx, 0)
		}
		if err == nil && !s.YourTurn {
			s, err = table.seats[*s.Turn].Look(c.ctx, 0)
		}
		if err != nil {
			c.t.Fatal(err)
		}
		table.turn = s
		c.tables = append(c.tables, table)
	}
}

// wait lets everybody wait who is not to move.
func (c *crowd) wait() {
	for _, table := range c.tables {
		for i := range table.seats {
			if i != *table.turn.Turn {
				c.ask(table, i)
			}
		}
	}
}

// ask has a seat wait on a connection of its own until it is its turn, as cheaply as it can.
func (c *crowd) ask(table *crowded, seat int) {
	c.t.Helper()
	if table.conns[seat] == nil {
		conn, err := net.Dial("tcp", c.addr)
		if err != nil {
			c.t.Fatal(err)
		}
		table.conns[seat] = conn
	}
	conn := table.conns[seat]
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_state","arguments":{"token":%q,"wait_seconds":20}}}`,
		table.seats[seat].Token)
	c.waiters.Go(func() {
		for {
			if _, err := fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
				return
			}
			s, _, err := readState(conn)
			if err != nil {
				return // the connection or the server was closed
			}
			if s.YourTurn {
				table.told <- told{s, time.Now()}
				return
			}
		}
	})
}

// readState reads the answer to a get_state, and tells how long its body is.
func readState(conn net.Conn) (s client.State, size int, err error) {
	res, err := http.ReadResponse(bufio.NewReaderSize(conn, 1024), nil)
	if err != nil {
		return s, 0, err
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return s, 0, err
	}
	var reply struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal(text, &reply); err != nil || len(reply.Result.Content) != 1 {
		return s, 0, errors.New(string(text))
	}
	return s, len(text), json.Unmarshal([]byte(reply.Result.Content[0].Text), &s)
}

// wakeSome moves at one table after the other, and times how long after the answer the next player knows. Who has moved
// waits again.
func (c *crowd) wakeSome() {
	c.t.Helper()
	took := hdrhistogram.New(1, time.Minute.Microseconds(), 3)
	for i := range wakes {
		table := c.tables[i%len(c.tables)]
		seat := *table.turn.Turn
		moved, err := bid(c.ctx, table.seats[seat], table.turn)
		if err != nil {
			c.t.Fatal(err)
		}
		answered := time.Now()
		c.ask(table, seat)
		select {
		case next := <-table.told:
			if next.state.N != moved.N {
				c.t.Fatalf("the waiter was told of event %d, and the move was %d", next.state.N, moved.N)
			}
			_ = took.RecordValue(max(0, next.at.Sub(answered)).Microseconds())
			table.turn = next.state
		case <-c.ctx.Done():
			c.t.Fatal("a move has woken nobody")
		}
	}
	ms := func(us int64) time.Duration { return time.Duration(us) * time.Microsecond }
	p50, p99 := ms(took.ValueAtQuantile(50)), ms(took.ValueAtQuantile(99))
	c.t.Logf("%d wakes with %d waiters: p50 %v, p99 %v, longest %v after the move's answer", wakes, waiters, p50, p99, ms(took.Max()))
	if p99 > wakeBound {
		c.t.Errorf("99 of 100 waiters were woken within %v, want %v", p99, wakeBound)
	}
}

// bid makes the least bid of some face.
func bid(ctx context.Context, a *client.Agent, s client.State) (client.State, error) {
	for range 100 {
		tool, args, err := a.Choose(s)
		if err != nil {
			return s, err
		}
		if tool == "bid" {
			args["token"] = a.Token
			var moved client.State
			return moved, a.Client.Call(ctx, tool, args, &moved)
		}
	}
	return s, errors.New("the agent does not bid")
}

// leave closes a waiter's connection and sees that its place is free.
func (c *crowd) leave() {
	c.t.Helper()
	c.until(waiters)
	table := c.tables[0]
	seat := (*table.turn.Turn + 1) % waitSeats
	began := time.Now()
	_ = table.conns[seat].Close()
	c.until(waiters - 1)
	c.t.Logf("a disconnect freed its waiter within %v", time.Since(began))
}

func (c *crowd) close() {
	for _, table := range c.tables {
		for _, conn := range table.conns {
			if conn != nil {
				_ = conn.Close()
			}
		}
	}
}

// An agent pays for what an empty wait answers.
func TestEmptyWait(t *testing.T) {
	program, addr := servertest.Build(t), servertest.FreeAddress(t)
	s := servertest.Start(t, program, addr, filepath.Join(t.TempDir(), "data"))
	if err := s.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, c := t.Context(), client.New(s.URL, 2)
	defer c.Close()
	for _, name := range []string{"a", "a-name-as-long-as-allowed"[:24]} {
		var made struct{ Table string }
		if err := c.Call(ctx, "create_table", map[string]any{"seats": 2, "public": false}, &made); err != nil {
			t.Fatal(err)
		}
		players := []*client.Agent{}
		for i := range 2 {
			a := &client.Agent{Client: c, Name: fmt.Sprintf("%.22s-%d", name, i), Rand: rand.New(rand.NewPCG(1, 2))}
			if err := a.Join(ctx, made.Table); err != nil {
				t.Fatal(err)
			}
			players = append(players, a)
		}
		if err := players[0].Start(ctx, 0); err != nil {
			t.Fatal(err)
		}
		state, err := players[0].Look(ctx, 0)
		if err != nil {
			t.Fatal(err)
		}
		waiting := players[1-*state.Turn]
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_state","arguments":{"token":%q,"wait_seconds":1,"since":%d}}}`,
			waiting.Token, state.N)
		_, _ = fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		empty, size, err := readState(conn)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d bytes", size)
		if size >= 400 || empty.N != state.N || empty.Seats != nil || strings.TrimSpace(empty.Next) == "" {
			t.Errorf("an empty wait answers %d bytes: %+v", size, empty)
		}
	}
}
