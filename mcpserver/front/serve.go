package front

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// serve answers a POST of an allowed client.
func (f *Front) serve(w http.ResponseWriter, r *http.Request) {
	began := f.cfg.Now()
	h, body, rej := f.read(w, r)
	switch {
	case rej != nil:
		f.refuse(w, rej)
	case body[0] == '[':
		f.serveBatch(w, r, h, body)
	default:
		a := f.answer(r.Context(), r.Header, h, body)
		f.observe(a, began)
		a.write(w)
	}
}

// read returns the protocol's header fields and the canonical body.
func (f *Front) read(w http.ResponseWriter, r *http.Request) (*header, []byte, *rejection) {
	body, rej := f.readBody(w, r)
	if rej != nil {
		return nil, nil, rej
	}
	h, rej := readHeader(r.Header)
	if rej != nil {
		return nil, nil, rej
	}
	body, rej = canonical(body)
	return h, body, rej
}

// observe tells of an answer to one message.
func (f *Front) observe(a *answer, began time.Time) {
	a.result.Duration = f.cfg.Now().Sub(began)
	f.cfg.Observe(a.result)
}

// refuse answers a request whose messages were not read.
func (f *Front) refuse(w http.ResponseWriter, rej *rejection) {
	if rej.status == http.StatusRequestEntityTooLarge || rej.status == http.StatusRequestTimeout {
		w.Header().Set("Connection", "close") // the rest of the body is not read
	}
	rpcDenier{f}.deny(w, rej)
}

// readBody returns the body of a request, which is JSON by its headers and at
// most MaxBody bytes long. Once it is read to its end, net/http lifts the read
// deadline and watches for a disconnect.
func (f *Front) readBody(w http.ResponseWriter, r *http.Request) ([]byte, *rejection) {
	if !isJSON(r.Header) {
		return nil, rejectStatus(http.StatusUnsupportedMediaType, "The content type must be application/json, in UTF-8 and not compressed.")
	}
	tooLarge := rejectStatus(http.StatusRequestEntityTooLarge, "The body is too large: send fewer or shorter messages.")
	if r.ContentLength > f.cfg.MaxBody { // nobody need send it
		return nil, tooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, f.cfg.MaxBody))
	var limit *http.MaxBytesError
	switch {
	case errors.As(err, &limit):
		return nil, tooLarge
	case err != nil:
		return nil, rejectStatus(http.StatusRequestTimeout, "The body did not arrive whole and in time.")
	}
	return body, nil
}

// isJSON reports whether header fields announce plain JSON in UTF-8.
func isJSON(h http.Header) bool {
	if len(h.Values("Content-Type")) != 1 || len(h.Values("Content-Encoding")) != 0 {
		return false
	}
	mediaType, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || mediaType != "application/json" {
		return false
	}
	charset, ok := params["charset"]
	return !ok || strings.EqualFold(charset, "utf-8")
}

// An answer is the reply to one message.
type answer struct {
	result Result
	reply  []byte // nil: nothing to say
}

func (a *answer) write(w http.ResponseWriter) {
	switch {
	case a.reply != nil:
		writeJSON(w, a.result.Status, a.reply)
	case a.result.Status == http.StatusAccepted:
		w.WriteHeader(http.StatusAccepted)
	default: // the client has left
	}
}

// answer checks one message and, if it is a request, has it answered.
func (f *Front) answer(ctx context.Context, raw http.Header, h *header, body []byte) *answer {
	m, era, a := f.check(h, body)
	if a != nil {
		return a
	}
	return f.dispatch(ctx, raw, m, era)
}

// check returns a request to dispatch and the era that governs it, or the answer
// to a message that is none.
func (f *Front) check(h *header, body []byte) (*message, string, *answer) {
	m, rej := parseMessage(body)
	if rej != nil {
		if rej.code == codeInvalidParams && m.id != nil {
			rej.status = statusOf(h.version, rej.code)
		}
		return nil, "", f.rejected(m, "", rej)
	}
	era, rej := eraOf(h, m)
	if rej == nil {
		rej = agree(h, m)
	}
	switch {
	case rej != nil:
		return nil, "", f.rejected(m, era, rej)
	case !m.isRequest():
		// A notification or a response. No message of one client may act on
		// another's, and without sessions there is no telling whose is whose.
		return nil, "", &answer{result: f.resultOf(m, era, http.StatusAccepted, 0)}
	case m.method == string(mcp.MethodSubscriptionsListen):
		// mcp-go would acknowledge it and never send anything.
		return nil, "", f.rejected(m, era, unknownMethod(era))
	}
	return m, era, nil
}

func (f *Front) rejected(m *message, era string, rej *rejection) *answer {
	return &answer{f.resultOf(m, era, rej.status, rej.code), rej.reply(m.id)}
}
