// Mcpgo plays a game with the client of mcp-go, the library whose server side the server is built on.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"dudo.example/mcpserver/clients/player"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mcpgo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	o, err := player.Parse("mcpgo", args)
	if err != nil {
		return err
	}
	http, err := transport.NewStreamableHTTP(o.Address)
	if err != nil {
		return err
	}
	c := client.NewClient(http, client.WithProtocolVersion(o.Era))
	defer func() { _ = c.Close() }()
	if err := c.Start(ctx); err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	var hello mcp.InitializeRequest
	hello.Params.ClientInfo = mcp.Implementation{Name: o.Name, Version: "1.0.0"}
	hello.Params.ProtocolVersion = o.Era
	if _, err := c.Initialize(ctx, hello); err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	if c.ProtocolVersion() != o.Era {
		return fmt.Errorf("the server answered in %s", c.ProtocolVersion())
	}
	if _, err := c.ListTools(ctx, mcp.ListToolsRequest{}); err != nil {
		return fmt.Errorf("list the tools: %w", err)
	}
	return player.Play(ctx, os.Stdout, func(ctx context.Context, tool string, args map[string]any) (string, error) {
		var request mcp.CallToolRequest
		request.Params.Name, request.Params.Arguments = tool, args
		result, err := c.CallTool(ctx, request)
		if err != nil {
			return "", err
		}
		if len(result.Content) != 1 {
			return "", player.Refusal("the answer is not one block")
		}
		text, ok := result.Content[0].(mcp.TextContent)
		if !ok {
			return "", player.Refusal("the answer is not a block of text")
		}
		if result.IsError {
			return "", player.Refusal(text.Text)
		}
		return text.Text, nil
	}, o)
}
