package tools

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/netip"

	"dudo.example/core/play"
	"dudo.example/mcpserver/front"
	"dudo.example/mcpserver/tables"
	"dudo.example/plugins/host"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Lobby is what the tools play on; [*tables.Lobby] is one. Errors are a [*tables.Refusal] for the caller, the context's, or a
// fault. Rules, the default first, Played, and Bots, house bots first, are asked once, when the tools are made.
type Lobby interface {
	Rules() []tables.Ruleset
	// Played are rules that are not on offer, but of tables where moves are made.
	Played() []tables.Ruleset
	Bots() []host.Info
	// List with a game tells more of that one.
	List(ctx context.Context, game string) (tables.Object, error)
	Create(ctx context.Context, addr netip.Addr, s tables.Settings) (tables.Object, error)
	Join(ctx context.Context, addr netip.Addr, j tables.Join) (tables.Object, error)
	// Start with nil bots adds what is needed to play, with an empty list none.
	Start(ctx context.Context, token string, bots []string, nonce string) (tables.Object, error)
	State(ctx context.Context, addr netip.Addr, look tables.Look) (tables.Object, error)
	// Act with a negative on moves whatever the player has seen.
	Act(ctx context.Context, token string, on int64, m play.Move) (tables.Object, error)
}

// Options name the server.
type Options struct {
	Name    string       // "dudo" if empty
	Version string       // as initialize tells it
	Log     *slog.Logger // gets faults; nil for none
}

// New makes an MCP server with the lobby's tools as they are now, for package front. Its error names what a rule file declares
// that cannot become a tool.
func New(lobby Lobby, o Options) (*server.MCPServer, error) {
	if o.Name == "" {
		o.Name = "dudo"
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	c, err := newCatalog(lobby.Rules(), lobby.Played(), lobby.Bots())
	if err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	s := front.NewMCP(o.Name, o.Version, c.instructions, server.WithToolFilter(c.inOrder))
	for _, t := range c.tools {
		s.AddTool(t.describe(), t.handler(lobby, o.Log))
	}
	return s, nil
}

// Check says whether a server can have these rules on offer, with these bots. Its error names what a rule file declares that cannot
// become a tool.
func Check(rules []tables.Ruleset, bots []host.Info) error {
	c, err := newCatalog(rules, nil, bots)
	if err == nil && len(c.tools) > MaxTools {
		err = fmt.Errorf("with these rules there are %d tools, and clients take %d; offer fewer games", len(c.tools), MaxTools)
	}
	return err
}

// A tool is one of a catalog.
type tool struct {
	name, title string
	does        string // one sentence
	more        string // further ones, may be empty
	args        []argument
	hidden      []argument // which are accepted as well, but not shown
	reads       bool       // it changes nothing
	again       bool       // calling it again with the same arguments changes nothing more
	call        func(ctx context.Context, l Lobby, a arguments) (tables.Object, error)
}

func (t *tool) description() string {
	if t.more == "" {
		return t.does
	}
	return t.does + " " + t.more
}

// describe gives the tool as tools/list shows it.
func (t *tool) describe() mcp.Tool {
	yes, no := true, false
	pick := func(b bool) *bool {
		if b {
			return &yes
		}
		return &no
	}
	return mcp.Tool{
		Name: t.name, Title: t.title, Description: t.description(), InputSchema: schema(t.args),
		Annotations: mcp.ToolAnnotation{
			Title: t.title, ReadOnlyHint: pick(t.reads), DestructiveHint: &no, IdempotentHint: pick(t.again), OpenWorldHint: &no,
		},
	}
}

// handler reads the arguments, calls the lobby and writes what it says.
func (t *tool) handler(l Lobby, log *slog.Logger) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		a, err := t.read(req.GetRawArguments())
		var o tables.Object
		if err == nil {
			o, err = t.call(ctx, l, a)
		}
		if err != nil {
			return failure(ctx, log, t.name, err)
		}
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.NewTextContent(string(o.Encode()))}}, nil
	}
}

// reference names a fault: by the request, if it came in through the front.
func reference(ctx context.Context) string {
	if id := front.RequestID(ctx); id != "" {
		return id
	}
	return rand.Text()[:13]
}
