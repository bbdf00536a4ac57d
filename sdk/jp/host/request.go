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
	id, progressToken int64

	Tool      string
	Arguments json.RawMessage            // an object; anything else is left out of params, as JP does
	Answers   map[string]json.RawMessage // by question id
	Options   json.RawMessage            // an object or nil
	Context   wire.Context               // the Action is set by the profile

	Profile    Profile
	AlwaysMeta bool // send tool and context although there are neither answers nor options

	mode   mode
	grease bool // add keys, fields and answers that no tool knows
}

func (o Options) request(tool string, args json.RawMessage, answers map[string]json.RawMessage) Request {
	return Request{
		Tool: tool, Arguments: args, Answers: answers, Options: o.ToolOptions[tool],
		Context: wire.Context{
			Root: o.Root, Access: o.Access, WorkspaceID: o.WorkspaceID, ConversationID: o.ConversationID,
		},
		Profile: o.Profile, AlwaysMeta: o.AlwaysMeta, mode: o.mode, grease: !o.NoGrease,
	}
}

// line returns the line, without newline, that JP sends for a call (JP RFD D31 and rmcp 1.8.0).
// Arguments, answers and options that are not JSON are an error.
func (r Request) line() ([]byte, error) {
	arguments, err := compact(r.Arguments)
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	meta, err := r.Meta()
	if err != nil {
		return nil, err
	}
	line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"_meta":{`, r.id)
	if meta != nil {
		line = fmt.Appendf(line, "%q:%s,%q:%s,", wire.MetaTool, meta[wire.MetaTool], wire.MetaContext, meta[wire.MetaContext])
	}
	if r.grease {
		line = append(line, `"computer.jp/grease":{"ignore":["me"]},`...)
	}
	line = fmt.Appendf(line, `"progressToken":%d}`, r.progressToken)
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

// Meta returns what JP adds to the _meta of a call (JP RFD D31): [wire.MetaTool] and [wire.MetaContext], or nothing
// where there are neither answers nor options. Arguments, answers and options that are not JSON are an error.
func (r Request) Meta() (map[string]json.RawMessage, error) {
	options, err := objectOf(r.Options)
	if err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	if r.mode != d31 || (options == nil && len(r.Answers) == 0 && !r.AlwaysMeta) {
		return nil, nil
	}
	tool, err := r.tool()
	if err != nil {
		return nil, err
	}
	return map[string]json.RawMessage{wire.MetaTool: tool, wire.MetaContext: r.context()}, nil
}

// tool returns the document of the tool.
func (r Request) tool() ([]byte, error) {
	arguments, err := compact(r.Arguments)
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	options, err := objectOf(r.Options)
	if err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	answers := make(map[string]json.RawMessage, len(r.Answers)+1)
	if r.grease {
		answers["__grease__"] = json.RawMessage(`"nobody asked"`)
	}
	maps.Copy(answers, r.Answers)
	for id, answer := range answers {
		if answers[id], err = compact(orNull(answer)); err != nil {
			return nil, fmt.Errorf("answer %s: %w", strconv.Quote(id), err)
		}
	}
	return wire.AppendTool(nil, wire.Tool{Name: r.Tool, Arguments: arguments, Answers: answers, Options: options})
}

// context returns the document of where the call comes from.
func (r Request) context() []byte {
	var out []byte
	if r.Profile == ProfileSnapshot {
		c := r.Context
		c.Action = wire.ActionRun
		out = wire.AppendContext(nil, c)
	} else {
		out = append(quote([]byte(`{"action":"Run","root":`), r.Context.Root), '}')
	}
	if r.grease {
		out = append(out[:len(out)-1], `,"grease":null}`...)
	}
	return out
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
