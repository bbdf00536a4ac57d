package stdio

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// go-sdk decodes the params of a call several times over before a handler sees
// them, each time through a buffer of 32 KiB, which is most of what a small call
// costs. A call that needs nothing of that goes to it under MethodCall, without
// params; what was read of it here travels beside the request. Everything else of
// go-sdk stays: cancellation, concurrency, middleware, lifecycle.

// MethodCall is the method under which a [Call] reaches middleware. A client that
// sends it gets the error of a method that does not exist.
const MethodCall = "jptool/call"

const (
	methodCall = "tools/call"
	methodList = "tools/list"
)

// A Call is a tools/call as this transport read it.
type Call struct {
	Name      string
	Arguments json.RawMessage
	// Meta is the text of _meta, nil for none.
	Meta json.RawMessage
	// Version is the protocol version that the request itself names, "" for none.
	Version string
	// Elicitation is the text of the client's elicitation capability as the request
	// itself declares it, nil for none.
	Elicitation json.RawMessage
	// ProgressToken is the text of the token, nil for none.
	ProgressToken json.RawMessage
}

// CallOf returns the call beside a request of [MethodCall], nil for none.
func CallOf(extra *mcp.RequestExtra) *Call {
	if b := besideOf(extra); b != nil {
		return b.call
	}
	return nil
}

const (
	keyVersion      = "io.modelcontextprotocol/protocolVersion"
	keyCapabilities = "io.modelcontextprotocol/clientCapabilities"
	keyLogLevel     = "io.modelcontextprotocol/logLevel"

	// roundsVersion is the one version known here in which a request says for itself
	// who sends it. What go-sdk has to say about others, it says.
	roundsVersion = "2026-07-28"
)

// readCall returns the call that params hold, nil for one that go-sdk must judge: a
// later round, one that wants to hear what is logged, a shape that is not MCP's, or a protocol version that is not known
// here. The error is that of a name that stands twice.
func readCall(params jsontext.Value) (*Call, error) {
	c := new(Call)
	err := eachMember(params, func(name []byte, value jsontext.Value) bool {
		switch string(name) {
		case "name":
			var isString bool
			c.Name, isString = unquoted(value)
			return isString
		case "arguments":
			c.Arguments = json.RawMessage(value)
			return true
		case "_meta":
			c.Meta = json.RawMessage(value)
			return value.Kind() == 'n' || value.Kind() == '{' && c.readMeta(value)
		}
		return string(name) != "inputResponses" && string(name) != "requestState"
	})
	if err == errTwice {
		return nil, err
	}
	if err != nil || c.Name == "" {
		return nil, nil
	}
	return c, nil
}

func (c *Call) readMeta(meta jsontext.Value) bool {
	capable := false
	err := eachMember(meta, func(name []byte, value jsontext.Value) bool {
		switch string(name) {
		case "progressToken":
			if k := value.Kind(); k == '"' || k == '0' {
				c.ProgressToken = json.RawMessage(value)
			}
			return value.Kind() != '{' && value.Kind() != '['
		case keyLogLevel:
			return false // go-sdk keeps the level
		case keyVersion:
			var isString bool
			c.Version, isString = unquoted(value)
			return isString
		case keyCapabilities:
			capable = value.Kind() == '{'
			return capable && nil == eachMember(value, func(name []byte, value jsontext.Value) bool {
				if string(name) == "elicitation" && value.Kind() == '{' {
					c.Elicitation = json.RawMessage(value)
				}
				return true
			})
		}
		return true
	})
	return err == nil && (c.Version == "" || capable && c.Version == roundsVersion)
}

// common are strings that stand in nearly every message.
var common = [...]string{"2.0", methodCall, roundsVersion}

// unquoted returns the text of a JSON string.
func unquoted(value jsontext.Value) (string, bool) {
	if value.Kind() != '"' {
		return "", false
	}
	for _, text := range common {
		if string(value[1:len(value)-1]) == text {
			return text, true
		}
	}
	text, err := jsontext.AppendUnquote(nil, value)
	return string(text), err == nil
}

// shortcut turns req into a request of [MethodCall], if it is a call that can go
// that way: the session must have begun, which go-sdk sees by params alone.
func (c *conn) shortcut(req *jsonrpc.Request) error {
	call, err := readCall(jsontext.Value(req.Params))
	if err != nil || call == nil || !c.begun.Load() {
		return err
	}
	req.Method, req.Params, req.Extra = MethodCall, nil, (&beside{call: call}).extra()
	return nil
}
