package front

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
)

// recovered answers a panic with a fixed text, and ends the connection if an
// answer had already begun.
func (f *Front) recovered(next http.Handler, d denier) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		track := &tracker{ResponseWriter: w}
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(http.ErrAbortHandler)
			}
			f.cfg.Log.Error("panic in a handler", "request", w.Header().Get("X-Request-Id"), "at", frames())
			if track.began {
				panic(http.ErrAbortHandler)
			}
			d.deny(w, &rejection{status: 500, code: codeInternal, text: faultText(w.Header().Get("X-Request-Id"))})
		}()
		next.ServeHTTP(track, r)
	})
}

// faultText is all that a client reads of a fault.
func faultText(id string) string { return "Internal error, reference " + id + "." }

// A tracker knows whether an answer has begun.
type tracker struct {
	http.ResponseWriter
	began bool
}

func (t *tracker) WriteHeader(status int) {
	t.began = true
	t.ResponseWriter.WriteHeader(status)
}

func (t *tracker) Write(b []byte) (int, error) {
	t.began = true
	return t.ResponseWriter.Write(b)
}

// Unwrap is for [http.ResponseController].
func (t *tracker) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// fault answers what is nobody's fault but ours.
func (f *Front) fault(ctx context.Context, m *message, era string) *answer {
	return f.rejected(m, era, &rejection{status: http.StatusOK, code: codeInternal, text: faultText(RequestID(ctx))})
}

// frames says where a panic that is being recovered came from, by function and
// line only: the value of a panic and the arguments in a stack trace may be
// a player's secrets.
func frames() string {
	pcs := make([]uintptr, 16)
	stack := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	var b strings.Builder
	for more := true; more; {
		var fr runtime.Frame
		fr, more = stack.Next()
		if !strings.HasPrefix(fr.Function, "runtime.") {
			fmt.Fprintf(&b, "%s:%d ", fr.Function, fr.Line)
		}
	}
	return strings.TrimSpace(b.String())
}
