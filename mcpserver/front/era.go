package front

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
)

// The protocol versions served, newest first, and the two that decide.
const (
	stateless  = mcp.ProtocolVersion20260728 // the era without initialize
	headerless = mcp.ProtocolVersion20250326 // what no header means; the era of batches
)

var versions = []string{stateless, mcp.ProtocolVersion20251125, mcp.ProtocolVersion20250618, headerless}

// A header is what the protocol reads of a request's header.
type header struct {
	version string // MCP-Protocol-Version, or ""
	method  string // Mcp-Method, or ""
	name    string // Mcp-Name, decoded, or ""
	hasName bool
	lastID  bool // Last-Event-ID is there
}

// readHeader returns the protocol's header fields. A field that is sent twice
// is refused: a proxy may look at one and we at the other.
func readHeader(h http.Header) (*header, *rejection) {
	for _, field := range []string{mcp.HeaderProtocolVersion, mcp.HeaderMethod, mcp.HeaderName} {
		if len(h.Values(field)) > 1 {
			return nil, reject(codeHeaderMismatch, "The header "+field+" was sent more than once.")
		}
	}
	name, ok := mcp.DecodeHeaderValue(h.Get(mcp.HeaderName))
	if !ok {
		return nil, reject(codeHeaderMismatch, "The header Mcp-Name is not valid Base64.")
	}
	return &header{
		version: h.Get(mcp.HeaderProtocolVersion),
		method:  h.Get(mcp.HeaderMethod),
		name:    name,
		hasName: h.Get(mcp.HeaderName) != "",
		lastID:  h.Get(mcp.HeaderLastEventID) != "",
	}, nil
}

// eraOf returns the protocol version that governs a message, after checking
// that header and body name the same one and that it is served.
func eraOf(h *header, m *message) (string, *rejection) {
	switch {
	case h.version != "" && m.version != "" && h.version != m.version:
		return "", reject(codeHeaderMismatch, "The header MCP-Protocol-Version does not agree with the protocol version in _meta.")
	case m.version != "" && !slices.Contains(versions, m.version):
		return "", rejectVersion(m.version)
	case h.version != "" && !slices.Contains(versions, h.version):
		// initialize says in its body which version it wants, and is told
		// which one it gets; only a version of the era without initialize
		// is past that.
		if m.method == string(mcp.MethodInitialize) && h.version < stateless {
			return headerless, nil
		}
		return "", rejectVersion(h.version)
	case h.version == stateless || m.version == stateless:
		return stateless, checkStateless(h, m)
	case h.version != "":
		return h.version, nil
	case m.version != "":
		return m.version, nil
	default:
		return headerless, nil
	}
}

// checkStateless checks what 2026-07-28 demands of every request.
func checkStateless(h *header, m *message) *rejection {
	switch {
	case h.version == "":
		return reject(codeHeaderMismatch, "Protocol version 2026-07-28 needs the header MCP-Protocol-Version.")
	case h.lastID:
		return reject(codeHeaderMismatch, "Streams cannot be resumed: send the request again without Last-Event-ID.")
	case m.method == "":
		return reject(codeInvalidRequest, "This server sends no requests, so it takes no responses.")
	case m.isNotification():
		return nil
	case m.version == "":
		return reject(codeInvalidParams, "The params need _meta with "+mcp.MetaKeyProtocolVersion+".")
	case !m.caps:
		return reject(codeInvalidParams, "The params need _meta with "+mcp.MetaKeyClientCapabilities+", an object.")
	case h.method == "":
		return reject(codeHeaderMismatch, "Protocol version 2026-07-28 needs the header Mcp-Method.")
	case nameMember(m.method) != "" && !h.hasName:
		return reject(codeHeaderMismatch, "This method needs the header Mcp-Name.")
	}
	return nil
}

// agree checks, in every era, that Mcp-Method and Mcp-Name say what the body says.
func agree(h *header, m *message) *rejection {
	switch {
	case h.method != "" && h.method != m.method:
		return reject(codeHeaderMismatch, "The header Mcp-Method does not agree with the body's method.")
	case h.hasName && nameMember(m.method) != "" && h.name != m.name:
		return reject(codeHeaderMismatch, "The header Mcp-Name does not agree with the body's params.")
	}
	return nil
}

// rejectVersion refuses a version, with the list that the client can choose from.
func rejectVersion(requested string) *rejection {
	if len(requested) > 64 {
		requested = ""
	}
	rej := reject(codeUnsupportedVersion, "Unsupported protocol version: choose one of data.supported.")
	rej.data, _ = json.Marshal(mcp.UnsupportedProtocolVersionData{Supported: versions, Requested: requested}) // strings only
	return rej
}

// settle returns the params of initialize with a version that mcp-go negotiates
// as this server does: it would also agree to 2024-11-05, which has another
// transport.
func settle(params json.RawMessage) json.RawMessage {
	out := []byte{'{'}
	for name, value := range members(params) {
		var v string
		if name == "protocolVersion" && json.Unmarshal(value, &v) == nil && !slices.Contains(versions, v) {
			value = json.RawMessage(`"` + stateless + `"`) // answered with the newest that has initialize
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), name...), '"', ':')
		out = append(out, value...)
	}
	return append(out, '}')
}
