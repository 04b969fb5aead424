package front

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// statusGone is what a [Result] says of a request whose client left.
const statusGone = 499

// dispatch has mcp-go answer a request that has passed every check.
//
// What is on the stack here stays there while a tool waits. With what mcp-go
// and net/http need it just fits into 16 KiB, so the frames are kept small: what
// goes before and comes after has functions of its own.
func (f *Front) dispatch(ctx context.Context, raw http.Header, m *message, era string) *answer {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends mcp-go's goroutine for the request, also after a panic
	d := f.deliver(ctx, raw, m)
	f.handle(d)
	return f.finish(d, m, era)
}

// A delivery is a request on its way through mcp-go.
type delivery struct {
	to      *served
	request *server.HTTPRequest
	id      string // of the message as mcp-go knows it
	reply   capture
	note    call
	panicat string // where a tool panicked, or ""
}

func (f *Front) deliver(ctx context.Context, raw http.Header, m *message) *delivery {
	d := &delivery{to: f.served.Load(), id: strconv.FormatInt(f.seq.Add(1), 10)}
	d.reply.header = http.Header{}
	d.request = &server.HTTPRequest{
		Method: http.MethodPost, Header: passed(raw), Body: envelope(d.id, m),
		Context: context.WithValue(ctx, callKey{}, &d.note),
	}
	return d
}

// handle runs mcp-go.
func (f *Front) handle(d *delivery) {
	defer func() {
		if recover() != nil {
			d.panicat = frames()
		}
	}()
	d.to.transport.Handle(&d.reply, d.request)
}

// finish makes our reply of mcp-go's.
func (f *Front) finish(d *delivery, m *message, era string) *answer {
	ctx := d.request.Context
	if d.panicat != "" {
		f.cfg.Log.Error("panic in a tool", "request", RequestID(ctx), "at", d.panicat)
		return f.fault(ctx, m, era)
	}
	if ctx.Err() != nil && d.reply.body.Len() == 0 {
		return &answer{result: f.resultOf(m, era, statusGone, 0)}
	}
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(d.reply.body.Bytes()), []byte(`{"jsonrpc":"2.0","id":`+d.id+`,`))
	if !ok {
		f.cfg.Log.Error("reply of mcp-go that is not understood", "request", RequestID(ctx), "status", d.reply.status)
		return f.fault(ctx, m, era)
	}
	if bytes.HasPrefix(rest, []byte(`"error":`)) {
		return f.rejected(m, era, f.reword(ctx, m, era, rest))
	}
	reply := make([]byte, 0, len(rest)+len(m.id)+24)
	reply = append(append(append(reply, `{"jsonrpc":"2.0","id":`...), m.id...), ',')
	result := f.resultOf(m, era, http.StatusOK, 0)
	result.Refusal = d.note.refusal
	return &answer{result, append(reply, rest...)}
}

// envelope writes the message that mcp-go reads.
func envelope(id string, m *message) []byte {
	params := m.params
	if m.method == string(mcp.MethodInitialize) && params != nil {
		params = settle(params)
	}
	b := make([]byte, 0, len(params)+len(m.method)+64)
	b = append(append(b, `{"jsonrpc":"2.0","id":`...), id...)
	b = appendText(append(b, `,"method":`...), m.method)
	if params != nil {
		b = append(append(b, `,"params":`...), params...)
	}
	return append(b, '}')
}

// passed returns the header fields that mcp-go and tools see.
func passed(raw http.Header) http.Header {
	h := http.Header{"Content-Type": {"application/json"}}
	for field, values := range raw {
		switch {
		case field == mcp.HeaderProtocolVersion, field == mcp.HeaderMethod, field == mcp.HeaderName,
			strings.HasPrefix(field, mcp.HeaderParamPrefix):
			h[field] = values
		}
	}
	return h
}

// reword turns an error of mcp-go into ours: its messages repeat what was sent
// and print Go types. The code and data stay.
func (f *Front) reword(ctx context.Context, m *message, era string, rest []byte) *rejection {
	var e struct {
		Error rpcError `json:"error"`
	}
	if err := json.Unmarshal(append([]byte{'{'}, rest...), &e); err != nil {
		f.cfg.Log.Error("reply of mcp-go that is not understood", "request", RequestID(ctx), "error", err)
		e.Error = rpcError{Code: codeInternal}
	}
	rej := &rejection{code: e.Error.Code, data: e.Error.Data}
	switch rej.code {
	case codeMethodNotFound:
		return unknownMethod(era)
	case codeParse, codeInvalidRequest:
		rej.code = codeInvalidParams
		rej.text = "The params do not have the form that this method takes."
	case codeInvalidParams:
		rej.text = "The params are not what this method takes."
		if m.method == string(mcp.MethodToolsCall) && f.served.Load().mcp.GetTool(m.name) == nil {
			rej.text = "Unknown tool: tools/list names the tools."
		}
	case codeHeaderMismatch:
		rej.text = "A header does not agree with the body."
	case codeMissingCapability:
		rej.text = "This needs a capability that the client did not declare."
	case codeInternal:
		f.cfg.Log.Error("fault of a handler", "request", RequestID(ctx), "method", m.method, "error", e.Error.Message)
		rej.text, rej.data = faultText(RequestID(ctx)), nil
	default:
		rej.text = "The request was refused."
	}
	rej.status = statusOf(era, rej.code)
	return rej
}

// unknownMethod refuses a method, with what those who guess methods need to know.
func unknownMethod(era string) *rejection {
	return &rejection{
		status: statusOf(era, codeMethodNotFound),
		code:   codeMethodNotFound,
		text:   "Unknown method: tools are called by the method tools/call, with a name and arguments.",
	}
}

// statusOf returns the HTTP status of a method's error: before 2026-07-28 the
// transport has done its work when it delivers one.
func statusOf(era string, code int) int {
	if era != stateless {
		return http.StatusOK
	}
	switch code {
	case codeMethodNotFound:
		return http.StatusNotFound
	case codeInvalidParams, codeHeaderMismatch, codeMissingCapability, codeUnsupportedVersion:
		return http.StatusBadRequest
	default:
		return http.StatusOK
	}
}

// A capture is the response writer that mcp-go sees: it keeps the reply, and
// says that it cannot stream.
type capture struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *capture) Header() http.Header         { return c.header }
func (c *capture) WriteHeader(status int)      { c.status = status }
func (c *capture) Write(p []byte) (int, error) { return c.body.Write(p) }
func (c *capture) Flush()                      {}
func (c *capture) CanStream() bool             { return false }
