package front_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"dudo.example/mcpserver/front"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A desk is a front without a network: requests come from any address.
type desk struct {
	f   *front.Front
	now time.Time
}

func newDesk(perMinute int, observe func(front.Result)) *desk {
	d := &desk{now: time.Unix(1_000_000, 0)}
	d.f = front.New(front.Config{
		RequestsPerMinute: perMinute,
		TrustedProxies:    []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")},
		Now:               func() time.Time { return d.now },
		Observe:           observe,
	}, tools(&site{}))
	return d
}

func (d *desk) request(h http.Handler, verb, peer, forwarded, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(verb, "http://localhost/mcp", strings.NewReader(body))
	r.RemoteAddr = peer
	if forwarded != "" {
		r.Header.Set("X-Forwarded-For", forwarded)
	}
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestRateLimit(t *testing.T) {
	d := newDesk(5, nil)
	health := d.f.Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {}))
	const peer = "192.0.2.1:1000"
	batch := "[" + strings.Repeat(bareCall+",", 7) + bareCall + "]"
	steps := []struct {
		what   string
		h      http.Handler
		after  time.Duration
		verb   string
		peer   string
		via    string
		body   string
		status int
		retry  string
	}{
		{what: "first", status: 200},
		{what: "another port", peer: "192.0.2.1:2000", status: 200},
		{what: "a bad body counts", body: "{", status: 400},
		{what: "a wrong verb does not", verb: "GET", status: 405},
		{what: "another route counts", h: health, verb: "GET", status: 200},
		{what: "the last", status: 200},
		{what: "one too many", status: 429, retry: "12"},
		{what: "one too many on another route", h: health, verb: "GET", status: 429, retry: "12"},
		{what: "refused ones do not count", after: 12 * time.Second, status: 200},
		{what: "not yet", after: 11 * time.Second, status: 429, retry: "1"},
		{what: "now", after: time.Second, status: 200},
		{what: "another client", peer: "192.0.2.2:1", status: 200},
		{what: "header of a stranger", via: "192.0.2.9", status: 429, retry: "12"},
		{what: "batch of eight, allowed five", peer: "192.0.2.3:1", body: batch, status: 429, retry: "60"},
		{what: "batch of two", peer: "192.0.2.4:1", body: "[" + bareCall + "," + bareCall + "]", status: 200},
		{what: "batch of four after two", peer: "192.0.2.4:1", body: "[" + bareCall + "," + bareCall + "," + bareCall + "," + bareCall + "]", status: 429, retry: "12"},
		{what: "IPv6 1", peer: "[2001:db8:0:1::1]:1", body: "[" + bareCall + "," + bareCall + "," + bareCall + "]", status: 200},
		{what: "IPv6 2, the same block", peer: "[2001:db8:0:1:ffff::2]:1", body: "[" + bareCall + "," + bareCall + "," + bareCall + "]", status: 429, retry: "12"},
		{what: "IPv6 3, another block", peer: "[2001:db8:0:2::1]:1", status: 200},
		{what: "through a proxy 1", peer: "10.0.0.1:1", via: "198.51.100.1", body: "[" + bareCall + "," + bareCall + "," + bareCall + "," + bareCall + "," + bareCall + "]", status: 200},
		{what: "through a proxy 2", peer: "10.0.0.1:1", via: "198.51.100.1", status: 429, retry: "12"},
		{what: "through a proxy, another client", peer: "10.0.0.1:1", via: "198.51.100.2", status: 200},
	}
	for _, step := range steps {
		if step.h == nil {
			step.h = d.f
		}
		if step.verb == "" {
			step.verb = http.MethodPost
		}
		if step.peer == "" {
			step.peer = peer
		}
		if step.body == "" {
			step.body = bareCall
		}
		d.now = d.now.Add(step.after)
		w := d.request(step.h, step.verb, step.peer, step.via, step.body)
		if w.Code != step.status || w.Header().Get("Retry-After") != step.retry {
			t.Errorf("%s: %d, Retry-After %q, want %d, %q", step.what, w.Code, w.Header().Get("Retry-After"), step.status, step.retry)
		}
		if w.Code == 429 && !strings.Contains(w.Body.String(), "Too many requests: wait ") {
			t.Errorf("%s: body = %s", step.what, w.Body)
		}
	}
}

func TestDefaultLimit(t *testing.T) {
	d := newDesk(0, nil)
	for n := 1; n <= 121; n++ {
		want := 200
		if n == 121 {
			want = 429
		}
		if w := d.request(d.f, http.MethodPost, "192.0.2.1:1", "", bareCall); w.Code != want {
			t.Fatalf("request %d in one minute: %d, want %d", n, w.Code, want)
		}
	}
}

// A million addresses, of both kinds, cost no more than those that are remembered, and give none of them more than it has.
func TestManyAddresses(t *testing.T) {
	const addresses, allowed = 1_000_000, 120
	now := time.Unix(1_000_000, 0)
	take := front.Limiter(allowed, func() time.Time { return now })
	busy := netip.MustParseAddr("192.0.2.1")
	before, began := memory(), time.Now()
	passed := 0
	for i := range addresses {
		addr := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
		if i%2 == 1 {
			addr = netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, byte(i >> 16), byte(i >> 8), byte(i), 1, 15: byte(i)})
		}
		if !take(addr) {
			t.Fatalf("the first request of %v did not pass", addr)
		}
		if i%1000 == 0 && take(busy) {
			passed++
		}
	}
	took, grown := time.Since(began), memory()-before
	t.Logf("%d addresses: %.1f MB, %v each", addresses, float64(grown)/1e6, took/addresses)
	if grown > 8<<20 {
		t.Errorf("they take %d bytes, want at most 8 MB", grown)
	}
	if passed != allowed {
		t.Errorf("%d requests of an address passed among them, want %d", passed, allowed)
	}
	if !take(netip.AddrFrom4([4]byte{10, 0, 0, 0})) {
		t.Error("an address that was forgotten has no fresh start")
	}
	take(busy) // which keeps what was measured
}

func TestBlock(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.7":             "192.0.2.7/32",
		"2001:db8:1:2:3:4:5:6":  "2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::":   "2001:db8:1:2::/64",
		"2001:db8:1:3:ffff::":   "2001:db8:1:3::/64",
		"::1":                   "::/64",
		"fe80::1234:5678:9abc:": "invalid Prefix",
	} {
		parsed, _ := netip.ParseAddr(addr)
		if got := front.Block(parsed).String(); got != want {
			t.Errorf("Block(%s) = %s, want %s", addr, got, want)
		}
	}
}

func TestObserve(t *testing.T) {
	var got []front.Result
	d := newDesk(-1, func(r front.Result) { got = append(got, r) })
	for _, body := range []string{
		bareCall, call("refuse", "{}"), call("nope", "{}"), call("panic", "{}"),
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1,"method":"<x>"}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		"{", "[" + bareCall + ",1]",
	} {
		d.request(d.f, http.MethodPost, "192.0.2.1:1", "", body)
	}
	d.request(d.f, http.MethodGet, "192.0.2.1:1", "", "")
	const era = "2025-03-26"
	want := []front.Result{
		{Method: "tools/call", Tool: "echo", Era: era, Status: 200},
		{Method: "tools/call", Tool: "refuse", Era: era, Status: 200, Refusal: "not_your_turn"},
		{Method: "tools/call", Tool: "other", Era: era, Status: 200, Code: -32602},
		{Method: "tools/call", Tool: "panic", Era: era, Status: 200, Code: -32603},
		{Method: "tools/list", Era: era, Status: 200},
		{Method: "other", Era: era, Status: 200, Code: -32601},
		{Method: "notifications/initialized", Era: era, Status: 202},
		{Status: 400, Code: -32700},
		{Method: "tools/call", Tool: "echo", Era: era, Status: 200},
		{Status: 400, Code: -32600},
		{Status: 405, Code: -32600},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(front.Result{}, "Duration")); diff != "" {
		t.Errorf("observed (-want +got):\n%s", diff)
	}
}

func TestServerBounds(t *testing.T) {
	srv := front.NewServer("127.0.0.1:0", http.NotFoundHandler())
	got := []any{srv.Addr, srv.ReadHeaderTimeout, srv.ReadTimeout, srv.WriteTimeout, srv.IdleTimeout, srv.MaxHeaderBytes}
	want := []any{"127.0.0.1:0", 5 * time.Second, 10 * time.Second, 40 * time.Second, 120 * time.Second, 16 << 10}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("NewServer (-want +got):\n%s", diff)
	}
}
