package front_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"testing"
	"time"

	"dudo.example/mcpserver/front"
)

// What a thousand long polls cost, and how fast they end.
func TestThousandWaiters(t *testing.T) {
	const waiters = 1000
	s := serve(t, front.Config{AddrConnections: 2 * waiters})
	conns := make([]net.Conn, waiters)
	before := memory()
	body := call("wait", "{}")
	for i := range conns {
		conn, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conns[i] = conn
		fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		receive(t, s.waiting, "waiter")
	}
	grown := memory() - before
	t.Logf("%d waiters hold %.1f MB, %.1f KB each", waiters, float64(grown)/1e6, float64(grown)/1e3/waiters)
	if grown > 80e6 {
		t.Errorf("%d waiters hold %d bytes, want less than 80 MB", waiters, grown)
	}

	// A tenth of them leaves.
	began := time.Now()
	for _, conn := range conns[:waiters/10] {
		conn.Close()
	}
	for range waiters / 10 {
		receive(t, s.ended, "end of a wait")
	}
	t.Logf("%d disconnects reached their handlers within %v", waiters/10, time.Since(began))

	// The others are woken at once.
	began = time.Now()
	close(s.release)
	for _, conn := range conns[waiters/10:] {
		resp, err := http.ReadResponse(bufio.NewReaderSize(conn, 512), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("status %d", resp.StatusCode)
		}
	}
	t.Logf("%d replies arrived within %v of the wake", waiters*9/10, time.Since(began))
}

// memory returns the bytes in use on heap and stacks after a collection.
func memory() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}
