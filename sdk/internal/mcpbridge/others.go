package mcpbridge

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// others answers what is none of the bridge's through go-sdk, save what that does not
// mind: prompts and resources of a server that has none, and results that are not
// JSON, which it would never send.
func (b *Bridge) others(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request) (mcp.Result, error) {
	if !b.serves(ctx, next, method, req) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "method not found"}
	}
	if err := wrongLevel(req); err != nil {
		return nil, err
	}
	res, err := next(ctx, method, req)
	if err != nil {
		return nil, err // go-sdk's result is then a nil pointer that is no nil interface
	}
	b.note(res)
	if res != nil && !encodes(res) {
		b.Log.Error("a result cannot be encoded", "method", method)
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error: the result cannot be encoded"}
	}
	return res, nil
}

// serves reports whether a method is one of a server with these features.
func (b *Bridge) serves(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request) bool {
	session, _ := req.GetSession().(*mcp.ServerSession)
	switch method {
	case "prompts/get":
		if b.prompts.Load() {
			return true
		}
		if res, err := next(ctx, "prompts/list", &mcp.ListPromptsRequest{Session: session, Params: &mcp.ListPromptsParams{}}); err == nil {
			b.note(res)
		}
		return b.prompts.Load()
	case "resources/read", "resources/subscribe", "resources/unsubscribe":
		return b.features.resources.Load() ||
			b.shows(ctx, next, "resources/list", &mcp.ListResourcesRequest{Session: session, Params: &mcp.ListResourcesParams{}}) ||
			b.shows(ctx, next, "resources/templates/list", &mcp.ListResourceTemplatesRequest{Session: session, Params: &mcp.ListResourceTemplatesParams{}})
	}
	return true
}
