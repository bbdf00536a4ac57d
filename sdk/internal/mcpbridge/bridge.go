// Package mcpbridge speaks MCP.
//
// It registers tools with go-sdk through the raw AddTool, with ready-made
// schemas, and answers every call with a tool result: a fault reaches the model,
// where a protocol error would not.
package mcpbridge

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/decode"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/stdio"
	"github.com/jptool/jptool/sdk/manifest"
	"github.com/jptool/jptool/sdk/tool"
)

// A Reply renders how a call ended: with a result, or with an error of
// [tool.Tool.Run].
type Reply func(protocolVersion string, result tool.Result, err error) *mcp.CallToolResult

// Options is what a bridge is told.
type Options struct {
	// Reply renders the end of a call; nil is [Native].
	Reply Reply
	// Asker is where questions go; nil is to nobody.
	Asker elicit.Asker
	// Meta adds what the _meta of a request says to a call.
	Meta func(meta []byte, r *tool.Request) error
	// Base is what every call of a tool starts from: options and root.
	Base func(toolName string) tool.Request
	// Unknown is what happens to undeclared arguments.
	Unknown manifest.Unknown
	// Log receives what calls log.
	Log *slog.Logger
}

// An Entry is a tool and its contract.
type Entry struct {
	Tool     *tool.Tool
	Contract *manifest.Tool
}

// Install adds tools to s and makes s answer in the manner of this package.
func Install(s *mcp.Server, tools []Entry, o Options) {
	if o.Reply == nil {
		o.Reply = Native
	}
	if o.Asker == nil {
		o.Asker = Nobody()
	}
	names := make([]string, len(tools))
	for i, e := range tools {
		s.AddTool(published(e.Contract), o.handler(e.Tool))
		names[i] = e.Contract.Name
	}
	s.AddReceivingMiddleware(guard(o, names), forVersion)
}

// handler answers the calls of one tool. Its error is always nil.
func (o Options) handler(t *tool.Tool) mcp.ToolHandler {
	policy := decode.Options{Unknown: decode.Ignore}
	if o.Unknown == manifest.Reject {
		policy.Unknown = decode.Reject
	}
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		request := o.Base(t.Name())
		request.Arguments, request.Asker, request.Log = req.Params.Arguments, o.Asker, o.Log
		var (
			result tool.Result
			err    = o.meta(req, &request)
		)
		if err == nil {
			result, err = t.Run(ctx, request, policy)
		}
		return o.Reply(req.ProtocolVersion(), result, err), nil
	}
}

// meta lets o.Meta read the _meta of the request, exactly as it came where the
// transport kept it.
func (o Options) meta(req *mcp.CallToolRequest, r *tool.Request) error {
	if o.Meta == nil || len(req.Params.Meta) == 0 {
		return nil
	}
	meta := stdio.RawMeta(req.Extra)
	if meta == nil {
		var err error
		if meta, err = json.Marshal(req.Params.Meta); err != nil {
			return fault.Wrap(err, fault.InvalidInput, "the _meta of the call cannot be read")
		}
	}
	return o.Meta(meta, r)
}

// Nobody returns the Asker of clients that cannot be asked.
func Nobody() elicit.Asker {
	return elicit.Nobody{Resend: func(id string) string {
		return `Use a client that can ask its user, or call again with the answer in ` +
			`_meta["computer.jp/tool"].answers[` + quote(id) + `].`
	}}
}

func quote(s string) string { return `"` + s + `"` }

// published returns the contract of a tool as tools/list shows it.
func published(t *manifest.Tool) *mcp.Tool {
	out := &mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: json.RawMessage(t.Input),
		Annotations: &mcp.ToolAnnotations{
			Title: t.Title, DestructiveHint: t.Annotations.Destructive, OpenWorldHint: t.Annotations.OpenWorld,
			ReadOnlyHint: isTrue(t.Annotations.ReadOnly), IdempotentHint: isTrue(t.Annotations.Idempotent),
		},
	}
	if t.Output != nil {
		out.OutputSchema = json.RawMessage(t.Output)
	}
	return out
}

func isTrue(b *bool) bool { return b != nil && *b }
