package front

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// Connections that are open at once, unless [Config] says otherwise.
const (
	DefaultConnections     = 8000
	DefaultAddrConnections = 128
)

// connections counts what is open, and closes at once what is beyond its limits: a connection holds a file and memory before
// anything was sent on it, and the store needs files too.
type connections struct {
	most, mostOfAddr int
	trusted          []netip.Prefix

	mu     sync.Mutex
	open   map[net.Conn]netip.Prefix
	ofAddr map[netip.Prefix]int
}

// Bound limits the connections of a server that has not begun to serve to those of the front's [Config]. A proxy that is trusted
// has as many as all clients together.
func (f *Front) Bound(srv *http.Server) {
	c := &connections{
		most: f.cfg.Connections, mostOfAddr: f.cfg.AddrConnections, trusted: f.cfg.TrustedProxies,
		open: map[net.Conn]netip.Prefix{}, ofAddr: map[netip.Prefix]int{},
	}
	srv.ConnState = c.changed
}

func (c *connections) changed(conn net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		if text := c.enter(conn); text != "" {
			refuse(conn, text)
		}
	case http.StateClosed, http.StateHijacked:
		c.leave(conn)
	case http.StateActive, http.StateIdle:
	}
}

// enter counts a connection, or says why it does not.
func (c *connections) enter(conn net.Conn) (text string) {
	var client netip.Prefix // of whoever has no address of IP, all together
	if addr, ok := parseAddr(conn.RemoteAddr().String()); ok && !contains(c.trusted, addr) {
		client = Block(addr)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case len(c.open) >= c.most:
		return "The server has as many connections as it takes: try again in a minute."
	case client.IsValid() && c.ofAddr[client] >= c.mostOfAddr:
		return "Too many connections from your address: close some, and use one for many calls."
	}
	c.open[conn] = client
	c.ofAddr[client]++
	return ""
}

func (c *connections) leave(conn net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	client, entered := c.open[conn]
	if !entered {
		return
	}
	delete(c.open, conn)
	if c.ofAddr[client]--; c.ofAddr[client] == 0 {
		delete(c.ofAddr, client)
	}
}

// refuse answers before anything was asked. It does not wait: so little fits into the system's buffers.
func refuse(conn net.Conn, text string) {
	rej := &rejection{status: http.StatusServiceUnavailable, code: codeLimited, text: text}
	body := rej.reply(nil)
	_ = conn.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = fmt.Fprintf(conn, "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: %d\r\nRetry-After: 60\r\n"+
		"Connection: close\r\n\r\n%s", len(body), body)
	_ = conn.Close()
}
