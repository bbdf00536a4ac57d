package mcpbridge

import (
	"context"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// features are what a program may have added to go-sdk's server beside its tools, as
// far as clients were told. go-sdk lists what was never declared, as empty; a method
// of a capability that a server does not have is none of its methods (MCP 2026-07-28,
// Discovery).
type features struct{ prompts, resources atomic.Bool }

// note remembers what a result declares or shows.
func (f *features) note(res mcp.Result) {
	switch res := res.(type) {
	case *mcp.InitializeResult:
		f.declare(res.Capabilities)
	case *mcp.DiscoverResult:
		f.declare(res.Capabilities)
	case *mcp.ListPromptsResult:
		f.prompts.CompareAndSwap(false, len(res.Prompts) > 0)
	case *mcp.ListResourcesResult:
		f.resources.CompareAndSwap(false, len(res.Resources) > 0)
	case *mcp.ListResourceTemplatesResult:
		f.resources.CompareAndSwap(false, len(res.ResourceTemplates) > 0)
	}
}

func (f *features) declare(c *mcp.ServerCapabilities) {
	if c != nil {
		f.prompts.CompareAndSwap(false, c.Prompts != nil)
		f.resources.CompareAndSwap(false, c.Resources != nil)
	}
}

// listed answers a list that is go-sdk's, and that there is no such list where it has
// nothing to show and never had.
func (b *Bridge) listed(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request) (mcp.Result, error) {
	res, err := next(ctx, method, req)
	if err != nil {
		return nil, err
	}
	b.note(res)
	served := false
	switch req := req.(type) {
	case *mcp.ListPromptsRequest:
		served = b.features.prompts.Load()
	case *mcp.ListResourcesRequest:
		served = b.features.resources.Load() || b.shows(ctx, next, "resources/templates/list",
			&mcp.ListResourceTemplatesRequest{Session: req.Session, Params: &mcp.ListResourceTemplatesParams{}})
	case *mcp.ListResourceTemplatesRequest:
		served = b.features.resources.Load() || b.shows(ctx, next, "resources/list",
			&mcp.ListResourcesRequest{Session: req.Session, Params: &mcp.ListResourcesParams{}})
	}
	if !served {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "method not found: the server does not declare what " + method + " lists"}
	}
	return res, nil
}

// shows reports whether there are resources by what another list shows.
func (b *Bridge) shows(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request) bool {
	if res, err := next(ctx, method, req); err == nil {
		b.note(res)
	}
	return b.features.resources.Load()
}
