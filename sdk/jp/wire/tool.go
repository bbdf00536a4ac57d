package wire

import (
	"encoding/json"
	"maps"
	"slices"
)

// Tool is the call itself: what a host sends under [MetaTool], or hands to a local tool.
type Tool struct {
	// Name of the tool as the host knows it; not necessarily the name called.
	Name string
	// Arguments is a JSON object as it came, or nil.
	Arguments json.RawMessage
	// Answers has what was answered so far by question id, and possibly answers to questions that
	// nobody asked. A value may be any JSON, null included.
	Answers map[string]json.RawMessage
	// Options is the JSON object that the user configured for the tool, as it came, or nil.
	Options json.RawMessage
}

var toolLayout = layout{fields: []string{"name", "arguments", "answers", "options"}}

// ReadTool reads a tool of which every field may be missing or null, and so may the whole. Unknown
// fields are ignored. A repeated field or a wrong type is an [*Error] that names the field.
// Of an answer that is given twice the last one counts, as for serde's maps.
func ReadTool(raw []byte) (Tool, error) {
	r, err := readLoose(raw, toolLayout)
	if err != nil {
		return Tool{}, err
	}
	t := Tool{
		Name:      orZero(opt(r, "name", value.asString)),
		Arguments: orZero(opt(r, "arguments", asObject)),
		Answers:   orZero(opt(r, "answers", asMap)),
		Options:   orZero(opt(r, "options", asObject)),
	}
	if r.err != nil {
		return Tool{}, r.err
	}
	return t, nil
}

func asObject(v value, key string) (json.RawMessage, error) {
	if v.kind() != '{' {
		return nil, v.wrongType(key, "an object")
	}
	return slices.Clone(json.RawMessage(v)), nil
}

func asMap(v value, key string) (map[string]json.RawMessage, error) {
	if v.kind() != '{' {
		return nil, v.wrongType(key, "an object")
	}
	all := make(map[string]json.RawMessage)
	for _, m := range v.members() {
		all[m.name] = slices.Clone(json.RawMessage(m.value))
	}
	return all, nil
}

// AppendTool appends t: four fields in order, answers sorted by id, nil fields as {}. Raw fields
// go out as they are; one that is not JSON is a CodeSyntax error and dst comes back as given.
func AppendTool(dst []byte, t Tool) ([]byte, error) {
	start := len(dst)
	dst = appendString(append(dst, `{"name":`...), t.Name)
	dst, err := appendRaw(append(dst, `,"arguments":`...), t.Arguments, "arguments")
	if err != nil {
		return dst[:start], err
	}
	dst = append(dst, `,"answers":{`...)
	for i, id := range slices.Sorted(maps.Keys(t.Answers)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, id), ':')
		if dst, err = appendRaw(dst, t.Answers[id], join("answers", id)); err != nil {
			return dst[:start], err
		}
	}
	dst, err = appendRaw(append(dst, `},"options":`...), t.Options, "options")
	if err != nil {
		return dst[:start], err
	}
	return append(dst, '}'), nil
}

func appendRaw(dst []byte, raw json.RawMessage, key string) ([]byte, error) {
	if raw == nil {
		return append(dst, "{}"...), nil
	}
	if err := Check(raw); err != nil {
		return dst, within(err, key)
	}
	return append(dst, raw...), nil
}
