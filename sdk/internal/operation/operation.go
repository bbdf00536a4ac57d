// Package operation names the requests of clients as OpenTelemetry's conventions for MCP do
// (https://github.com/open-telemetry/semantic-conventions-genai, status development, model/mcp at commit
// 5c50d346f1c9e8f745889f7777a412991564b334).
//
// Every name has a bounded number of values, whatever clients send: names that the contract does not have are left out.
package operation

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// Duration is the name of the histogram of the durations of requests, in seconds.
const Duration = "mcp.server.operation.duration"

// Bounds are the upper bounds of the buckets of [Duration].
var Bounds = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}

// Keys of attributes. Those that start with jptool are not in the conventions.
const (
	KeyMethod          = "mcp.method.name"
	KeyVersion         = "mcp.protocol.version"
	KeySession         = "mcp.session.id"
	KeyURI             = "mcp.resource.uri"
	KeyOperation       = "gen_ai.operation.name"
	KeyTool            = "gen_ai.tool.name"
	KeyPrompt          = "gen_ai.prompt.name"
	KeyError           = "error.type"
	KeyStatus          = "rpc.response.status_code"
	KeyID              = "jsonrpc.request.id"
	KeyNetwork         = "network.transport"
	KeyProtocol        = "network.protocol.name"
	KeyProtocolVersion = "network.protocol.version"
	KeyClient          = "client.address"
	KeyClientPort      = "client.port"
	KeyFault           = "jptool.fault.code"
)

const (
	// ExecuteTool is the value of [KeyOperation] for calls of tools.
	ExecuteTool = "execute_tool"
	toolError   = "tool_error" // of every result with isError
	other       = "_OTHER"     // a value that is not among the known ones
)

// known are the methods of MCP that a client may send. Others are named [other].
var known = map[string]bool{
	"initialize": true, "ping": true, "server/discover": true, "logging/setLevel": true, "completion/complete": true,
	"tools/list": true, "tools/call": true, "prompts/list": true, "prompts/get": true, "resources/list": true,
	"resources/templates/list": true, "resources/read": true, "resources/subscribe": true,
	"resources/unsubscribe": true, "subscriptions/listen": true, "skills/list": true, "skills/get": true,
	"tasks/get": true, "tasks/update": true, "tasks/cancel": true, "notifications/initialized": true,
	"notifications/cancelled": true, "notifications/progress": true, "notifications/roots/list_changed": true,
}

// A Key is what metrics know of a request: the values of attributes, or "" for those that it does not have.
type Key struct {
	Method, Tool, Prompt, Version, Network, Protocol, ProtocolVersion string
	Error, Status, Fault                                              string
}

// An Attribute is an attribute of a request.
type Attribute struct{ Key, Value string }

// Attributes returns the attributes that the request has, sorted.
func (k Key) Attributes() []Attribute {
	return slices.DeleteFunc(k.all(), func(a Attribute) bool { return a.Value == "" })
}

// All returns the keys of all attributes that a request can have, sorted.
func All() (keys []string) {
	for _, a := range (Key{}).all() {
		keys = append(keys, a.Key)
	}
	return keys
}

func (k Key) all() []Attribute {
	operation := ""
	if k.Method == rpc.MethodCall {
		operation = ExecuteTool
	}
	return []Attribute{
		{KeyError, k.Error}, {KeyOperation, operation}, {KeyPrompt, k.Prompt}, {KeyTool, k.Tool}, {KeyFault, k.Fault},
		{KeyMethod, k.Method}, {KeyVersion, k.Version}, {KeyProtocol, k.Protocol},
		{KeyProtocolVersion, k.ProtocolVersion}, {KeyNetwork, k.Network}, {KeyStatus, k.Status},
	}
}

// Target returns the name of what is called or got, or "".
func (k Key) Target() string { return k.Tool + k.Prompt }

// Names are the names of a server.
type Names struct{ codes map[fault.Code]bool }

// Of returns the names of a server.
func Of(c *manifest.Server) *Names {
	n := &Names{map[fault.Code]bool{}}
	declare := func(codes []string) {
		for _, code := range codes {
			n.codes[fault.Code(code)] = true
		}
	}
	for _, code := range fault.Base() {
		n.codes[code] = true
	}
	for i := range c.Tools {
		declare(c.Tools[i].Fails)
	}
	for i := range c.Resources {
		declare(c.Resources[i].Fails)
	}
	for i := range c.Templates {
		declare(c.Templates[i].Fails)
	}
	for i := range c.Prompts {
		declare(c.Prompts[i].Fails)
	}
	return n
}

// Begin returns the key of a request that has begun.
func (n *Names) Begin(r *handler.Request) Key {
	k := Key{Method: r.Method, Version: r.Version, Network: r.Network, Protocol: r.Protocol}
	if !known[k.Method] {
		k.Method = other
	}
	if !wires.Speaks(k.Version) {
		k.Version = ""
	}
	switch r.ProtocolVersion {
	case "1.0", "1.1", "2", "3":
		k.ProtocolVersion = r.ProtocolVersion
	}
	switch r.Kind {
	case handler.Callable:
		k.Tool = r.Name
	case handler.Prompt:
		k.Prompt = r.Name
	}
	return k
}

// End adds to the key of a request how it ended: ran is the outcome of its handler, and err that of the request. It
// returns the message of a failure, which is one of the protocol or has a code that the contract declares.
func (n *Names) End(k *Key, ran, err error) (message string) {
	if f := failure(ran); f != nil {
		k.Fault = n.Code(f)
	}
	if refused, ok := errors.AsType[*rpc.Error](err); ok {
		k.Status = statusOf(refused.Code)
		if isFailure(refused.Code) {
			k.Error = k.Status
		}
		return refused.Message
	}
	switch f := failure(err); {
	case f == nil:
	case errors.Is(err, context.Canceled) && k.Fault == "":
		k.Error = string(fault.Canceled)
	default:
		if k.Error = toolError; k.Fault == "" {
			k.Fault = n.Code(f)
		}
	}
	return ""
}

// Code returns the code of a fault, or [other] for a code that nothing declares.
func (n *Names) Code(f *fault.Error) string {
	if n.codes[f.Code] {
		return string(f.Code)
	}
	return other
}

// failure returns the fault of an outcome, or nil if it is a result or a question.
func failure(err error) *fault.Error {
	if _, asks := err.(*question.Pending); asks {
		return nil
	}
	return fault.From(err)
}

// isFailure reports whether an error of the protocol is one of the server, and not of its client.
func isFailure(code int) bool {
	const notFound = -32002 // of resources, in versions with sessions
	return !slices.Contains([]int{rpc.CodeParse, -32600, -32601, rpc.CodeInvalidParams, notFound}, code)
}

// statusOf returns an error code as text. Codes outside of the ranges of JSON-RPC are programs' own.
func statusOf(code int) string {
	if code < -32768 || code > -32000 {
		return other
	}
	return strconv.Itoa(code)
}
