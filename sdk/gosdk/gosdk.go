// Package gosdk adds resources, prompts, completions and middleware of go-sdk, the official Go SDK for
// MCP, to a server. Tools belong in the contract instead. Only servers that use the package link go-sdk.
package gosdk

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/causes"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
)

// Server returns the go-sdk server of s, to which a program can add resources and prompts, even while s
// is serving. It contains only what the program adds, so a program must serve s instead. A resource of the
// contract takes precedence over an added one with the same URI, and a prompt over one with the same name.
//
// Receiving middleware sees the MCP calls to all tools, and makes them slower. It also sees the contract's tools in
// tools/list, and can change their entries. A tool that it removes cannot be called: before each call, it
// handles a tools/list for that tool. In the same way, it sees the requests for resources, prompts and completions of
// the contract, and their entries in lists. It cannot change the URI that is read, and what it removes from these
// lists can still be read: to refuse a request, return an error. It does not see calls from the
// command line (BIN call) or through [sdk.Server.Call]. A panic in middleware fails the request, and ends
// the process only if the middleware was added after the first client connected.
func Server(s *sdk.Server) *mcp.Server { return of(s).server() }

// Options returns the options of the go-sdk server of s, for completions and resource subscriptions.
// Changes have no effect after the first call to [Server] or the start of s.
func Options(s *sdk.Server) *mcp.ServerOptions { return &of(s).options }

// Principal returns the user in the [auth.TokenInfo] that go-sdk's middleware for bearer tokens adds to a
// request, or "" if there is no user. Use it as [sdk.HTTPOptions.Principal].
func Principal(r *http.Request) string {
	if info := auth.TokenInfoFromContext(r.Context()); info != nil {
		return info.UserID
	}
	return ""
}

// extras implements [engine.Extras] with go-sdk's server.
type extras struct {
	options mcp.ServerOptions
	server  func() *mcp.Server
	enclose func()              // adds middleware around the program's middleware
	log     func() *slog.Logger // for panics and results that cannot be encoded
	calls   sync.Map            // maps the *mcp.RequestExtra of each running call to its *call
}

func of(s *sdk.Server) *extras {
	return s.Extend(func(log func() *slog.Logger) engine.Extras {
		x := &extras{log: log, options: mcp.ServerOptions{
			Instructions: s.Contract().Description,
			Logger:       slog.New(quietHandler{log}),
			//lint:ignore SA1019 clients of the versions before 2026-07-28 set a level
			Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Logging: &mcp.LoggingCapabilities{}},
		}}
		x.server = sync.OnceValue(func() *mcp.Server {
			m := mcp.NewServer(&mcp.Implementation{Name: s.Name(), Version: s.Version()}, &x.options)
			m.AddReceivingMiddleware(x.guard, x.middleware)
			return m
		})
		x.enclose = sync.OnceFunc(func() {
			x.server().AddReceivingMiddleware(x.guard, x.check)
			x.server().AddSendingMiddleware(x.guard)
		})
		return x
	}).(*extras)
}

// A quietHandler forwards go-sdk's log records, except the info records about every session.
type quietHandler struct{ log func() *slog.Logger }

func (q quietHandler) Enabled(ctx context.Context, level slog.Level) bool {
	h := q.log().Handler()
	return h.Enabled(ctx, level) && (level > slog.LevelInfo || h.Enabled(ctx, slog.LevelDebug))
}

func (q quietHandler) Handle(ctx context.Context, r slog.Record) error {
	return q.log().Handler().Handle(ctx, r)
}

func (q quietHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return q.log().Handler().WithAttrs(attrs)
}

func (q quietHandler) WithGroup(name string) slog.Handler { return q.log().Handler().WithGroup(name) }

// Open starts the server side of a session.
func (x *extras) Open(opening json.RawMessage, version, level string, client *engine.Session) (engine.ExtraSession, error) {
	if !wires.OpensSession(version) {
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

func (x *extras) connect(client *engine.Session, state *mcp.ServerSessionState) (*session, error) {
	s := &session{of: x, client: client, in: make(chan jsonrpc.Message), closed: make(chan struct{})}
	s.close = sync.OnceFunc(func() { close(s.closed) })
	x.enclose()
	var err error
	if s.own, err = x.server().Connect(context.Background(), transport{s}, &mcp.ServerSessionOptions{State: state}); err != nil {
		return nil, fmt.Errorf("connecting to go-sdk's server: %w", err)
	}
	return s, nil
}

// Description returns the capabilities and the instructions of go-sdk's server from its
// initialize result. After a failure, capabilities is nil.
func (x *extras) Description(ctx context.Context) (capabilities json.RawMessage, instructions string) {
	s, err := x.connect(nil, nil)
	if err != nil {
		return nil, ""
	}
	defer s.Close()
	const opening = `{"protocolVersion":"` + wires.Sessions + `","capabilities":{},"clientInfo":{"name":"","version":""}}`
	result, failure := s.Call(ctx, &engine.ExtraCall{ID: json.RawMessage("0"), Method: "initialize", Params: json.RawMessage(opening)})
	var answer struct {
		Capabilities json.RawMessage `json:"capabilities"`
		Instructions string          `json:"instructions"`
	}
	if failure != nil || json.Unmarshal(result, &answer) != nil {
		return nil, ""
	}
	return answer.Capabilities, answer.Instructions
}

// Tools returns the tools that the program added.
func (x *extras) Tools(ctx context.Context) (tools []engine.ExtraTool) {
	s, err := x.Open(nil, wires.Sessions, "", nil)
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
		if page.NextCursor == "" { // go-sdk sends no empty cursors
			return tools
		}
		params, _ = json.Marshal(map[string]string{"cursor": page.NextCursor}) // a map of strings can always be encoded
	}
	return tools
}

// guard answers a request if next panics or calls [runtime.Goexit], where go-sdk would crash or never answer.
func (x *extras) guard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		returned := false
		defer func() {
			p := recover()
			if p == nil && returned {
				return
			}
			x.log().Error("request handler panicked", "method", method, "panic", p, "stack", string(debug.Stack()))
			res, err = nil, internal("internal error")
			if found, ok := x.calls.Load(req.GetExtra()); ok && p == nil { // the goroutine ends without a result
				select {
				case found.(*call).done <- &jsonrpc.Response{Error: err}:
				default: // another guard has answered
				}
			}
		}()
		res, err = next(ctx, method, req)
		if causes.Endless(err) { // go-sdk would inspect it without end
			err = errors.New(err.Error())
		}
		returned = true
		return res, err
	}
}

// check returns an error in place of a result that is nil or cannot be marshaled. go-sdk would crash or never
// answer.
func (x *extras) check(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if err != nil {
			return nil, err // go-sdk returns a typed nil pointer as the result
		}
		if _, ok := x.calls.Load(req.GetExtra()); !ok {
			return res, nil // notifications have no result
		}
		if _, ok := res.(*encodedResult); ok {
			return res, nil
		}
		if c, ok := x.calls.Load(req.GetExtra()); ok && c.(*call).in.Method == method && !isNil(res) {
			if res, err = c.(*call).originals(res); err != nil {
				return nil, err
			}
			if _, ok := res.(*encodedResult); ok {
				return res, nil
			}
		}
		text, err := json.Marshal(res)
		if err == nil && string(text) == "null" {
			err = errors.New("the result is nil")
		}
		if err != nil {
			x.log().Error("a result cannot be encoded", "method", method, "error", err)
			return nil, internal("internal error: the result cannot be encoded")
		}
		return res, nil
	}
}

// middleware is the innermost middleware of go-sdk's server. It runs the tools of the contract and associates
// messages from handlers with their request.
func (x *extras) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		found, ok := x.calls.Load(req.GetExtra())
		if !ok {
			return next(ctx, method, req)
		}
		c := found.(*call)
		ctx = context.WithValue(valuesOf{ctx, c.ctx}, callKey{}, c)
		switch {
		case method != c.in.Method: // middleware asks for something else
		case c.in.Tool != nil:
			result, failure := c.in.Tool(ctx, argumentsOf(req))
			if failure != nil {
				return nil, wireError(failure)
			}
			return &encodedResult{text: result}, nil
		case c.in.Entries != nil:
			res, err := emptyList(method), error(nil)
			if !c.in.Alone {
				res, err = next(ctx, method, req)
			}
			if err != nil {
				return nil, err
			}
			return c.withContract(res), nil
		}
		if err := x.undeclared(ctx, next, method, req); err != nil {
			return nil, err
		}
		return next(ctx, method, req)
	}
}

// argumentsOf returns the arguments of a tool or a prompt, which middleware may have changed. A resource that is read has
// none: middleware cannot change its URI.
func argumentsOf(req mcp.Request) json.RawMessage {
	switch req := req.(type) {
	case *mcp.CallToolRequest:
		return req.Params.Arguments
	case *mcp.GetPromptRequest:
		if req.Params.Arguments != nil {
			text, _ := json.Marshal(req.Params.Arguments) // a map of strings can always be encoded
			return text
		}
	}
	return nil
}

// isNil reports whether a result is nil or a typed nil pointer.
func isNil(res mcp.Result) bool {
	v := reflect.ValueOf(res)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// valuesOf is a go-sdk context that also has the values of the request's context.
type valuesOf struct {
	context.Context
	request context.Context
}

func (v valuesOf) Value(key any) any {
	if value := v.Context.Value(key); value != nil {
		return value
	}
	return v.request.Value(key)
}

// failure converts an error from a handler or from a program's middleware to the error that the client receives.
// As with tools, the error is logged, and its text stays in the server if it has no code and the client must not
// see it.
func (x *extras) failure(c *call, err error) *jsonrpc.Error {
	if e, ok := causes.AsType[*jsonrpc.Error](err); ok {
		return e
	}
	f := fault.From(err)
	_, coded := causes.AsType[*fault.Error](err)
	log := x.log().With("method", c.in.Method, "error", err)
	switch {
	case f.Code == fault.Internal && !coded && c.in.HideErrors:
		id := rand.Text()[:12]
		log.Error("request handler failed", "incident", id)
		return internal("internal error; see the server's log for incident " + id)
	case f.Code == fault.Internal && !coded:
		log.Error("request handler failed")
		return internal(err.Error())
	}
	log.Info("request handler failed")
	if f.Code == fault.NotFound && c.in.Method == "resources/read" {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: f.Error()}
	}
	return internal(f.Error())
}

func internal(message string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: message}
}

func wireError(e *rpc.Error) *jsonrpc.Error {
	return &jsonrpc.Error{Code: int64(e.Code), Message: e.Message, Data: e.Data}
}

// An encodedResult is a result that is already encoded as JSON.
type encodedResult struct {
	mcp.ResultBase
	text json.RawMessage
}

func (r *encodedResult) MarshalJSON() ([]byte, error) { return r.text, nil }

// undeclared rejects methods of capabilities that the server does not have (MCP 2026-07-28,
// Discovery), for which go-sdk returns empty lists.
func (x *extras) undeclared(ctx context.Context, next mcp.MethodHandler, method string, req mcp.Request) error {
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
	if shown > 0 {
		return nil
	}
	capabilities, _ := x.Description(context.Background())
	var declared map[string]json.RawMessage
	if json.Unmarshal(capabilities, &declared) == nil && declared[capability] != nil {
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
