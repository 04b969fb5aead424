package front_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"dudo.example/mcpserver/front"
)

// What is sent on one connection that two programs could take apart in two ways, and the status of each answer that comes back. The
// connection is closed after the last. A request that hides in another would call the tool secret.
func TestRawRequests(t *testing.T) {
	hidden := call("secret", "{}")
	post := func(fields ...string) string {
		return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + strings.Join(fields, "\r\n") + "\r\n\r\n"
	}
	length := fmt.Sprintf("Content-Length: %d", len(bareCall))
	chunked := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(bareCall), bareCall)
	smuggled := fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(hidden), hidden)
	tests := []struct {
		name, send string
		status     []int
	}{
		{"plain", post(length, "Connection: close") + bareCall, []int{200}},
		{"two in a row", post(length) + bareCall + post(length, "Connection: close") + bareCall, []int{200, 200}},
		{"length and chunks", post("Content-Length: 5", "Transfer-Encoding: chunked") + "0\r\n\r\n" + smuggled, []int{400}},
		{"chunks and length", post("Transfer-Encoding: chunked", "Content-Length: 5") + chunked + smuggled, []int{200}},
		{"unknown encoding", post("Transfer-Encoding: xchunked") + chunked, []int{501}},
		{"two encodings", post("Transfer-Encoding: chunked", "Transfer-Encoding: identity") + chunked, []int{501}},
		{"encodings in one field", post("Transfer-Encoding: gzip, chunked") + chunked, []int{501}},
		{"encoding with a tab", post("Transfer-Encoding:\tchunked", "Connection: close") + chunked, []int{200}},
		{"encoding with a space before the colon", post("Transfer-Encoding : chunked", length) + bareCall, []int{400}},
		{"encoding in HTTP/1.0", strings.Replace(post("Transfer-Encoding: chunked", length)+bareCall, "1.1", "1.0", 1), []int{200}},
		{"two lengths", post("Content-Length: 0", length) + bareCall, []int{400}},
		{"the same length twice", post(length, length, "Connection: close") + bareCall, []int{200}},
		{"a list of lengths", post(length+", 0", "Connection: close") + bareCall, []int{400}},
		{"length with a sign", post("Content-Length: +5") + bareCall, []int{400}},
		{"negative length", post("Content-Length: -1") + bareCall, []int{400}},
		{"length in hex", post("Content-Length: 0x10") + bareCall, []int{400}},
		{"empty length", post("Content-Length:") + bareCall, []int{400}},
		{"length beyond numbers", post("Content-Length: 99999999999999999999999") + bareCall, []int{400}},
		{"chunk beyond numbers", post("Transfer-Encoding: chunked") + "fffffffffffffffff\r\n" + bareCall, []int{408}},
		{"negative chunk", post("Transfer-Encoding: chunked") + "-1\r\n" + bareCall, []int{408}},
		{"chunk without an end", post("Transfer-Encoding: chunked") + fmt.Sprintf("%x\r\n%sX0\r\n\r\n", len(bareCall), bareCall), []int{408}},
		{"chunk with an extension", post("Transfer-Encoding: chunked", "Connection: close") + fmt.Sprintf("%x;a=b\r\n%s\r\n0\r\n\r\n", len(bareCall), bareCall), []int{200}},
		{"chunk with a long extension", post("Transfer-Encoding: chunked") + fmt.Sprintf("%x;%s\r\n%s\r\n0\r\n\r\n", len(bareCall), strings.Repeat("a", 20_000), bareCall), []int{408}},
		{"trailers", post("Transfer-Encoding: chunked", "Trailer: X-Forwarded-For", "Connection: close") + strings.TrimSuffix(chunked, "\r\n") + "X-Forwarded-For: 192.0.2.1\r\n\r\n", []int{200}},
		{"no host", strings.Replace(post(length)+bareCall, "Host: localhost\r\n", "", 1), []int{400}},
		{"two hosts", post("Host: localhost", length) + bareCall, []int{400}},
		{"host with a user", strings.Replace(post(length, "Connection: close")+bareCall, "Host: localhost", "Host: localhost@evil.example", 1), []int{400}},
		{"host with a slash", strings.Replace(post(length, "Connection: close")+bareCall, "Host: localhost", "Host: localhost/evil", 1), []int{400}},
		{"another host in the target", strings.Replace(post(length, "Connection: close")+bareCall, "/mcp", "http://evil.example/mcp", 1), []int{403}},
		{"this host in the target, another in the field", strings.Replace(strings.Replace(post(length, "Connection: close")+bareCall, "/mcp", "http://localhost/mcp", 1), "Host: localhost", "Host: evil.example", 1), []int{200}},
		{"the target of OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", []int{200}},
		{"CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", []int{404}},
		{"path with dots", strings.Replace(post(length, "Connection: close")+bareCall, "/mcp", "/x/../mcp", 1), []int{307}},
		{"path with two slashes", strings.Replace(post(length, "Connection: close")+bareCall, "/mcp", "//mcp", 1), []int{307}},
		{"path with an escape", strings.Replace(post(length, "Connection: close")+bareCall, "/mcp", "/%6dcp", 1), []int{200}},
		{"query", strings.Replace(post(length, "Connection: close")+bareCall, "/mcp", "/mcp?method=tools/call;x", 1), []int{200}},
		{"method in the way of a program", post(length, "X-HTTP-Method-Override: DELETE", "Connection: close") + bareCall, []int{200}},
		{"unknown verb", "FROBNICATE /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", []int{405}},
		{"verb with a space", " POST /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n", []int{400}},
		{"HTTP/0.9", "GET /mcp\r\n\r\n", []int{400}},
		{"HTTP/1.0", strings.Replace(post(length)+bareCall, "1.1", "1.0", 1), []int{200}},
		{"HTTP/2 by heart", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", []int{400}},
		{"HTTP/3", strings.Replace(post(length)+bareCall, "1.1", "3.0", 1), []int{505}},
		{"upgrade to HTTP/2", post(length, "Connection: Upgrade, HTTP2-Settings, close", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA") + bareCall, []int{200}},
		{"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", []int{400}},
		{"a field folded", post(length, "X-A: b\r\n c", "Connection: close") + bareCall, []int{200}},
		{"a field without a colon", post(length, "X-A") + bareCall, []int{400}},
		{"a field without a name", post(length, ": x") + bareCall, []int{400}},
		{"NUL in a field", post(length, "X-A: a\x00b") + bareCall, []int{400}},
		{"CR in a field", post(length, "X-A: a\rContent-Length: 0") + bareCall, []int{400}},
		{"lines that end in LF", strings.ReplaceAll(post(length, "Connection: close"), "\r\n", "\n") + bareCall, []int{200}},
		{"fields beyond 16 KiB", post(length, "X-A: "+strings.Repeat("a", 32<<10)) + bareCall, []int{431}},
		{"ten thousand fields", post(append(slices.Repeat([]string{"X-A: b"}, 10_000), length)...) + bareCall, []int{431}},
		{"a long target", strings.Replace(post(length)+bareCall, "/mcp", "/"+strings.Repeat("a", 32<<10), 1), []int{431}},
		{"expecting too much", post("Content-Length: 1000000", "Expect: 100-continue"), []int{413}},
		{"expecting something else", post(length, "Expect: 200-ok") + bareCall, []int{417}},
		{"half a body", post(length) + bareCall[:20], []int{408}},
	}
	s := serve(t, front.Config{}, func(srv *http.Server) { srv.ReadTimeout = patience })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := dial(t, s)
			go func() {
				_, _ = io.WriteString(c, tt.send)
				if tt.name == "half a body" {
					_ = c.Conn.(interface{ CloseWrite() error }).CloseWrite()
				}
			}()
			var got []int
			in := bufio.NewReader(c)
			for {
				resp, err := http.ReadResponse(in, nil)
				if err != nil {
					break
				}
				body, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if strings.Contains(string(body), `"text":"secret"`) {
					t.Errorf("a hidden request was answered: %s", body)
				}
				got = append(got, resp.StatusCode)
			}
			if !slices.Equal(got, tt.status) {
				t.Errorf("answers %v, want %v", got, tt.status)
			}
		})
	}
}
