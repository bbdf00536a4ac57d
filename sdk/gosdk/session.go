package gosdk

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/internal/rpc"
)

// maxNesting is the maximum nesting depth of params that go-sdk decodes.
const maxNesting = 1000

// A session connects one client to go-sdk's server, over an in-memory connection.
type session struct {
	of     *extras
	client *engine.Session // nil if there is no client
	own    *mcp.ServerSession
	in     chan jsonrpc.Message // messages to go-sdk
	closed chan struct{}
	close  func()
	count  atomic.Int64
	calls  sync.Map // maps the id that go-sdk sees to the *call
}

// A call is a request from the client.
type call struct {
	ctx  context.Context // the request's context, with the values of the program's HTTP middleware
	in   *engine.ExtraCall
	done chan *jsonrpc.Response
	// listed maps the entries of the contract in a list, as go-sdk encodes them, to their text.
	listed map[string]json.RawMessage
}

type callKey struct{}

func (s *session) Close() {
	s.close()
	go func() { _ = s.own.Close() }() // Close waits for handlers
}

var errClosed = &rpc.Error{Code: rpc.CodeInternal, Message: "internal error: the session is closed"}

func (s *session) Call(ctx context.Context, in *engine.ExtraCall) (json.RawMessage, *rpc.Error) {
	c := &call{ctx: ctx, in: in, done: make(chan *jsonrpc.Response, 1)}
	// A client may reuse the id of a canceled call while the handler is still running.
	name := strconv.FormatInt(s.count.Add(1), 10)
	id, _ := jsonrpc.MakeID(name) // a string is always a valid id
	params := paramsOf(in)
	if rawjson.Depth(params) > maxNesting {
		return nil, &rpc.Error{Code: rpc.CodeInvalidParams, Message: fmt.Sprintf("invalid params: more than %d levels of nesting, which is the limit of go-sdk's server", maxNesting)}
	}
	extra := &mcp.RequestExtra{TokenInfo: auth.TokenInfoFromContext(ctx)}
	if extra.TokenInfo == nil && in.Caller.Subject != "" {
		extra.TokenInfo = &auth.TokenInfo{UserID: in.Caller.Subject, Scopes: in.Caller.Scopes}
	}
	if web, ok := in.Out.(overHTTP); ok {
		extra.Header = web.Header()
		extra.CloseSSEStream = func(args mcp.CloseSSEStreamArgs) { web.Pause(args.RetryAfter) }
	}
	s.calls.Store(name, c)
	defer s.calls.Delete(name)
	s.of.calls.Store(extra, c)
	defer s.of.calls.Delete(extra)
	if !s.send(&jsonrpc.Request{ID: id, Method: in.Method, Params: params, Extra: extra}) {
		return nil, errClosed
	}
	stop := context.AfterFunc(ctx, func() {
		s.Notify("notifications/cancelled", json.RawMessage(`{"requestId":"`+name+`","reason":"the call has ended"}`))
	})
	defer stop()
	select {
	case r := <-c.done:
		return s.result(c, r)
	case <-s.closed:
		return nil, errClosed
	}
}

// overHTTP is implemented by the Out of an HTTP request.
type overHTTP interface {
	Header() http.Header       // the headers of the request
	Pause(after time.Duration) // ends the response stream, which the client resumes later
}

func (s *session) result(c *call, r *jsonrpc.Response) (json.RawMessage, *rpc.Error) {
	switch {
	case r.Error != nil:
		e := s.of.failure(c, r.Error)
		if !json.Valid(e.Data) { // go-sdk's own data is invalid for some URIs
			return nil, &rpc.Error{Code: int(e.Code), Message: e.Message}
		}
		return nil, &rpc.Error{Code: int(e.Code), Message: e.Message, Data: e.Data}
	case len(r.Result) == 0:
		return json.RawMessage("{}"), nil
	}
	return c.withClientID(r.Result), nil
}

func (s *session) Notify(method string, params json.RawMessage) {
	s.send(&jsonrpc.Request{Method: method, Params: params})
}

// send passes a message to go-sdk, and returns false if the session is closed.
func (s *session) send(m jsonrpc.Message) bool {
	select {
	case s.in <- m:
		return true
	case <-s.closed:
		return false
	}
}

// A transport is the connection of a session on go-sdk's side.
type transport struct{ s *session }

func (t transport) Connect(context.Context) (mcp.Connection, error) { return t, nil }
func (t transport) SessionID() string                               { return "" }

func (t transport) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-t.s.in:
		return m, nil
	case <-t.s.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (t transport) Close() error {
	t.s.close()
	return nil
}

// Write receives a message from go-sdk.
func (t transport) Write(ctx context.Context, m jsonrpc.Message) error {
	s := t.s
	switch m := m.(type) {
	case *jsonrpc.Response:
		if c, ok := s.calls.Load(m.ID.Raw()); ok {
			c.(*call).done <- m
		}
	case *jsonrpc.Request:
		c, _ := ctx.Value(callKey{}).(*call)
		if m.ID.IsValid() {
			go s.ask(ctx, m, c)
			return nil
		}
		return s.notify(m, c)
	}
	return nil
}

// notify sends a notification to the client, through its request if there is one.
func (s *session) notify(m *jsonrpc.Request, c *call) error {
	if m.Method == "notifications/cancelled" {
		return nil // the context of the canceled request has ended
	}
	params := m.Params
	if name := subscription(params); name != "" {
		found, ok := s.calls.Load(name)
		if !ok {
			return nil // the client has canceled the subscription
		}
		c = found.(*call)
		params = c.withClientID(params)
	}
	if c != nil && c.in.Acknowledge != nil && m.Method == rpc.NoteSubscribed {
		return c.in.Acknowledge(json.RawMessage(rawjson.Get(jsontext.Value(params), "notifications")))
	}
	data, err := jsonrpc.EncodeMessage(&jsonrpc.Request{Method: m.Method, Params: params})
	if err != nil {
		return err
	}
	switch {
	case c != nil && c.in.Out != nil:
		return c.in.Out.Send(data)
	case s.client != nil:
		return s.client.Send(data)
	}
	return nil
}

// ask sends a request from go-sdk to the client.
func (s *session) ask(ctx context.Context, m *jsonrpc.Request, c *call) {
	response := &jsonrpc.Response{ID: m.ID}
	failure := errClosed
	if s.client != nil {
		var to engine.Out
		if c != nil {
			to = c.in.Out
		}
		response.Result, failure = s.client.Ask(ctx, to, m.Method, m.Params)
	}
	if failure != nil {
		response.Error = wireError(failure)
	}
	s.send(response)
}

const keySubscription = "io.modelcontextprotocol/subscriptionId"

// subscription returns the name of the call that a notification belongs to, or "".
func subscription(params json.RawMessage) string {
	return rawjson.Text(rawjson.Get(rawjson.Get(jsontext.Value(params), "_meta"), keySubscription))
}

// withClientID replaces the subscription id in params or in a result with the client's id.
func (c *call) withClientID(object json.RawMessage) json.RawMessage {
	if subscription(object) == "" {
		return object
	}
	meta := rawjson.Replace(rawjson.Get(jsontext.Value(object), "_meta"), keySubscription, jsontext.Value(c.in.ID))
	return json.RawMessage(rawjson.Replace(jsontext.Value(object), "_meta", meta))
}

// paramsOf returns the params of a request without the parts of _meta for which go-sdk would reject
// it. For a call to a contract tool, it returns only what middleware uses.
func paramsOf(in *engine.ExtraCall) json.RawMessage {
	if in.Params == nil { // go-sdk would report an invalid request, even for unknown methods
		return json.RawMessage("{}")
	}
	members := rawjson.Parts(jsontext.Value(in.Params))
	if in.Tool != nil {
		members = slices.DeleteFunc(members, func(m rawjson.Member) bool {
			return !slices.Contains([]string{"name", "uri", "ref", "argument", "context", "arguments", "_meta"}, m.Name)
		})
	}
	if i := slices.IndexFunc(members, func(m rawjson.Member) bool { return m.Name == "_meta" }); i >= 0 {
		members[i].Value = metaOf(members[i].Value)
	}
	return json.RawMessage(rawjson.Object(members))
}

// metaOf returns _meta without the members that go-sdk cannot decode. Client capabilities, which it
// requires, become empty.
func metaOf(meta jsontext.Value) jsontext.Value {
	members := rawjson.Parts(meta)
	for i, m := range members {
		if m.Name == mcp.MetaKeyClientCapabilities && !decodes(m.Name, m.Value) {
			members[i].Value = jsontext.Value("{}")
		}
	}
	return rawjson.Object(slices.DeleteFunc(members, func(m rawjson.Member) bool { return !decodes(m.Name, m.Value) }))
}

// decodes reports whether go-sdk can decode a member of _meta.
func decodes(name string, value jsontext.Value) bool {
	var into any
	switch name {
	case "progressToken":
		if into = new(int64); value[0] == '"' {
			into = new(string)
		}
	case mcp.MetaKeyClientInfo:
		into = new(mcp.Implementation)
	case mcp.MetaKeyClientCapabilities:
		into = new(mcp.ClientCapabilities)
	default:
		return json.Unmarshal(value, new(any)) == nil
	}
	return string(value) != "null" && json.Unmarshal(value, new(any)) == nil && json.Unmarshal(value, into) == nil
}
