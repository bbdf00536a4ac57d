// Package gosdk connects go-sdk's server, to which a program adds resources, prompts, completions
// and tools of its own, to the engine.
package gosdk

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// Extras implements [engine.Extras] with go-sdk's server.
type Extras struct {
	// Server returns go-sdk's server; Used reports whether the program may have added to it.
	Server func() *mcp.Server
	Used   func() bool
	Log    func() *slog.Logger // for panics and results that cannot be encoded
	calls  sync.Map            // running calls, *call by *mcp.RequestExtra
}

// InUse reports whether the program may have added anything.
func (x *Extras) InUse() bool { return x.Used() }

// Open starts the server side of a session.
func (x *Extras) Open(opening json.RawMessage, version, level string, client *engine.Session) (engine.ExtraSession, error) {
	if !engine.OpensSession(version) {
		return x.connect(client, nil)
	}
	params := new(mcp.InitializeParams)
	if opening != nil && json.Unmarshal(opening, params) != nil {
		params = new(mcp.InitializeParams)
	}
	params.ProtocolVersion = version
	return x.connect(client, &mcp.ServerSessionState{
		InitializeParams: params, InitializedParams: new(mcp.InitializedParams),
		NegotiatedProtocolVersion: version,
		//lint:ignore SA1019 clients of the versions before 2026-07-28 set a level
		LogLevel: mcp.LoggingLevel(level),
	})
}

func (x *Extras) connect(client *engine.Session, state *mcp.ServerSessionState) (*session, error) {
	s := &session{of: x, client: client, in: make(chan jsonrpc.Message), closed: make(chan struct{})}
	s.close = sync.OnceFunc(func() { close(s.closed) })
	var err error
	if s.own, err = x.Server().Connect(context.Background(), transport{s}, &mcp.ServerSessionOptions{State: state}); err != nil {
		return nil, fmt.Errorf("connecting to go-sdk's server: %w", err)
	}
	return s, nil
}

// Capabilities returns the capabilities of go-sdk's server, or nil on failure.
func (x *Extras) Capabilities(ctx context.Context) json.RawMessage {
	s, err := x.connect(nil, nil)
	if err != nil {
		return nil
	}
	defer s.Close()
	const opening = `{"protocolVersion":"` + engine.Sessions + `","capabilities":{},"clientInfo":{"name":"","version":""}}`
	result, failure := s.Call(ctx, &engine.ExtraCall{ID: json.RawMessage("0"), Method: "initialize", Params: json.RawMessage(opening)})
	var answer struct {
		Capabilities json.RawMessage `json:"capabilities"`
	}
	if failure != nil || json.Unmarshal(result, &answer) != nil {
		return nil
	}
	return answer.Capabilities
}

// Tools returns the tools that the program added.
func (x *Extras) Tools(ctx context.Context) (tools []engine.ExtraTool) {
	s, err := x.Open(nil, engine.Sessions, "", nil)
	if err != nil {
		return nil
	}
	defer s.Close()
	params := json.RawMessage("{}")
	for range 1000 { // cursors may form a loop
		result, failure := s.Call(ctx, &engine.ExtraCall{ID: json.RawMessage("0"), Method: "tools/list", Params: params})
		var page struct {
			Tools      []engine.ExtraTool `json:"tools"`
			NextCursor string             `json:"nextCursor"`
		}
		if failure != nil || json.Unmarshal(result, &page) != nil {
			return tools
		}
		tools = append(tools, page.Tools...)
		if page.NextCursor == "" {
			return tools
		}
		params, _ = json.Marshal(map[string]string{"cursor": page.NextCursor}) // strings cannot fail
	}
	return tools
}

// Middleware is the innermost middleware of go-sdk's server. It runs the tools of the contract and
// associates messages from handlers with their request. It also answers where go-sdk would crash or
// hang: after a panic outside a handler, and for a result that cannot be marshaled.
func (x *Extras) Middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				x.Log().Error("request handler panicked", "method", method, "panic", p, "stack", string(debug.Stack()))
				res, err = nil, internal("internal error")
			}
		}()
		found, ok := x.calls.Load(req.GetExtra())
		if !ok {
			return next(ctx, method, req)
		}
		c := found.(*call)
		ctx = context.WithValue(ctx, callKey{}, c)
		if call, ok := req.(*mcp.CallToolRequest); ok && c.in.Tool != nil {
			result, failure := c.in.Tool(ctx, call.Params.Arguments)
			if failure != nil {
				return nil, wireError(failure)
			}
			return &encodedResult{text: result}, nil
		}
		if err := x.undeclared(ctx, next, method, req); err != nil {
			return nil, err
		}
		res, err = next(ctx, method, req)
		if err != nil {
			return nil, err // go-sdk returns a typed nil pointer as the result
		}
		if _, err := json.Marshal(res); err != nil {
			x.Log().Error("a result cannot be encoded", "method", method, "error", err)
			return nil, internal("internal error: the result cannot be encoded")
		}
		return res, nil
	}
}

func internal(message string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: message}
}

func wireError(e *engine.Error) *jsonrpc.Error {
	return &jsonrpc.Error{Code: int64(e.Code), Message: e.Message, Data: e.Data}
}

// An encodedResult is encoded already.
type encodedResult struct {
	mcp.ResultBase
	text json.RawMessage
}

func (r *encodedResult) MarshalJSON() ([]byte, error) { return r.text, nil }

// undeclared refuses methods of capabilities that the server does not have (MCP 2026-07-28,
// Discovery), for which go-sdk returns empty lists.
func (x *Extras) undeclared(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request) error {
	session, _ := req.GetSession().(*mcp.ServerSession)
	capability, _, _ := strings.Cut(method, "/")
	shown := 0
	switch capability {
	case "prompts":
		shown = count(next(ctx, "prompts/list", &mcp.ListPromptsRequest{Session: session, Params: &mcp.ListPromptsParams{}}))
	case "resources":
		shown = count(next(ctx, "resources/list", &mcp.ListResourcesRequest{Session: session, Params: &mcp.ListResourcesParams{}})) +
			count(next(ctx, "resources/templates/list", &mcp.ListResourceTemplatesRequest{Session: session, Params: &mcp.ListResourceTemplatesParams{}}))
	default:
		return nil
	}
	var declared map[string]json.RawMessage
	if shown > 0 || json.Unmarshal(x.Capabilities(context.Background()), &declared) == nil && declared[capability] != nil {
		return nil
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "method not found: the server does not declare the capability for " + method}
}

// count returns the number of items that a list method returned.
func count(res mcp.Result, err error) int {
	if err != nil {
		return 0
	}
	switch res := res.(type) {
	case *mcp.ListPromptsResult:
		return len(res.Prompts)
	case *mcp.ListResourcesResult:
		return len(res.Resources)
	case *mcp.ListResourceTemplatesResult:
		return len(res.ResourceTemplates)
	}
	return 0
}
