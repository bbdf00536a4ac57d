package outline

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxRefs bounds how deep references are followed, which may name what they lie in.
const maxRefs = 5

// Inline returns a schema with its references to definitions of its own, "#/$defs/NAME" and
// "#/definitions/NAME", replaced by what they name. Keywords beside a reference count before those of the
// definition. A schema that cannot be read, or would become larger than 1 MiB, is returned as it is; references that
// lead to themselves and elsewhere stay.
func Inline(schema jsontext.Value) jsontext.Value {
	if !bytes.Contains(schema, []byte(`"$ref"`)) {
		return schema
	}
	var in inliner
	if json.Unmarshal(schema, &in.root) != nil || len(schema) > maxBytes {
		return schema
	}
	if err := in.value(schema, 0); err != nil || in.out.Len() > maxBytes {
		return schema
	}
	return in.out.Bytes()
}

// An inliner writes a schema anew.
type inliner struct {
	root struct {
		Defs        map[string]jsontext.Value `json:"$defs"`
		Definitions map[string]jsontext.Value `json:"definitions"`
	}
	out bytes.Buffer
}

// A member is one of an object.
type member struct {
	name  string
	value jsontext.Value
}

// value writes a value that stands behind so many references. When there is too much, it stops.
func (in *inliner) value(v jsontext.Value, refs int) error {
	if in.out.Len() > maxBytes {
		return nil
	}
	switch v.Kind() {
	case '{':
		list, err := in.members(v, &refs)
		if err != nil {
			return err
		}
		in.out.WriteByte('{')
		for i, m := range list {
			if i > 0 {
				in.out.WriteByte(',')
			}
			name, err := jsontext.AppendQuote(nil, m.name)
			if err != nil {
				return err
			}
			in.out.Write(append(name, ':'))
			if err := in.value(m.value, refs); err != nil {
				return err
			}
		}
		in.out.WriteByte('}')
	case '[':
		var list []jsontext.Value
		if err := json.Unmarshal(v, &list); err != nil {
			return err
		}
		in.out.WriteByte('[')
		for i, one := range list {
			if i > 0 {
				in.out.WriteByte(',')
			}
			if err := in.value(one, refs); err != nil {
				return err
			}
		}
		in.out.WriteByte(']')
	default:
		in.out.Write(v)
	}
	return nil
}

// members returns those of an object, and of the definition that it refers to.
func (in *inliner) members(v jsontext.Value, refs *int) ([]member, error) {
	list, err := membersOf(v)
	for err == nil && *refs < maxRefs {
		i := slices.IndexFunc(list, func(m member) bool { return m.name == "$ref" })
		if i < 0 {
			break
		}
		definition, ok := in.definition(list[i].value)
		if !ok {
			break
		}
		*refs++
		list = slices.Delete(list, i, i+1)
		own := map[string]bool{}
		for _, m := range list {
			own[m.name] = true
		}
		var more []member
		more, err = membersOf(definition)
		list = append(list, slices.DeleteFunc(more, func(m member) bool { return own[m.name] })...)
	}
	return list, err
}

func (in *inliner) definition(ref jsontext.Value) (jsontext.Value, bool) {
	var text string
	if json.Unmarshal(ref, &text) != nil {
		return nil, false // a property of that name
	}
	definitions := in.root.Defs
	name, ok := strings.CutPrefix(text, "#/$defs/")
	if !ok {
		definitions = in.root.Definitions
		name, ok = strings.CutPrefix(text, "#/definitions/")
	}
	v := definitions[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	return v, ok && v.Kind() == '{'
}

func membersOf(object jsontext.Value) ([]member, error) {
	d := jsontext.NewDecoder(bytes.NewReader(object))
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	var list []member
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		m := member{name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		m.value = value.Clone()
		list = append(list, m)
	}
	return list, nil
}
