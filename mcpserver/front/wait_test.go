package front_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dudo.example/mcpserver/front"
)

// patience bounds waits that should not take any time.
const patience = 10 * time.Second

func receive[T any](t *testing.T, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("no %s after %v", what, patience)
		panic("unreachable")
	}
}

// waiter calls the wait tool on its own and delivers the reply.
func waiter(t *testing.T, s *site, id string) <-chan string {
	reply := make(chan string, 1)
	go func() {
		_, body := post(t, s, strings.Replace(call("wait", "{}"), `"id":1`, `"id":`+id, 1))
		reply <- body
	}()
	receive(t, s.waiting, "waiter")
	return reply
}

func TestAnotherClientsCancel(t *testing.T) {
	s := serve(t, front.Config{})
	reply := waiter(t, s, "7")
	for id := range 20 { // the client's id, and whatever the front made of it
		body := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
		if resp, got := post(t, s, body); resp.StatusCode != http.StatusAccepted || got != "" {
			t.Errorf("cancelled = %d %q, want 202 without a body", resp.StatusCode, got)
		}
	}
	close(s.release)
	if got, want := receive(t, reply, "reply"), textReply("7", "released"); got != want {
		t.Errorf("reply = %s, want %s", got, want)
	}
}

// leave sends a body, waits until the wait tool is at work, and disconnects.
func leave(t *testing.T, s *site, body string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	failed := make(chan error, 1)
	go func() {
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			resp.Body.Close()
		}
		failed <- err
	}()
	receive(t, s.waiting, "waiter")
	left := time.Now()
	cancel()
	if err := receive(t, s.ended, "end of the wait"); !errors.Is(err, context.Canceled) {
		t.Errorf("the handler's context ended with %v, want %v", err, context.Canceled)
	}
	t.Logf("a disconnect reached the handler after %v", time.Since(left))
	if err := receive(t, failed, "client's error"); !errors.Is(err, context.Canceled) {
		t.Errorf("Do = %v, want %v", err, context.Canceled)
	}
	if err := s.srv.Shutdown(t.Context()); err != nil { // returns when the handler has
		t.Fatal(err)
	}
}

func TestDisconnectCancels(t *testing.T) {
	// The messages of a batch that come after the wait are not answered either.
	for _, body := range []string{call("wait", "{}"), "[" + call("wait", "{}") + "," + call("secret", "{}") + "]"} {
		s := serve(t, front.Config{})
		leave(t, s, body)
		got := s.observed()
		if len(got) != 1 || got[0].Status != 499 || got[0].Tool != "wait" {
			t.Errorf("observed %+v, want one wait with status 499", got)
		}
	}
}

func TestShutdownDrains(t *testing.T) {
	s := serve(t, front.Config{})
	const waiters = 50
	var replies []<-chan string
	for i := range waiters {
		replies = append(replies, waiter(t, s, fmt.Sprint(i)))
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := s.srv.Shutdown(ctx); err != nil {
		t.Fatalf("Shutdown = %v", err)
	}
	t.Logf("shutdown with %d waiters took %v", waiters, time.Since(began))
	for i, reply := range replies {
		if got, want := receive(t, reply, "reply"), textReply(fmt.Sprint(i), "drained"); got != want {
			t.Errorf("reply = %s, want %s", got, want)
		}
	}
}

// A long poll outlives the time that its request had to arrive.
func TestWaitBeyondReadTimeout(t *testing.T) {
	t.Parallel()
	s := serve(t, front.Config{}, func(srv *http.Server) { srv.ReadTimeout = 500 * time.Millisecond })
	if _, got := post(t, s, call("nap", "{}")); got != textReply("1", "rested") {
		t.Errorf("reply = %s", got)
	}
}

func TestSlowBody(t *testing.T) {
	t.Parallel()
	s := serve(t, front.Config{}, func(srv *http.Server) { srv.ReadTimeout = 500 * time.Millisecond })
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	want := errorReply("null", "-32600", "The body did not arrive whole and in time.")
	if resp.StatusCode != http.StatusRequestTimeout || strings.TrimSpace(string(body)) != want {
		t.Errorf("reply = %d %s, want 408 %s", resp.StatusCode, body, want)
	}
}

// A body whose length is not announced is bounded all the same.
func TestChunkedBody(t *testing.T) {
	s := serve(t, front.Config{})
	pad := func(n int) io.Reader { // hides its length from the client
		return io.MultiReader(strings.NewReader(bareCall), strings.NewReader(strings.Repeat(" ", n)))
	}
	for n, want := range map[int]int{100: 200, front.DefaultMaxBody - len(bareCall): 200, front.DefaultMaxBody: 413, 1 << 20: 413} {
		resp, err := http.Post(s.url, "application/json", pad(n))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("status with %d bytes of padding = %d, want %d", n, resp.StatusCode, want)
		}
	}
}

// The waits of a batch together take no longer than one.
func TestBatchIsHurried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &site{waiting: make(chan struct{}, 8), ended: make(chan error, 8), release: make(chan struct{})}
		f := front.New(front.Config{}, tools(s))
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp",
			strings.NewReader("["+call("wait", "{}")+","+call("wait", "{}")+","+call("wait", "{}")+"]"))
		r.Header.Set("Content-Type", "application/json")
		began := time.Now()
		f.ServeHTTP(w, r)
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("the batch took %v, want 20s", took)
		}
		one := textReply("1", "drained")
		if got, want := strings.TrimSpace(w.Body.String()), "["+one+","+one+","+one+"]"; got != want {
			t.Errorf("reply = %s, want %s", got, want)
		}
	})
}

// Clients that choose the same id do not meet.
func TestSameID(t *testing.T) {
	s := serve(t, front.Config{})
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			args := fmt.Sprintf(`{"n":%d}`, i)
			if _, got := post(t, s, call("echo", args)); got != textReply("1", args) {
				t.Errorf("reply = %s, want %s", got, args)
			}
		})
	}
	wg.Wait()
}

func TestFaultsSayNothing(t *testing.T) {
	s := serve(t, front.Config{})
	for _, tool := range []string{"fail", "panic"} {
		resp, body := post(t, s, call(tool, `{"token":"tok-123"}`))
		id := resp.Header.Get("X-Request-Id")
		var reply struct{ Error struct{ Message string } }
		if err := json.Unmarshal([]byte(body), &reply); err != nil {
			t.Fatal(err)
		}
		if want := "Internal error, reference " + id + "."; reply.Error.Message != want {
			t.Errorf("%s: message = %q, want %q", tool, reply.Error.Message, want)
		}
		if !strings.Contains(s.logged(), "request="+id) {
			t.Errorf("%s: the log has no request %s:\n%s", tool, id, s.logged())
		}
	}
	send(t, http.MethodGet, "http://"+s.addr+"/panic", "")
	log := s.logged()
	for _, secret := range []string{"seed 42", "tok-123"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log has %q:\n%s", secret, log)
		}
	}
	for _, want := range []string{"disk on fire", "front_test.tools.func", "front_test.serve.func"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not say %q:\n%s", want, log)
		}
	}
}
