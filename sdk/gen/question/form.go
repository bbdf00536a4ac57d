package question

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// KindForm asks for a flat object.
const KindForm Kind = "form"

type form struct{ common }

func (form) traits() Traits {
	return Traits{
		Answer: "values for the fields of the form", Prompt: Fields, Source: Struct,
		NoDefault: "is a form, so it cannot have a default", Hint: "delete the tag",
	}
}

// plain converts the value of each field.
func (form) plain(q Spec, content []byte) []byte {
	var object map[string]jsontext.Value
	if len(content) == 0 || content[0] != '{' || jsonv2.Unmarshal(content, &object) != nil {
		return content
	}
	values, converted := rawjson.Parts(jsontext.Value(content)), false
	for i, m := range values {
		for _, f := range q.Fields {
			if value := f.plain(m.Value); f.ID == m.Name && !bytes.Equal(value, m.Value) {
				values[i].Value, converted = value, true
			}
		}
	}
	if !converted {
		return content
	}
	return rawjson.Object(values)
}

// fits reports whether content is an object with q's fields. Names are case-sensitive.
func (form) fits(q Spec, content []byte) bool {
	var object map[string]jsontext.Value
	if len(content) == 0 || content[0] != '{' || jsonv2.Unmarshal(content, &object) != nil {
		return false
	}
	for _, f := range q.Fields {
		value, ok := object[f.ID]
		if !ok && !f.Optional || ok && !f.fits(bytes.TrimSpace(value)) {
			return false
		}
		delete(object, f.ID)
	}
	return len(object) == 0
}

func (form) accepts(q Spec) string {
	parts := make([]string, len(q.Fields))
	for i, f := range q.Fields {
		parts[i] = strconv.Quote(f.ID) + " (" + f.Accepts() + ")"
		if f.Optional {
			parts[i] = "optionally " + parts[i]
		}
	}
	return "an object with " + strings.Join(parts, ", ")
}

func (form) schema(q Spec, how titles) schema {
	s := schema{Type: "object"}
	var fields []rawjson.Member
	for _, f := range q.Fields {
		fields = append(fields, rawjson.Member{Name: f.ID, Value: jsontext.Value(f.schema(how).json())})
		if !f.Optional {
			s.Required = append(s.Required, f.ID)
		}
	}
	s.Properties = json.RawMessage(rawjson.Object(fields))
	return s
}

// wrongField returns the first field whose value in content is invalid, and that value.
func (q Spec) wrongField(content []byte) (f Spec, value json.RawMessage, ok bool) {
	var object map[string]jsontext.Value
	if len(q.Fields) == 0 || jsonv2.Unmarshal(content, &object) != nil {
		return Spec{}, nil, false
	}
	for _, f := range q.Fields {
		if value, ok := object[f.ID]; ok && !f.fits(bytes.TrimSpace(value)) {
			return f, json.RawMessage(value), true
		}
	}
	return Spec{}, nil, false
}
