package front

import (
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// A message is one JSON-RPC message of a body, its protocol members read and
// checked. Nothing in it is interpreted by a second parser before it is handed
// on: name and version are what mcp-go will see too.
type message struct {
	id     json.RawMessage // as sent; nil if there is none or no valid one
	method string          // "" if it is a client's response
	params json.RawMessage // canonical object, or nil

	name    string // what Mcp-Name must repeat
	version string // protocol version in params._meta, or ""
	caps    bool   // whether params._meta has client capabilities
}

// Members that the protocol knows. A member that differs from one of these in
// case only would be taken for it by encoding/json, and is refused.
var (
	messageMembers = []string{"jsonrpc", "id", "method", "params", "result", "error"}
	paramMembers   = []string{
		"_meta", "name", "arguments", "uri", "cursor", "task", "taskId", "protocolVersion", "capabilities",
		"clientInfo", "inputResponses", "requestState", "ref", "argument", "context", "level", "notifications",
	}
)

// variant reports whether name is a known member's name in other letters.
func variant(name string, known []string) bool {
	for _, k := range known {
		if name != k && strings.EqualFold(name, k) {
			return true
		}
	}
	return false
}

const (
	errVariant = "A member's name has the wrong case: protocol members are written as in the specification."
	errMessage = "A message is a JSON object with jsonrpc, id, method and params."
)

// parseMessage reads one message in canonical form. When it is refused, the
// message still has the id, if that could be read.
func parseMessage(raw json.RawMessage) (*message, *rejection) {
	m := &message{}
	if raw[0] != '{' {
		return m, reject(codeInvalidRequest, errMessage)
	}
	var version, method, params, result json.RawMessage
	hasID, misspelt := false, false
	for name, value := range members(raw) {
		switch name {
		case "jsonrpc":
			version = value
		case "id":
			hasID = true
			if validID(value) {
				m.id = value
			}
		case "method":
			method = value
		case "params":
			params = value
		case "result", "error":
			result = value
		default:
			misspelt = misspelt || variant(name, messageMembers)
		}
	}
	switch {
	case misspelt:
		return m, reject(codeInvalidRequest, errVariant)
	case string(version) != `"2.0"`:
		return m, reject(codeInvalidRequest, `The member jsonrpc must be "2.0".`)
	case hasID && m.id == nil:
		return m, reject(codeInvalidRequest, "The id must be a string or an integer.")
	case method == nil && result != nil && hasID:
		return m, nil
	case method == nil || result != nil:
		return m, reject(codeInvalidRequest, errMessage)
	case json.Unmarshal(method, &m.method) != nil || m.method == "":
		return m, reject(codeInvalidRequest, "The method must be a string.")
	case params == nil || string(params) == "null":
		return m, nil
	case params[0] != '{':
		return m, reject(codeInvalidParams, "The params must be an object.")
	}
	m.params = params
	return m, m.parseParams()
}

// parseParams reads what the front checks of m.params.
func (m *message) parseParams() *rejection {
	named := nameMember(m.method)
	for name, value := range members(m.params) {
		switch name {
		case "":
		case named:
			if value[0] != '"' || json.Unmarshal(value, &m.name) != nil {
				return reject(codeInvalidParams, "The "+named+" in params must be a string.")
			}
		case "_meta":
			if value[0] != '{' {
				return reject(codeInvalidParams, "The member _meta of params must be an object.")
			}
			if rej := m.parseMeta(value); rej != nil {
				return rej
			}
		case "arguments":
			if value[0] != '{' && string(value) != "null" {
				return reject(codeInvalidParams, "The arguments must be an object.")
			}
		default:
			if variant(name, paramMembers) {
				return reject(codeInvalidRequest, errVariant)
			}
		}
	}
	return nil
}

func (m *message) parseMeta(meta json.RawMessage) *rejection {
	for name, value := range members(meta) {
		switch name {
		case mcp.MetaKeyProtocolVersion:
			if json.Unmarshal(value, &m.version) != nil || m.version == "" {
				return reject(codeInvalidParams, "The protocol version in _meta must be a string.")
			}
		case mcp.MetaKeyClientCapabilities:
			m.caps = value[0] == '{'
		}
	}
	return nil
}

// nameMember returns the member of params that Mcp-Name repeats for a method,
// or "".
func nameMember(method string) string {
	switch mcp.MCPMethod(method) {
	case mcp.MethodToolsCall, mcp.MethodPromptsGet:
		return "name"
	case mcp.MethodResourcesRead:
		return "uri"
	default:
		return ""
	}
}

// validID reports whether a canonical value may be an id: a string, or an
// integer without fraction and exponent. It is echoed as it was sent.
func validID(v json.RawMessage) bool {
	if v[0] == '"' {
		return true
	}
	digits := strings.TrimPrefix(string(v), "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// isRequest reports whether the message wants a reply.
func (m *message) isRequest() bool { return m.method != "" && m.id != nil }

// isNotification reports whether the message is a notification.
func (m *message) isNotification() bool { return m.method != "" && m.id == nil }
