package front_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"dudo.example/mcpserver/front"
)

const (
	tooMany  = "Too many connections from your address: close some, and use one for many calls."
	noneLeft = "The server has as many connections as it takes: try again in a minute."
)

// A wireConn is a connection on which nothing but bytes is known.
type wireConn struct {
	net.Conn
	in *bufio.Reader
}

func dial(t *testing.T, s *site) *wireConn {
	t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return &wireConn{conn, bufio.NewReader(conn)}
}

// health asks for the server's health and gives the status and the sentence of a refusal.
func (c *wireConn) health(t *testing.T) (status int, text string) {
	t.Helper()
	_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") // who is refused may be cut off already
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// refused wants the connection to be answered with a sentence, unasked, and closed.
func (c *wireConn) refused(t *testing.T, sentence string) {
	t.Helper()
	all, err := io.ReadAll(c)
	if want := errorReply("null", "-32000", sentence); err != nil || !strings.HasPrefix(string(all), "HTTP/1.1 503 ") || !strings.HasSuffix(string(all), want) {
		t.Errorf("a connection too many reads %q, %v, want 503 and %s", all, err, want)
	}
}

func TestConnectionsOfAnAddress(t *testing.T) {
	s := serve(t, front.Config{AddrConnections: 3})
	var open []*wireConn
	for range 3 {
		c := dial(t, s)
		if status, _ := c.health(t); status != 200 {
			t.Fatalf("status %d", status)
		}
		open = append(open, c)
	}
	for range 20 {
		dial(t, s).refused(t, tooMany)
	}
	if status, _ := open[1].health(t); status != 200 { // those that are open stay so
		t.Errorf("status %d", status)
	}
	_ = open[0].Close()
	for { // until the server has seen it
		c := dial(t, s)
		_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if line, err := c.in.ReadString('\n'); err == nil && strings.HasPrefix(line, "HTTP/1.1 200 ") {
			break
		}
	}
	dial(t, s).refused(t, tooMany)
}

func TestConnectionsInAll(t *testing.T) {
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	s := serve(t, front.Config{AddrConnections: 2, Connections: 5, TrustedProxies: loopback})
	for range 5 { // a proxy is not one client
		if status, _ := dial(t, s).health(t); status != 200 {
			t.Fatalf("status %d", status)
		}
	}
	dial(t, s).refused(t, noneLeft)
}
