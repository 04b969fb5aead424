package front

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/mark3labs/mcp-go/mcp"
)

// JSON-RPC error codes of the front.
const (
	codeParse              = mcp.PARSE_ERROR
	codeInvalidRequest     = mcp.INVALID_REQUEST
	codeMethodNotFound     = mcp.METHOD_NOT_FOUND
	codeInvalidParams      = mcp.INVALID_PARAMS
	codeInternal           = mcp.INTERNAL_ERROR
	codeHeaderMismatch     = mcp.HEADER_MISMATCH
	codeMissingCapability  = mcp.MISSING_REQUIRED_CLIENT_CAPABILITY
	codeUnsupportedVersion = mcp.UNSUPPORTED_PROTOCOL_VERSION
	codeLimited            = -32000 // a limit of this server was reached
)

// A rejection is the front's no to a request: a status, a JSON-RPC code and one
// sentence that says what to do instead. It never repeats what was sent, but
// for the version that the specification wants echoed in data.
type rejection struct {
	status int
	code   int
	text   string
	data   json.RawMessage
}

func reject(code int, text string) *rejection {
	return &rejection{status: http.StatusBadRequest, code: code, text: text}
}

func rejectStatus(status int, text string) *rejection {
	return &rejection{status: status, code: codeInvalidRequest, text: text}
}

// rpcReply is an error reply as it is written.
type rpcReply struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"` // nil is written as null
	Error   rpcError        `json:"error"`
}

type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// reply returns the rejection as a JSON-RPC reply to id, null if id is nil.
func (r *rejection) reply(id json.RawMessage) []byte {
	b, err := json.Marshal(rpcReply{"2.0", id, rpcError{r.code, r.text, r.data}})
	if err != nil {
		panic("front: rejection with invalid data: " + err.Error())
	}
	return b
}

// writeJSON answers with a body that is complete.
func writeJSON(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)+1))
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // who left early needs no answer
}

// Error answers with {"error": sentence}, as the routes beside the MCP path do.
func Error(w http.ResponseWriter, status int, sentence string) {
	b, _ := json.Marshal(map[string]string{"error": sentence}) // a map of strings cannot fail
	writeJSON(w, status, b)
}

// NotFound is a handler that answers 404 in JSON.
func NotFound(w http.ResponseWriter, _ *http.Request) {
	Error(w, http.StatusNotFound, "There is nothing at this address.")
}

// A denier writes rejections in the form of its routes.
type denier interface {
	deny(w http.ResponseWriter, rej *rejection)
}

// rpcDenier is the form at the MCP path: a JSON-RPC error without an id.
type rpcDenier struct{ f *Front }

func (d rpcDenier) deny(w http.ResponseWriter, rej *rejection) {
	d.f.cfg.Observe(Result{Status: rej.status, Code: rej.code})
	writeJSON(w, rej.status, rej.reply(nil))
}

// plainDenier is the form everywhere else.
type plainDenier struct{}

func (plainDenier) deny(w http.ResponseWriter, rej *rejection) {
	Error(w, rej.status, rej.text)
}
