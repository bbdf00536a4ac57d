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

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/stdio"
)

// sessionsUntil is the last version that opens a session by initialize.
const sessionsUntil = "2025-11-25"

// Handle answers calls of the bridge's tools, and what go-sdk would answer with
// a protocol error or a crash: a tool that does not exist, and a panic outside a
// handler. It refuses lists of what the server does not have. It is the innermost
// middleware of go-sdk's server, so that those of the program come before it.
func (b *Bridge) Handle(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request) (res mcp.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, b.crashed(method, p)
		}
	}()
	switch req := req.(type) {
	case *mcp.CallToolRequest:
		if _, ours := b.tools[req.Params.Name]; ours {
			return b.through(ctx, req)
		}
		return b.fallback(ctx, next, req)
	case *mcp.ListToolsRequest:
		return b.list(ctx, next, method, req)
	case *mcp.ListPromptsRequest, *mcp.ListResourcesRequest, *mcp.ListResourceTemplatesRequest:
		return b.listed(ctx, next, method, req)
	case *mcp.ServerRequest[*mcp.InitializeParams]:
		if req.Params == nil || req.Params.ProtocolVersion == "" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: `invalid params: "protocolVersion" must be a string, such as "` + sessionsUntil + `"`}
		}
		// A session that asks for another version speaks the last that opens
		// sessions, and go-sdk would serve it by the one that it asked for.
		if !stdio.OpensSession(req.Params.ProtocolVersion) {
			req.Params.ProtocolVersion = sessionsUntil
		}
		res, err := b.others(ctx, next, method, req)
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "invalid request: the session has been opened before, by initialize or by a request that named its version"}
		}
		return res, nil
	}
	return b.others(ctx, next, method, req)
}

// crashed logs a panic and returns what the client is told of it.
func (b *Bridge) crashed(method string, p any) error {
	b.Log.Error("request crashed", "method", method, "panic", p, "stack", string(debug.Stack()))
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
}

// through answers a call that came through go-sdk, which must get no result beside an
// error.
func (b *Bridge) through(ctx context.Context, req *mcp.CallToolRequest) (mcp.Result, error) {
	c := callFrom(req)
	r, err := b.answer(ctx, &c)
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// Past returns what answers the calls of a session that its transport takes past
// go-sdk.
func (b *Bridge) Past(session *mcp.ServerSession) stdio.Handler { return past{b, session} }

type past struct {
	b       *Bridge
	session *mcp.ServerSession
}

// Has reports whether the contract has a tool of that name.
func (p past) Has(name []byte) bool {
	if p.b.Shared != nil && p.b.Shared() {
		return false
	}
	_, ok := p.b.tools[string(name)]
	return ok
}

// Answer appends the result of a call of a tool that there is.
func (p past) Answer(ctx context.Context, in *stdio.Call, dst []byte) (line []byte, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			line, err = nil, p.b.crashed("tools/call", crash)
		}
	}()
	c := callPast(in, p.b.tools[string(in.Name)], p.session)
	r, err := p.b.answer(ctx, &c)
	if err != nil {
		return nil, err
	}
	return r.append(dst)
}

// fallback lets go-sdk call a tool that a program added to its server. One that it
// does not know either is a fault like others.
func (b *Bridge) fallback(ctx context.Context, next mcp.MethodHandler, req *mcp.CallToolRequest) (mcp.Result, error) {
	res, err := next(ctx, "tools/call", req)
	if err != nil && isUnknown(err, req.Params.Name) {
		return b.through(ctx, req)
	}
	if err == nil && !encodes(res) {
		return failure(fault.New(fault.Internal, "the tool returned a result that cannot be encoded")), nil
	}
	return res, err
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
