package tools

import (
	"context"
	"errors"
	"log/slog"

	"dudo.example/mcpserver/front"
	"dudo.example/mcpserver/tables"
	"github.com/mark3labs/mcp-go/mcp"
)

// MetaCode is the member of a failed result's _meta that holds the code of the refusal, such as "not_your_turn".
const MetaCode = "code"

// CodeInternal is the code of a fault.
const CodeInternal = "internal_error"

// failure is the one place where an error becomes a result. A refusal is its sentence. If the caller is gone there is nothing to
// say but the context's error. Everything else is a fault: the log has it, the caller reads a reference.
func failure(ctx context.Context, log *slog.Logger, tool string, err error) (*mcp.CallToolResult, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var refusal *tables.Refusal
	if !errors.As(err, &refusal) {
		ref := reference(ctx)
		log.ErrorContext(ctx, "fault of a tool", "tool", tool, "reference", ref, "error", err)
		refusal = &tables.Refusal{
			Code: CodeInternal, Sentence: "Internal error, reference " + ref + ": call get_state to see where the game stands before you try again.",
		}
	}
	front.Refused(ctx, refusal.Code)
	result := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{mcp.NewTextContent(refusal.Sentence)}}
	result.Meta = &mcp.Meta{AdditionalFields: map[string]any{MetaCode: refusal.Code}}
	return result, nil
}
