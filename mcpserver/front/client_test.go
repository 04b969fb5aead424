package front_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"dudo.example/mcpserver/front"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var eras = []string{"2025-03-26", "2025-06-18", "2025-11-25", v0728}

// A connection keeps the HTTP client of a test to itself, so that its
// connections end with it.
func httpClient(t *testing.T) *http.Client {
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

func TestClientOfMCPGo(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			s := serve(t, front.Config{})
			tr, err := transport.NewStreamableHTTP(s.url, transport.WithHTTPBasicClient(httpClient(t)))
			if err != nil {
				t.Fatal(err)
			}
			c := client.NewClient(tr, client.WithProtocolVersion(era))
			t.Cleanup(func() { _ = c.Close() })
			ctx := t.Context()
			if err := c.Start(ctx); err != nil {
				t.Fatal(err)
			}
			var init mcp.InitializeRequest
			init.Params.ProtocolVersion = era
			init.Params.ClientInfo = mcp.Implementation{Name: "t", Version: "1"}
			hello, err := c.Initialize(ctx, init)
			if err != nil {
				t.Fatal(err)
			}
			if c.ProtocolVersion() != era || hello.ServerInfo.Name != "test" || hello.Instructions != "Say something to echo." {
				t.Errorf("version %s, server %+v, want %s and ours", c.ProtocolVersion(), hello, era)
			}
			list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(list.Tools, func(tool mcp.Tool) bool { return tool.Name == "echo" }) {
				t.Errorf("tools = %+v", list.Tools)
			}
			call := func(tool string, args map[string]any) *mcp.CallToolResult {
				t.Helper()
				var req mcp.CallToolRequest
				req.Params.Name, req.Params.Arguments = tool, args
				res, err := c.CallTool(ctx, req)
				if err != nil {
					t.Fatal(err)
				}
				return res
			}
			if res := call("echo", map[string]any{"say": "dé 🎲"}); text(t, res) != `{"say":"dé 🎲"}` {
				t.Errorf("echo = %+v", res)
			}
			if res := call("refuse", nil); !res.IsError || text(t, res) != "It is not your turn." {
				t.Errorf("refuse = %+v", res)
			}
			var req mcp.CallToolRequest
			req.Params.Name = "panic"
			if _, err := c.CallTool(ctx, req); err == nil || !strings.Contains(err.Error(), "reference") {
				t.Errorf("panic = %v, want a reference", err)
			}
			checkEra(t, s, era)
		})
	}
}

func text(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("content = %+v, want one", res.Content)
	}
	block, _ := mcp.AsTextContent(res.Content[0])
	return block.Text
}

func TestClientOfGoSDK(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			s := serve(t, front.Config{})
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			c := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "1"}, nil)
			session, err := c.Connect(ctx,
				&sdk.StreamableClientTransport{Endpoint: s.url, HTTPClient: httpClient(t)},
				&sdk.ClientSessionOptions{ProtocolVersion: era})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = session.Close() })
			if hello := session.InitializeResult(); hello.ProtocolVersion != era || hello.Instructions != "Say something to echo." {
				t.Errorf("hello = %+v, want %s", hello, era)
			}
			list, err := session.ListTools(ctx, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(list.Tools, func(tool *sdk.Tool) bool { return tool.Name == "wait" }) {
				t.Errorf("tools = %+v", list.Tools)
			}
			res, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"q": 2}})
			if err != nil {
				t.Fatal(err)
			}
			if block, ok := res.Content[0].(*sdk.TextContent); !ok || block.Text != `{"q":2}` {
				t.Errorf("echo = %+v", res.Content)
			}
			if res, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "refuse"}); err != nil || !res.IsError {
				t.Errorf("refuse = %+v, %v", res, err)
			}
			if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "nope"}); err == nil || !strings.Contains(err.Error(), noTool) {
				t.Errorf("unknown tool = %v, want %q", err, noTool)
			}
			// A client that gives up ends its own wait, by the connection.
			waitCtx, giveUp := context.WithCancel(ctx)
			gone := make(chan error, 1)
			go func() {
				_, err := session.CallTool(waitCtx, &sdk.CallToolParams{Name: "wait"})
				gone <- err
			}()
			receive(t, s.waiting, "waiter")
			giveUp()
			if err := receive(t, gone, "end of the call"); err == nil {
				t.Error("a call that was given up succeeded")
			}
			receive(t, s.ended, "end of the wait")
			if res, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "secret"}); err != nil || res.IsError {
				t.Errorf("after giving up one call, the next = %+v, %v", res, err)
			}
			checkEra(t, s, era)
		})
	}
}

// checkEra checks that every call was governed by the version that the client
// was told to speak.
func checkEra(t *testing.T, s *site, era string) {
	t.Helper()
	calls := 0
	for _, r := range s.observed() {
		if r.Method != "tools/call" {
			continue
		}
		if calls++; r.Era != era {
			t.Errorf("a call in era %s, want %s", r.Era, era)
		}
	}
	if calls == 0 {
		t.Error("no calls were observed")
	}
}
