package jphost

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// request holds the parameters of a tools/call request.
type request struct {
	Options
	id, progressToken int64

	name      string
	arguments json.RawMessage            // an object; anything else is omitted, as in JP
	answers   map[string]json.RawMessage // keyed by question id
}

// line returns the line that JP sends for a call, without a newline (rmcp 1.8.0). It returns an
// error if arguments, answers or options are not JSON.
func (r request) line() ([]byte, error) {
	arguments, err := compact(r.arguments)
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	meta, err := r.meta()
	if err != nil {
		return nil, err
	}
	line := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"_meta":{`, r.id)
	if meta != nil {
		line = fmt.Appendf(line, "%q:%s,%q:%s,", wire.MetaTool, meta[wire.MetaTool], wire.MetaContext, meta[wire.MetaContext])
	}
	if !r.NoGrease {
		line = append(line, `"computer.jp/grease":{"ignore":["me"]},`...)
	}
	line = fmt.Appendf(line, `"progressToken":%d}`, r.progressToken)
	name := quote([]byte(`,"name":`), r.name)
	var args []byte
	if len(arguments) > 0 && arguments[0] == '{' {
		args = append([]byte(`,"arguments":`), arguments...)
	}
	// rmcp sorts params by name if they have extensions, and otherwise writes them in declaration order.
	if meta != nil {
		name, args = args, name
	}
	line = append(append(line, name...), args...)
	return append(line, "}}"...), nil
}

// Meta returns the members that JP adds to the _meta of a call: [wire.MetaTool] and [wire.MetaContext], or nil if the
// version sends none. It returns an error if arguments, answers or options are not JSON.
func (o Options) Meta(tool string, args json.RawMessage, answers map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	return request{Options: o, name: tool, arguments: args, answers: answers}.meta()
}

func (r request) meta() (map[string]json.RawMessage, error) {
	options, err := objectOf(r.ToolOptions[r.name])
	if err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	nothing := options == nil && len(r.answers) == 0 && r.Access == nil && !r.AlwaysMeta
	if r.Version == snapshot || r.Version == Untagged && nothing {
		return nil, nil
	}
	tool, err := r.tool()
	if err != nil {
		return nil, err
	}
	from := r.context()
	if r.Version == Untagged {
		from = r.grease(append(quote([]byte(`{"action":"Run","root":`), r.Root), '}'))
	}
	return map[string]json.RawMessage{wire.MetaTool: tool, wire.MetaContext: from}, nil
}

// tool returns the JSON of the call itself, which JP sends as [wire.MetaTool].
func (r request) tool() ([]byte, error) {
	arguments, err := compact(r.arguments)
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	options, err := objectOf(r.ToolOptions[r.name])
	if err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	answers := make(map[string]json.RawMessage, len(r.answers)+1)
	if !r.NoGrease {
		answers["__grease__"] = json.RawMessage(`"unasked"`)
	}
	maps.Copy(answers, r.answers)
	for id, answer := range answers {
		if answers[id], err = compact(orNull(answer)); err != nil {
			return nil, fmt.Errorf("answer %s: %w", strconv.Quote(id), err)
		}
	}
	return jpdoc.AppendTool(nil, wire.Tool{Name: r.name, Arguments: arguments, Answers: answers, Options: options})
}

// context returns the JSON of the call's context, which JP sends as [wire.MetaContext] and to local tools.
func (r request) context() []byte {
	return r.grease(jpdoc.AppendContext(nil, wire.Context{
		Action: wire.ActionRun, Root: r.Root, Access: r.Access, WorkspaceID: r.WorkspaceID, ConversationID: r.ConversationID,
	}))
}

// grease adds a field to a context, unless NoGrease is set.
func (r request) grease(from []byte) []byte {
	if !r.NoGrease {
		from = append(from[:len(from)-1], `,"grease":null}`...)
	}
	return from
}

// compact removes line breaks, because a newline ends a message. It returns nil for nil.
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

// objectOf returns an object on one line, or nil if it has no members. It returns an error for any other value.
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
	// The error reports invalid UTF-8, which AppendQuote has replaced with U+FFFD.
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}
