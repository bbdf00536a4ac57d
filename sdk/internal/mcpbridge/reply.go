package mcpbridge

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/wire"
)

// Native renders the end of a call as MCP has it: content blocks, structured
// content where the protocol version knows it, and faults as isError with their
// code in _meta.
func Native(version string, result tool.Result, err error) *mcp.CallToolResult {
	if err != nil {
		return failure(err)
	}
	out := &mcp.CallToolResult{Content: blocks(version, result.Blocks)}
	for _, w := range result.Warnings {
		out.Content = append(out.Content, &mcp.TextContent{Text: "Note: " + w})
	}
	if result.Structured != nil && version >= structuredSince {
		out.StructuredContent = result.Structured
	}
	keepApart(out)
	return out
}

// Text returns a Reply of exactly one text block, rendered by text.
func Text(text func(tool.Result, error) (string, bool)) Reply {
	return func(_ string, result tool.Result, err error) *mcp.CallToolResult {
		s, isError := text(result, err)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}, IsError: isError}
	}
}

// failure renders a fault: no structured content, no cause.
func failure(err error) *mcp.CallToolResult {
	f := fault.From(err)
	out := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: f.Error()}}, IsError: true}
	said := map[string]any{"code": string(f.Code), "recoverable": f.Recoverable, "transient": f.Transient}
	if len(f.Details) > 0 && encodes(f.Details) {
		said["details"] = f.Details
	}
	out.SetMeta(map[string]any{wire.MetaError: said})
	keepApart(out)
	return out
}

// keepApart adds an empty block to a lone text that reads like an Outcome. A JP
// host takes exactly one such block for a message of the tool itself, whoever
// wrote the text (JP RFD D31); of two it takes none.
func keepApart(r *mcp.CallToolResult) {
	if len(r.Content) != 1 {
		return
	}
	if t, ok := r.Content[0].(*mcp.TextContent); ok && wire.LooksLikeOutcome(t.Text) {
		r.Content = append(r.Content, &mcp.TextContent{})
	}
}
