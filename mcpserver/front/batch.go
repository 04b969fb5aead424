package front

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// Bounds of a batch.
const (
	maxBatch  = 8                // messages
	batchTime = 20 * time.Second // until Draining closes
)

// serveBatch answers the messages of a batch in order. It has the time of one
// long poll: after that, waits end at once.
func (f *Front) serveBatch(w http.ResponseWriter, r *http.Request, h *header, body []byte) {
	all := elements(body)
	switch {
	case h.version != "" && !slices.Contains(versions, h.version):
		f.refuse(w, rejectVersion(h.version))
		return
	case h.version != "" && h.version != headerless:
		f.refuse(w, reject(codeInvalidRequest, "Batches belong to protocol version "+headerless+": send the messages one by one."))
		return
	case h.method != "" || h.hasName:
		f.refuse(w, reject(codeHeaderMismatch, "A batch has no one method: send it without Mcp-Method and Mcp-Name."))
		return
	case len(all) == 0 || len(all) > maxBatch:
		f.refuse(w, reject(codeInvalidRequest, "A batch has 1 to 8 messages."))
		return
	}
	if wait, ok := f.limit.take(ClientAddr(r.Context()), len(all)-1); !ok {
		rej, after := rejectLimited(wait)
		w.Header().Set("Retry-After", after)
		f.refuse(w, rej)
		return
	}
	ctx, stop := hurried(r.Context(), batchTime)
	defer stop()
	reply := []byte{'['}
	for _, message := range all {
		if ctx.Err() != nil {
			return // the client has left, and with it the rest of its moves
		}
		began := f.cfg.Now()
		a := f.answerInBatch(ctx, r.Header, h, message)
		f.observe(a, began)
		if a.reply == nil {
			continue
		}
		if len(reply) > 1 {
			reply = append(reply, ',')
		}
		reply = append(reply, a.reply...)
	}
	if len(reply) == 1 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	writeJSON(w, http.StatusOK, append(reply, ']'))
}

// answerInBatch answers one message of a batch, of whose errors the status is
// not seen.
func (f *Front) answerInBatch(ctx context.Context, raw http.Header, h *header, body []byte) *answer {
	if m, rej := parseMessage(body); rej == nil {
		switch {
		case m.method == string(mcp.MethodInitialize):
			return f.rejected(m, headerless, reject(codeInvalidRequest, "Send initialize alone, not in a batch."))
		case m.version != "" && m.version != headerless:
			return f.rejected(m, "", reject(codeHeaderMismatch, "Batches belong to protocol version "+headerless+": send this message alone."))
		}
	}
	return f.answer(ctx, raw, h, body)
}

// hurried returns a context whose Draining closes when that of ctx does, or
// after d. The function it returns must be called.
func hurried(ctx context.Context, d time.Duration) (context.Context, func()) {
	hurry, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(hurry)
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-Draining(ctx):
		case <-timer.C:
		case <-done:
		}
	}()
	return context.WithValue(ctx, drainKey{}, (<-chan struct{})(hurry)), func() { close(done) }
}
