package load_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dudo.example/mcpserver/internal/servertest"
	"dudo.example/mcpserver/load"
)

// The limits of a public server, which these tests hold it to. The addresses of strangers are as the machine's own proxy tells.
const (
	publicTables  = 200
	publicWaiters = 4000
	mostGrown     = 400 << 20 // bytes, with all waiting that can; half of it is what the collector leaves
)

func startPublic(t *testing.T) (s *servertest.Server, admin string) {
	t.Helper()
	admin = servertest.FreeAddress(t)
	s = servertest.Start(t, servertest.Build(t), servertest.FreeAddress(t), filepath.Join(t.TempDir(), "data"),
		"--requests-per-minute", "120", "--new-tables", "10", "--tables", strconv.Itoa(publicTables), "--address-waiters", "8",
		"--trusted-proxies", "127.0.0.0/8", "--admin", admin)
	if err := s.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, admin
}

// stranger is a client with an address of its own, numbered.
type stranger struct {
	*servertest.Server
	number int
	http   *http.Client
}

// answer is what a call of a tool came to.
type answer struct {
	Table, Token string
	N, Turn      int
	YourTurn     bool `json:"your_turn"`

	refusal string // its code; "limited" if the address has asked too often
}

func (s *stranger) request(ctx context.Context, tool, args string) (*http.Request, error) {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + `}}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/mcp", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.9, 10.%d.%d.%d", s.number>>16&0xff, s.number>>8&0xff, s.number&0xff))
	return req, nil
}

func (s *stranger) call(ctx context.Context, tool, args string) (a answer, err error) {
	req, err := s.request(ctx, tool, args)
	if err != nil {
		return a, err
	}
	res, err := s.http.Do(req)
	if err != nil {
		return a, err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return a, err
	}
	if res.StatusCode == http.StatusTooManyRequests {
		return answer{refusal: "limited"}, nil
	}
	var reply struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
			Meta    struct{ Code string } `json:"_meta"`
		}
	}
	switch err := json.Unmarshal(text, &reply); {
	case err != nil || len(reply.Result.Content) != 1:
		return a, fmt.Errorf("%s: %d %.200s", tool, res.StatusCode, text)
	case reply.Result.IsError:
		return answer{refusal: reply.Result.Meta.Code}, nil
	}
	return a, json.Unmarshal([]byte(reply.Result.Content[0].Text), &a)
}

// honest is a game of two who play as they should.
type honest struct {
	t      *testing.T
	table  string
	token  [2]string
	player [2]*stranger
	next   int // quantity
	turn   int
}

func newHonest(t *testing.T, s *servertest.Server) *honest {
	t.Helper()
	h := &honest{t: t, next: 1}
	for i := range h.player {
		h.player[i] = &stranger{s, 1<<23 + i, &http.Client{Transport: &http.Transport{}}}
		t.Cleanup(h.player[i].http.CloseIdleConnections)
	}
	h.table = h.must(0, "create_table", `{"seats":2,"dice":5,"turn_seconds":120}`).Table
	for i := range h.token {
		h.token[i] = h.must(i, "join_table", fmt.Sprintf(`{"name":"p%d","table":%q}`, i, h.table)).Token
	}
	h.must(0, "start_game", fmt.Sprintf(`{"token":%q}`, h.token[0]))
	h.turn = h.must(0, "get_state", fmt.Sprintf(`{"token":%q}`, h.token[0])).Turn
	return h
}

func (h *honest) must(player int, tool, args string) answer {
	h.t.Helper()
	a, err := h.player[player].call(h.t.Context(), tool, args)
	if err != nil || a.refusal != "" {
		h.t.Fatalf("%s %s: %q, %v", tool, args, a.refusal, err)
	}
	return a
}

// round lets one player wait, and the other bid after a while. It gives how long after the bid's answer the first one knew.
func (h *honest) round(after time.Duration) time.Duration {
	h.t.Helper()
	told := make(chan time.Time, 1)
	waiting := 1 - h.turn
	go func() {
		defer close(told)
		a, err := h.player[waiting].call(h.t.Context(), "get_state", fmt.Sprintf(`{"token":%q,"wait_seconds":20}`, h.token[waiting]))
		if err != nil || !a.YourTurn {
			h.t.Errorf("the wait of an honest player: %+v, %v", a, err)
			return
		}
		told <- time.Now()
	}()
	time.Sleep(after)
	h.must(h.turn, "bid", fmt.Sprintf(`{"token":%q,"quantity":%d,"face":%d}`, h.token[h.turn], 1+h.next/6, 1+h.next%6))
	moved := time.Now()
	h.next, h.turn = h.next+1, waiting
	return (<-told).Sub(moved)
}

// TestSlowStrangers holds 200 connections open that never finish their header, and 200 that never finish their body, while two
// others play.
func TestSlowStrangers(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes ten seconds")
	}
	s, _ := startPublic(t)
	h := newHonest(t, s)
	const each = 200
	begin := map[string]string{
		"header": "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
		"body":   "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{",
	}
	longest := map[string]*atomic.Int64{"header": {}, "body": {}}
	var all sync.WaitGroup
	for kind, text := range begin {
		for range each {
			conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				defer func() { _ = conn.Close() }()
				began := time.Now()
				_, _ = io.WriteString(conn, text)
				trickled := make(chan struct{})
				go func() {
					defer close(trickled)
					for { // until the server has had enough
						if _, err := io.WriteString(conn, " "); err != nil {
							return
						}
						time.Sleep(200 * time.Millisecond)
					}
				}()
				_ = conn.SetReadDeadline(began.Add(30 * time.Second))
				_, err := io.Copy(io.Discard, conn)
				if errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 29*time.Second {
					t.Errorf("a slow %s was still open after %v", kind, time.Since(began))
				}
				for took := int64(time.Since(began)); ; {
					if most := longest[kind].Load(); took <= most || longest[kind].CompareAndSwap(most, took) {
						break
					}
				}
				_ = conn.Close()
				<-trickled
			})
		}
	}
	woken := h.round(8 * time.Second) // the wait outlives the slow headers
	all.Wait()
	t.Logf("%d slow headers were cut off within %v, %d slow bodies within %v; an honest wait among them was woken in %v", each,
		time.Duration(longest["header"].Load()).Round(time.Millisecond), each, time.Duration(longest["body"].Load()).Round(time.Millisecond), woken)
	if woken > wakeBound {
		t.Errorf("the honest player knew after %v, want %v", woken, wakeBound)
	}
	for kind, most := range map[string]time.Duration{"header": 5 * time.Second, "body": 10 * time.Second} {
		if took := time.Duration(longest[kind].Load()); took > most+5*time.Second { // the machine may be busy
			t.Errorf("slow %s: the last was cut off after %v, want %v", kind, took, most)
		}
	}
}

// TestFloods has 500 addresses make as many tables as they can, then ten thousand calls try to wait at them, while two others play.
func TestFloods(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes ten thousand connections")
	}
	s, admin := startPublic(t)
	h := newHonest(t, s)
	before, err := s.Resident()
	if err != nil {
		t.Fatal(err)
	}
	codes := h.floodTables(t, s)
	codes = append(codes, h.table)
	woken := h.round(0)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	done := floodWaiters(ctx, t, s, codes)
	counts, err := load.ReadMetrics(t.Context(), "http://"+admin+"/metrics")
	if err != nil {
		t.Fatal(err)
	}
	waiting := counts["dudo_waiting_calls"]
	for range 20 {
		woken = max(woken, h.round(0))
	}
	full, err := s.Resident()
	if err != nil {
		t.Fatal(err)
	}
	leave()
	refused := done()
	t.Logf("%v calls waited, %d were refused; resident memory grew by %.0f MB; an honest player was woken within %v", waiting, refused,
		float64(full-before)/1e6, woken)
	if waiting > publicWaiters/2 || waiting < publicWaiters/4 || refused < 5000 {
		t.Errorf("%v calls waited and %d were refused, want at most %d waiting and others refused", waiting, refused, publicWaiters/2)
	}
	if full-before > mostGrown {
		t.Errorf("resident memory grew by %d MB, want at most %d", (full-before)>>20, mostGrown>>20)
	}
	if woken > wakeBound {
		t.Errorf("the honest player knew after %v, want %v", woken, wakeBound)
	}
}

// floodTables makes tables from many addresses until the server takes no more, and sees that an address has ten.
func (h *honest) floodTables(t *testing.T, s *servertest.Server) (codes []string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	refused := map[string]int{}
	for i := range 5000 {
		x := &stranger{s, i % 500, client}
		if i < 20 {
			x.number = 1000
		}
		a, err := x.call(t.Context(), "create_table", `{"seats":6}`)
		if err != nil {
			t.Fatal(err)
		}
		if a.refusal != "" {
			refused[a.refusal]++
			continue
		}
		codes = append(codes, a.Table)
		if i == 19 && len(codes) != 10 {
			t.Errorf("one address made %d tables, want 10", len(codes))
		}
	}
	t.Logf("%d tables were made; refused: %v", len(codes), refused)
	if len(codes) != publicTables-1 || refused["too_many_new_tables"] < 10 || refused["too_many_tables"] == 0 || len(refused) != 2 {
		t.Errorf("%d tables were made, refused %v; want %d, and the others refused by their address or in all", len(codes), refused, publicTables-1)
	}
	return codes
}

// floodWaiters has ten thousand calls ask to wait at the tables, eight of an address. It returns once each has had its time to be
// answered; done then says how many were refused, after ctx has ended.
func floodWaiters(ctx context.Context, t *testing.T, s *servertest.Server, codes []string) (done func() int64) {
	t.Helper()
	var all, decided sync.WaitGroup
	var refused atomic.Int64
	slots := make(chan struct{}, 500) // that are being decided
	const attempts = 10_000
	decided.Add(attempts)
	for i := range attempts {
		slots <- struct{}{}
		all.Go(func() {
			decide := sync.OnceFunc(func() {
				<-slots
				decided.Done()
			})
			defer decide()
			timer := time.AfterFunc(time.Second, decide)
			defer timer.Stop()
			x := &stranger{s, 2000 + i/8, nil}
			req, err := x.request(ctx, "get_state", fmt.Sprintf(`{"table":%q,"wait_seconds":20,"since":99}`, codes[i%len(codes)]))
			if err != nil {
				t.Error(err)
				return
			}
			switch text, err := once(ctx, req); {
			case err != nil && ctx.Err() == nil:
				t.Error(err)
			case strings.Contains(text, "Too many calls are waiting already"):
				refused.Add(1)
			case strings.Contains(text, `"isError":true`):
				t.Errorf("a wait was answered with %q", text)
			}
		})
	}
	decided.Wait()
	return func() int64 {
		all.Wait()
		return refused.Load()
	}
}

// once sends a request on a connection of its own, which ends with ctx, and gives what is answered. It holds little memory.
func once(ctx context.Context, req *http.Request) (string, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", req.URL.Host)
	if err != nil {
		return "", err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	defer func() { _ = conn.Close() }()
	req.Close = true
	if err := req.Write(conn); err != nil {
		return "", err
	}
	res, err := http.ReadResponse(bufio.NewReaderSize(conn, 512), req)
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	return string(text), err
}
