package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/jp/wire"
)

// Request is everything that one tools/call is made of.
type Request struct {
	ID            int64
	ProgressToken int64

	Tool      string
	Arguments json.RawMessage            // an object; anything else is left out of params, as JP does
	Answers   map[string]json.RawMessage // by question id
	Options   json.RawMessage            // an object or nil
	Context   wire.Context               // the Action is set by the profile

	Mode       Mode
	Profile    Profile
	AlwaysMeta bool // send tool and context although there are neither answers nor options
	Grease     bool // add keys, fields and answers that no tool knows
}

// BuildRequest returns the line, without newline, that JP sends for a call (JP RFD D31 and rmcp
// 1.8.0). A snapshot host, and a D31 host with neither answers nor options, send the progress token
// alone; otherwise both [wire.MetaTool] and [wire.MetaContext] go along. Arguments, answers and
// options that are not JSON are an error.
func BuildRequest(r Request) ([]byte, error) {
	arguments, err := compact(r.Arguments)
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	meta, err := r.meta(arguments)
	if err != nil {
		return nil, err
	}
	line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"_meta":{`, r.ID)
	line = append(line, meta...)
	if r.Grease {
		line = append(line, `"computer.jp/grease":{"ignore":["me"]},`...)
	}
	line = fmt.Appendf(line, `"progressToken":%d}`, r.ProgressToken)
	name := quote([]byte(`,"name":`), r.Tool)
	var args []byte
	if len(arguments) > 0 && arguments[0] == '{' {
		args = append([]byte(`,"arguments":`), arguments...)
	}
	// rmcp writes params that got extensions sorted by name, and others as declared.
	if meta != nil {
		name, args = args, name
	}
	line = append(append(line, name...), args...)
	return append(line, "}}"...), nil
}

// meta returns what D31 adds to _meta, each member with a comma after it, or nil.
func (r Request) meta(arguments json.RawMessage) ([]byte, error) {
	options, err := objectOf(r.Options)
	if err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	if r.Mode != D31 || (options == nil && len(r.Answers) == 0 && !r.AlwaysMeta) {
		return nil, nil
	}
	out, err := r.appendTool([]byte(`"`+wire.MetaTool+`":`), arguments, options)
	if err != nil {
		return nil, err
	}
	out = append(out, `,"`+wire.MetaContext+`":`...)
	return append(r.appendContext(out), ','), nil
}

// appendTool appends the document of the tool, with arguments and options as they are compact.
func (r Request) appendTool(dst []byte, arguments, options json.RawMessage) ([]byte, error) {
	answers := make(map[string]json.RawMessage, len(r.Answers)+1)
	if r.Grease {
		answers["__grease__"] = json.RawMessage(`"nobody asked"`)
	}
	maps.Copy(answers, r.Answers)
	for id, answer := range answers {
		if answer == nil {
			answer = json.RawMessage("null")
		}
		var err error
		if answers[id], err = compact(answer); err != nil {
			return nil, fmt.Errorf("answer %s: %w", strconv.Quote(id), err)
		}
	}
	return wire.AppendTool(dst, wire.Tool{Name: r.Tool, Arguments: arguments, Answers: answers, Options: options})
}

func (r Request) appendContext(dst []byte) []byte {
	if r.Profile == ProfileSnapshot {
		c := r.Context
		c.Action = wire.ActionRun
		dst = wire.AppendContext(dst, c)
	} else {
		dst = quote(append(dst, `{"action":"Run","root":`...), r.Context.Root)
		dst = append(dst, '}')
	}
	if r.Grease {
		dst = append(dst[:len(dst)-1], `,"grease":null}`...)
	}
	return dst
}

// compact puts a value on one line, since a newline ends the message. Nil stays nil.
func compact(raw json.RawMessage) (json.RawMessage, error) {
	if raw == nil {
		return nil, nil
	}
	if err := wire.Check(raw); err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	if err := json.Compact(&buf, raw); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// objectOf returns an object on one line, nil for one without members, and refuses anything else.
func objectOf(raw json.RawMessage) (json.RawMessage, error) {
	raw, err := compact(raw)
	switch {
	case err != nil:
		return nil, err
	case raw == nil || string(raw) == "null" || string(raw) == "{}":
		return nil, nil
	case raw[0] != '{':
		return nil, errors.New("expected an object")
	}
	return raw, nil
}

func quote(dst []byte, s string) []byte {
	// The error reports bytes that are not UTF-8, which have become U+FFFD by then.
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}
