package front

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// NewServer returns a server with the bounds of a public one: 5 s for a header,
// 10 s for a request, 40 s for an answer (a long poll takes 20 s at most), 120 s for
// an idle connection and 16 KiB of header fields. [http.Server.Shutdown] closes the
// channel that [Draining] gives to its handlers.
func NewServer(addr string, h http.Handler) *http.Server {
	drain := make(chan struct{})
	srv := &http.Server{
		Addr:              addr,
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      40 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    16 << 10,
		BaseContext: func(net.Listener) context.Context {
			return context.WithValue(context.Background(), drainKey{}, (<-chan struct{})(drain))
		},
	}
	srv.RegisterOnShutdown(sync.OnceFunc(func() { close(drain) }))
	return srv
}
