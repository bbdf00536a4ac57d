package stdio

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// go-sdk decodes the params of a call several times over before a handler sees
// them, each time through a buffer of 32 KiB, and starts two goroutines for it:
// together most of what a small call costs. So a call whose tool belongs to a
// [Handler] goes to it straight from here, once go-sdk has opened the session.

const (
	methodCall  = "tools/call"
	methodList  = "tools/list"
	methodLevel = "logging/setLevel"

	methodInitialize = "initialize"
	methodPing       = "ping"
)

// A Handler answers calls of its tools, several at a time.
type Handler interface {
	// Has reports whether a tool of that name is the handler's.
	Has(name []byte) bool
	// Answer appends the result of a call to dst: one JSON object on one line. It
	// must not keep in or dst.
	Answer(ctx context.Context, in *Call, dst []byte) ([]byte, error)
}

// A Call is a tools/call as this transport read it. Its parts alias the message.
type Call struct {
	Name      []byte
	Arguments json.RawMessage
	// Meta is the text of _meta, nil for none.
	Meta json.RawMessage
	// Version is the protocol version that the request itself names, "" for none.
	Version string
	// Elicitation is the text of the client's elicitation capability as the request
	// itself declares it, nil for none.
	Elicitation json.RawMessage
	// ProgressToken is the text of the token, a string or an integer, nil for none.
	ProgressToken json.RawMessage
}

const (
	keyVersion      = "io.modelcontextprotocol/protocolVersion"
	keyCapabilities = "io.modelcontextprotocol/clientCapabilities"
	keyLogLevel     = "io.modelcontextprotocol/logLevel"

	// roundsVersion is the one version known here in which a request says for itself
	// who sends it. What go-sdk has to say about others, it says.
	roundsVersion = "2026-07-28"
)

// readParams reads the params of a message, an object. They are at the same time read
// as those of a call: e.odd says that go-sdk must judge them if it is one, since they
// are those of a later round, of one that wants to hear what is logged, not of MCP's
// shape, or of a protocol version that is not known here.
func (e *envelope) readParams(r *reader) error {
	c := &e.call
	text, once, err := r.object(func(name []byte) error {
		if string(name) == "_meta" && r.kind() == '{' {
			return e.readMeta(r)
		}
		value, err := r.value()
		if err != nil {
			return err
		}
		switch string(name) {
		case "name":
			var isString bool
			c.Name, isString = unquoted(value)
			e.odd = e.odd || !isString
		case "arguments":
			c.Arguments = json.RawMessage(value)
		case "_meta":
			e.metaless = value.Kind() != 'n'
			e.odd = e.odd || e.metaless
		case "inputResponses", "requestState":
			e.odd = true
		}
		// Arguments are judged by the tool, and answered as its result.
		if string(name) != "arguments" && value.Kind() == '{' {
			e.twice = e.twice || !value.IsValid()
		}
		return nil
	})
	e.params, e.twice = text, e.twice || !once
	return err
}

func (e *envelope) readMeta(r *reader) error {
	c, capable := &e.call, false
	text, once, err := r.object(func(name []byte) error {
		if string(name) == keyCapabilities && r.kind() == '{' {
			capable = true
			return e.readCapabilities(r)
		}
		value, err := r.value()
		if err != nil {
			return err
		}
		switch string(name) {
		case "progressToken":
			if isToken(value) {
				c.ProgressToken = json.RawMessage(value)
			}
		case keyVersion:
			e.named = value
			if version, _ := unquoted(value); string(version) == roundsVersion {
				c.Version = roundsVersion
			} else {
				e.odd = true
			}
		case keyLogLevel, keyCapabilities: // go-sdk keeps the level
			e.odd = true
		}
		return nil
	})
	c.Meta = json.RawMessage(text)
	e.twice = e.twice || !once
	e.odd = e.odd || c.Version != "" && !capable
	return err
}

func (e *envelope) readCapabilities(r *reader) error {
	_, once, err := r.object(func(name []byte) error {
		value, err := r.value()
		if string(name) == "elicitation" && value.Kind() == '{' {
			e.call.Elicitation = json.RawMessage(value)
		}
		return err
	})
	e.twice = e.twice || !once
	return err
}

// isToken reports whether a value can be a progress token: a string or an integer. What
// is another asks for no progress, since a client could not read what it would get.
func isToken(value jsontext.Value) bool {
	return value.Kind() == '"' || value.Kind() == '0' && isInteger(value)
}

// isInteger reports whether a number is an integer, however large and however written.
func isInteger(number jsontext.Value) bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(number)), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	fraction = strings.TrimRight(fraction, "0")
	if exponent == "" {
		return fraction == ""
	}
	shift, err := strconv.Atoi(exponent)
	digits := strings.TrimRight(whole+fraction, "0")
	if strings.Trim(digits, "-0") == "" {
		return true
	}
	if err != nil { // longer than any number of digits
		return exponent[0] != '-'
	}
	return shift >= len(digits)-len(whole)
}

// unquoted returns the text of a JSON string.
func unquoted(value jsontext.Value) ([]byte, bool) {
	if value.Kind() != '"' {
		return nil, false
	}
	inner := value[1 : len(value)-1]
	for _, c := range inner {
		if c == '\\' {
			text, err := jsontext.AppendUnquote(nil, value)
			return text, err == nil
		}
	}
	return inner, true
}
