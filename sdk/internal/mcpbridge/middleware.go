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

	"github.com/jptool/jptool/sdk/internal/stdio"
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
		case *mcp.ServerRequest[*noParams]:
			if in := stdio.CallOf(req.Extra); in != nil && method == stdio.MethodCall {
				if _, ours := b.tools[in.Name]; ours {
					r, err := b.answer(ctx, callPast(in, req.Session))
					if err != nil {
						return nil, err
					}
					return handOver(req.Extra, r)
				}
				return b.foreign(ctx, next, in, req.Session)
			}
		case *mcp.CallToolRequest:
			if _, ours := b.tools[req.Params.Name]; ours {
				return answered(b.answer(ctx, callFrom(req)))
			}
			return b.fallback(ctx, next, req)
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

// foreign hands a call that came past go-sdk, of a tool that is not the bridge's,
// to go-sdk after all.
func (b *bridge) foreign(ctx context.Context, next mcp.MethodHandler, in *stdio.Call, session *mcp.ServerSession) (mcp.Result, error) {
	params := &mcp.CallToolParamsRaw{Name: in.Name, Arguments: in.Arguments}
	if in.Meta != nil {
		if err := json.Unmarshal(in.Meta, &params.Meta); err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the _meta of the call cannot be read"}
		}
	}
	return b.fallback(ctx, next, &mcp.CallToolRequest{Session: session, Params: params})
}

// fallback lets go-sdk call a tool that a program added to its server. One that it
// does not know either is a fault like others.
func (b *bridge) fallback(ctx context.Context, next mcp.MethodHandler, req *mcp.CallToolRequest) (mcp.Result, error) {
	res, err := next(ctx, "tools/call", req)
	if err != nil && isUnknown(err, req.Params.Name) {
		return answered(b.answer(ctx, callFrom(req)))
	}
	return res, err
}

// answered returns r for go-sdk, which must get no result beside an error.
func answered(r *result, err error) (mcp.Result, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// isUnknown reports whether err is go-sdk's for a tool that does not exist.
func isUnknown(err error, name string) bool {
	e, ok := errors.AsType[*jsonrpc.Error](err)
	return ok && e.Code == jsonrpc.CodeInvalidParams && e.Message == fmt.Sprintf("unknown tool %q", name)
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
