package mcpbridge

import (
	"context"
	"encoding/json"
	"log/slog"
	"runtime/debug"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/decode"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

const (
	methodCall = "tools/call"
	methodList = "tools/list"

	// structuredSince is the version that brought titles, output schemas and
	// structured content (MCP 2025-06-18, changelog).
	structuredSince = "2025-06-18"
)

// guard answers what go-sdk would answer with a protocol error or a crash: a tool
// that does not exist, and a panic outside a handler.
func guard(o Options, names []string) mcp.Middleware {
	known := make(map[string]bool, len(names))
	for _, n := range names {
		known[n] = true
	}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
			defer func() {
				if p := recover(); p != nil {
					logger(o.Log).Error("request crashed", "method", method, "panic", p, "stack", string(debug.Stack()))
					res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
				}
			}()
			if call, ok := req.(*mcp.CallToolRequest); ok && method == methodCall && !known[call.Params.Name] {
				return o.Reply(call.ProtocolVersion(), tool.Result{}, unknown(call.Params.Name, names)), nil
			}
			return next(ctx, method, req)
		}
	}
}

func logger(l *slog.Logger) *slog.Logger {
	if l == nil {
		return slog.Default()
	}
	return l
}

func unknown(name string, names []string) error {
	f := fault.New(fault.NotFound, "there is no tool %q", clip(name))
	if near, ok := decode.Nearest(name, names); ok {
		f.Message += "; did you mean " + quote(near) + "?"
	}
	return f
}

// clip shortens text that a client made up, to be repeated in a message.
func clip(text string) string {
	const most = 60
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}

// forVersion takes from the list of tools what the protocol version of the
// request does not know.
func forVersion(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		list, ok := res.(*mcp.ListToolsResult)
		if method != methodList || err != nil || !ok {
			return res, err
		}
		if r, ok := req.(*mcp.ListToolsRequest); !ok || r.ProtocolVersion() >= structuredSince {
			return res, nil
		}
		bare := *list
		bare.Tools = make([]*mcp.Tool, len(list.Tools))
		for i, t := range list.Tools {
			plain := *t
			plain.Title, plain.OutputSchema = "", nil
			bare.Tools[i] = &plain
		}
		return &bare, nil
	}
}

// encodes reports whether v is JSON: a result that is not would never be sent.
func encodes(v any) bool {
	_, err := json.Marshal(v)
	return err == nil
}
