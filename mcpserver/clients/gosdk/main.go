// Gosdk plays a game with the client of the official Go SDK of MCP.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dudo.example/mcpserver/clients/player"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gosdk:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	o, err := player.Parse("gosdk", args)
	if err != nil {
		return err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: o.Name, Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: o.Address}, &mcp.ClientSessionOptions{ProtocolVersion: o.Era})
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = session.Close() }()
	if agreed := session.InitializeResult().ProtocolVersion; agreed != o.Era {
		return fmt.Errorf("the server answered in %s", agreed)
	}
	if _, err := session.ListTools(ctx, nil); err != nil {
		return fmt.Errorf("list the tools: %w", err)
	}
	return player.Play(ctx, os.Stdout, func(ctx context.Context, tool string, args map[string]any) (string, error) {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			return "", err
		}
		if len(result.Content) != 1 {
			return "", player.Refusal("the answer is not one block")
		}
		text, ok := result.Content[0].(*mcp.TextContent)
		if !ok {
			return "", player.Refusal("the answer is not a block of text")
		}
		if result.IsError {
			return "", player.Refusal(text.Text)
		}
		return text.Text, nil
	}, o)
}
