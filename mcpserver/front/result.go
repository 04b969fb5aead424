package front

import "github.com/mark3labs/mcp-go/mcp"

// resultOf describes the answer to a message in words from fixed sets.
func (f *Front) resultOf(m *message, era string, status, code int) Result {
	r := Result{Method: m.method, Era: era, Status: status, Code: code}
	switch method := mcp.MCPMethod(m.method); method {
	case "", mcp.MethodInitialize, mcp.MethodPing, mcp.MethodServerDiscover, mcp.MethodToolsList,
		mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList, mcp.MethodResourcesRead,
		mcp.MethodPromptsList, mcp.MethodPromptsGet, mcp.MethodSubscriptionsListen,
		"notifications/initialized", "notifications/cancelled":
	case mcp.MethodToolsCall:
		r.Tool = "other"
		if f.served.Load().mcp.GetTool(m.name) != nil {
			r.Tool = m.name
		}
	default:
		r.Method = "other"
	}
	return r
}
