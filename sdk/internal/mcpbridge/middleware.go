package mcpbridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/decode"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

// sessionsUntil is the last version that opens a session by initialize.
const sessionsUntil = "2025-11-25"

// middleware answers calls of the bridge's tools, and what go-sdk would answer with
// a protocol error or a crash: a tool that does not exist, and a panic outside a
// handler.
func (b *bridge) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				b.Log.Error("request crashed", "method", method, "panic", p, "stack", string(debug.Stack()))
				res, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
			}
		}()
		switch req := req.(type) {
		case *mcp.CallToolRequest:
			if e, ok := b.tools[req.Params.Name]; ok {
				return b.call(ctx, e, req), nil
			}
			if res, err := next(ctx, method, req); err == nil || !isUnknown(err, req.Params.Name) {
				return res, err
			}
			from := callerOf(req)
			return from.finish(b.reply(from, tool.Result{}, unknown(req.Params.Name, b.names))), nil
		case *mcp.ListToolsRequest:
			return b.list(ctx, next, method, req)
		case *mcp.ServerRequest[*mcp.InitializeParams]:
			// A session opened this way speaks the last version that opens sessions,
			// and go-sdk asks it nothing if it keeps the version that was asked for.
			if req.Params != nil && req.Params.ProtocolVersion >= roundsSince {
				req.Params.ProtocolVersion = sessionsUntil
			}
		}
		return next(ctx, method, req)
	}
}

// isUnknown reports whether err is go-sdk's for a tool that does not exist.
func isUnknown(err error, name string) bool {
	e, ok := errors.AsType[*jsonrpc.Error](err)
	return ok && e.Code == jsonrpc.CodeInvalidParams && e.Message == fmt.Sprintf("unknown tool %q", name)
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

// encodes reports whether v is JSON: a result that is not would never be sent.
func encodes(v any) bool {
	_, err := json.Marshal(v)
	return err == nil
}
