package front

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// CacheTTL is how long clients of 2026-07-28 may keep what tools/list and
// server/discover answered, in milliseconds: so far they can be behind
// [Front.Swap].
const CacheTTL = 60_000

// NewMCP returns a server with the options that a [Front] relies on: tools
// that change only with the whole server, hints that the list of them is the same for
// everybody and that what resources say is nobody else's and stale at once.
// Subscriptions, logging, tasks, elicitation and sampling are left out: all need
// streams. Options of the caller come last.
func NewMCP(name, version, instructions string, opts ...server.ServerOption) *server.MCPServer {
	return server.NewMCPServer(name, version, append([]server.ServerOption{
		server.WithToolCapabilities(false),
		server.WithInstructions(instructions),
		server.WithCacheHints(CacheTTL, mcp.CacheScopePublic),
		server.WithMethodCacheHints(mcp.MethodResourcesRead, 0, mcp.CacheScopePrivate),
	}, opts...)...)
}

// noteRefusal notes a tool's result that is an error, for [Result].
func noteRefusal(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := next(ctx, req)
		if c, ok := ctx.Value(callKey{}).(*call); ok && result != nil && result.IsError && c.refusal == "" {
			c.refusal = "refused"
		}
		return result, err
	}
}
