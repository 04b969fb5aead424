package front_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"dudo.example/mcpserver/front"
)

// forwarded are X-Forwarded-For headers, a text a field, as a proxy at 10.0.0.1 hands them on, with the client that they tell of. 10.0.0.0/8 and
// fd00::/8 are trusted.
var forwarded = []struct {
	fields []string
	want   string
}{
	{nil, "10.0.0.1"},
	{[]string{"198.51.100.1"}, "198.51.100.1"},
	{[]string{"203.0.113.1, 198.51.100.1"}, "198.51.100.1"}, // the client wrote the first
	{[]string{"203.0.113.1", "198.51.100.1"}, "198.51.100.1"},
	{[]string{"198.51.100.1", "203.0.113.1"}, "203.0.113.1"},
	{[]string{"198.51.100.1, 10.0.0.2 ,10.0.0.3"}, "198.51.100.1"},
	{[]string{"198.51.100.1,\t10.0.0.2"}, "198.51.100.1"},
	{[]string{"198.51.100.1", "10.0.0.2", "10.0.0.3"}, "198.51.100.1"},
	{[]string{"203.0.113.1, 10.9.9.9, 198.51.100.1"}, "198.51.100.1"}, // a trusted one that the client made up
	{[]string{"10.0.0.3,10.0.0.2"}, "10.0.0.3"},
	{[]string{"10.0.0.1"}, "10.0.0.1"},
	{[]string{""}, "10.0.0.1"},
	{[]string{","}, "10.0.0.1"},
	{[]string{"198.51.100.1,"}, "10.0.0.1"},
	{[]string{"198.51.100.1, garbage"}, "10.0.0.1"},
	{[]string{"198.51.100.1, unknown, 10.0.0.2"}, "10.0.0.2"},
	{[]string{"198.51.100.1; 10.0.0.2"}, "10.0.0.1"},
	{[]string{"198.51.100.1 10.0.0.2"}, "10.0.0.1"},
	{[]string{"for=198.51.100.1"}, "10.0.0.1"},
	{[]string{`"198.51.100.1"`}, "10.0.0.1"},
	{[]string{"198.51.100.1/24"}, "10.0.0.1"},
	{[]string{"198.51.100.001"}, "10.0.0.1"}, // octal to some
	{[]string{"0xc6336401"}, "10.0.0.1"},
	{[]string{"3325256705"}, "10.0.0.1"},
	{[]string{"198.51.25601"}, "10.0.0.1"},
	{[]string{"198.51.100.256"}, "10.0.0.1"},
	{[]string{"\uff11\uff19\uff18.51.100.1"}, "10.0.0.1"},
	{[]string{"localhost"}, "10.0.0.1"},
	{[]string{"example.org"}, "10.0.0.1"},
	{[]string{"-"}, "10.0.0.1"},
	{[]string{"198.51.100.1:443"}, "198.51.100.1"},
	{[]string{"198.51.100.1:"}, "198.51.100.1"},
	{[]string{"198.51.100.1:443, 10.0.0.2:8080"}, "198.51.100.1"},
	{[]string{"[2001:db8::1]"}, "2001:db8::1"},
	{[]string{"[2001:db8::1]:443"}, "2001:db8::1"},
	{[]string{"2001:db8::1"}, "2001:db8::1"},
	{[]string{"2001:DB8:0:0::1"}, "2001:db8::1"},
	{[]string{"2001:db8::1%eth0"}, "2001:db8::1"},
	{[]string{"::ffff:198.51.100.1"}, "198.51.100.1"}, // else one client had two addresses
	{[]string{"::ffff:c633:6401"}, "198.51.100.1"},
	{[]string{"198.51.100.1, ::ffff:10.0.0.2"}, "198.51.100.1"},
	{[]string{"198.51.100.1, fd00::2"}, "198.51.100.1"},
	{[]string{"[[2001:db8::1]]"}, "10.0.0.1"},
	{[]string{"2001:db8::1::2"}, "10.0.0.1"},
	{[]string{strings.Repeat("203.0.113.1, ", 1000) + "198.51.100.1"}, "198.51.100.1"},
	{[]string{"198.51.100.1" + strings.Repeat(", 10.0.0.2", 1000)}, "198.51.100.1"},
	{[]string{strings.Repeat("9", 10_000)}, "10.0.0.1"},
	{[]string{strings.Repeat(",", 10_000)}, "10.0.0.1"},
}

// clientOf asks a front who the client of a request is.
func clientOf(h http.Handler, peer string, fields []string) string {
	r := httptest.NewRequest(http.MethodGet, "http://localhost/mcp", nil)
	r.RemoteAddr = peer
	r.Header["X-Forwarded-For"] = fields
	for _, other := range []string{"Forwarded", "X-Real-Ip", "X-Client-Ip", "True-Client-Ip", "Cf-Connecting-Ip", "X-Forwarded-Host"} {
		r.Header.Set(other, "for=203.0.113.77") // which nobody asked to believe
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Body.String()
}

func TestClientAddr(t *testing.T) {
	d := newDesk(-1, nil)
	h := d.f.Guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(front.ClientAddr(r.Context()).String()))
	}))
	for peer, want := range map[string]string{
		"192.0.2.1:1": "192.0.2.1", "[2001:db8::9%eth0]:1": "2001:db8::9", "[::ffff:192.0.2.1]:1": "192.0.2.1", "@": "invalid IP", "": "invalid IP",
	} {
		for _, tt := range forwarded { // what somebody says who is no proxy of ours is nothing
			if got := clientOf(h, peer, tt.fields); got != want {
				t.Errorf("client of the stranger %s with %.80q = %s, want %s", peer, tt.fields, got, want)
			}
		}
	}
	for _, peer := range []string{"10.0.0.1:1", "[::ffff:10.0.0.1]:1"} {
		for _, tt := range forwarded {
			if got := clientOf(h, peer, tt.fields); got != tt.want {
				t.Errorf("client of the proxy %s with %.80q = %s, want %s", peer, tt.fields, got, tt.want)
			}
		}
	}
	if got := clientOf(h, "[fd00::1]:1", []string{"::ffff:198.51.100.1"}); got != "198.51.100.1" {
		t.Errorf("client behind a proxy of IPv6 = %s", got)
	}
	if got := front.ClientAddr(context.Background()); got.IsValid() {
		t.Errorf("ClientAddr outside a request = %v, want the zero Addr", got)
	}
	if front.Draining(context.Background()) != nil || front.RequestID(context.Background()) != "" {
		t.Error("Draining and RequestID outside a request are not zero")
	}
}

// Whatever a stranger writes, its requests count as its own.
func TestForgedAddresses(t *testing.T) {
	for _, peer := range []string{"192.0.2.1:1", "10.0.0.1:1"} {
		d := newDesk(len(forwarded), nil)
		h := d.f.Guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		ask := func(fields []string) int {
			r := httptest.NewRequest(http.MethodGet, "http://localhost/mcp", nil)
			r.RemoteAddr = peer
			if r.Header["X-Forwarded-For"] = fields; peer == "10.0.0.1:1" { // the proxy adds whom it has it from
				r.Header["X-Forwarded-For"] = append(fields[:len(fields):len(fields)], "192.0.2.1")
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Code
		}
		for _, tt := range forwarded {
			if code := ask(tt.fields); code != http.StatusOK {
				t.Errorf("%s with %.80q: %d", peer, tt.fields, code)
			}
		}
		for _, tt := range forwarded {
			if code := ask(tt.fields); code != http.StatusTooManyRequests {
				t.Errorf("%s is a new client with %.80q: %d", peer, tt.fields, code)
			}
		}
	}
}
