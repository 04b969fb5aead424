package front

import (
	"context"
	"crypto/rand"
	"net/netip"
)

type (
	requestKey struct{}
	callKey    struct{}
	drainKey   struct{}
)

// A request is what the front knows of an HTTP request, carried in its context.
type request struct {
	id   string
	addr netip.Addr
}

// A call is what a tool told the front about the message it answers. It is
// written on the goroutine that runs the tool and read after the tool returned.
type call struct {
	refusal string
}

func requestOf(ctx context.Context) request {
	r, _ := ctx.Value(requestKey{}).(request)
	return r
}

// ClientAddr returns the address of the client that sent the request: the peer,
// or what the trusted proxies say of it. IPv4 addresses are never in their IPv6
// form, and zones are dropped. It is the zero Addr outside a request and when the
// peer has no IP address. Limits should count by [Block], not by address.
func ClientAddr(ctx context.Context) netip.Addr { return requestOf(ctx).addr }

// RequestID returns the random name of the request, which the client reads in
// the header X-Request-Id and in the reference of a fault, or "" outside one.
func RequestID(ctx context.Context) string { return requestOf(ctx).id }

func newRequestID() string { return rand.Text()[:13] } // 65 bits

// Draining returns a channel that closes when a handler that waits should answer
// with what it has, because the server shuts down or the batch that the message
// is part of has used up its time. It is nil, which blocks for ever, for a request
// that did not come through a server made by [NewServer] and is not in a batch.
// The context's own Done says that the client is gone.
func Draining(ctx context.Context) <-chan struct{} {
	c, _ := ctx.Value(drainKey{}).(<-chan struct{})
	return c
}

// Refused notes the code of a refusal, a word from a fixed set such as
// "not_your_turn", for [Result]. A tool calls it with the context that it was
// called with, before it returns.
func Refused(ctx context.Context, code string) {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		c.refusal = code
	}
}
