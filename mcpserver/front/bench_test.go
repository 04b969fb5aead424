package front_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dudo.example/mcpserver/front"
	"github.com/mark3labs/mcp-go/server"
)

// BenchmarkFront measures one bare tools/call through the front and through
// mcp-go alone, taking turns in one run, and reports the first as a multiple
// of the second: without a network ("handler") and over loopback ("http").
func BenchmarkFront(b *testing.B) {
	b.Run("handler", func(b *testing.B) {
		through := func(h http.Handler) func() int {
			return func() int {
				r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(bareCall))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				return w.Code
			}
		}
		compare(b, through(newFront()), through(alone()))
	})
	b.Run("http", func(b *testing.B) {
		through := func(h http.Handler) func() int {
			srv := httptest.NewServer(h)
			b.Cleanup(srv.Close)
			c := srv.Client()
			return func() int {
				resp, err := c.Post(srv.URL+"/mcp", "application/json", strings.NewReader(bareCall))
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				return resp.StatusCode
			}
		}
		compare(b, through(newFront()), through(alone()))
	})
}

func newFront() http.Handler {
	return front.New(front.Config{RequestsPerMinute: -1}, tools(&site{}))
}

// alone is mcp-go as it has to be set up to answer the same request.
func alone() http.Handler {
	return server.NewStreamableHTTPServer(tools(&site{}), server.WithStateLess(true), server.WithDisableStreaming(true))
}

// compare times blocks of both in turn, so that whatever slows the machine down
// slows both.
func compare(b *testing.B, ours, theirs func() int) {
	const block = 100
	var took [2]time.Duration
	for b.Loop() {
		for i, call := range []func() int{ours, theirs} {
			began := time.Now()
			for range block {
				if status := call(); status != http.StatusOK {
					b.Fatalf("status %d", status)
				}
			}
			took[i] += time.Since(began)
		}
	}
	calls := float64(b.N) * block
	b.ReportMetric(float64(took[0].Nanoseconds())/calls, "front-ns/call")
	b.ReportMetric(float64(took[1].Nanoseconds())/calls, "alone-ns/call")
	b.ReportMetric(took[0].Seconds()/took[1].Seconds(), "ratio")
}

// BenchmarkRead measures what the walk and the checks of one body cost, for the
// bare call and for the largest body.
func BenchmarkRead(b *testing.B) {
	large := []byte(call("echo", `{"say":"`+strings.Repeat("x", front.DefaultMaxBody-96)+`"}`))
	for name, body := range map[string][]byte{"bare": []byte(bareCall), "large": large} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if canon, _, _, _, _, ok := front.Read(body); !ok || !bytes.Equal(canon, body) {
					b.Fatal("not read")
				}
			}
		})
	}
}
