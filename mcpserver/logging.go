package mcpserver

import (
	"context"
	"log/slog"

	"dudo.example/mcpserver/front"
)

// WithRequest makes a handler that adds the id of the request which a line belongs to, where there is one. It is the id that a
// client reads in X-Request-Id and in the reference of a fault.
func WithRequest(h slog.Handler) slog.Handler { return requestHandler{h} }

type requestHandler struct{ slog.Handler }

// Handle implements [slog.Handler].
func (h requestHandler) Handle(ctx context.Context, r slog.Record) error {
	if id := front.RequestID(ctx); id != "" {
		r.AddAttrs(slog.String("request", id))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h requestHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements [slog.Handler].
func (h requestHandler) WithGroup(name string) slog.Handler {
	return requestHandler{h.Handler.WithGroup(name)}
}
