package wire

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// value is the text of one JSON value out of a document that passed [Check], so that taking it
// apart cannot fail. A nil value is an absent one.
type value jsontext.Value

type member struct {
	name  string
	value value
}

// parse checks a document and returns its value.
func parse(data []byte) (value, error) {
	if err := Check(data); err != nil {
		return nil, err
	}
	return value(data), nil
}

func (v value) kind() jsontext.Kind { return jsontext.Value(v).Kind() }
func (v value) absent() bool        { return v == nil }
func (v value) null() bool          { return v.kind() == 'n' }

// members returns the fields of an object in order, repeated names included.
func (v value) members() []member {
	var all []member
	dec := newDecoder(v)
	for _, err := dec.ReadToken(); err == nil && dec.PeekKind() != '}'; {
		name, err := dec.ReadToken()
		if err != nil {
			break
		}
		m := member{name: name.String()}
		if m.value = v.next(dec); m.value == nil {
			break
		}
		all = append(all, m)
	}
	return all
}

// elements returns the items of an array.
func (v value) elements() []value {
	all := []value{}
	dec := newDecoder(v)
	for _, err := dec.ReadToken(); err == nil && dec.PeekKind() != ']'; {
		item := v.next(dec)
		if item == nil {
			break
		}
		all = append(all, item)
	}
	return all
}

// next returns the decoder's next value as a slice of v, which outlives the decoder.
func (v value) next(dec *jsontext.Decoder) value {
	raw, err := dec.ReadValue()
	if err != nil {
		return nil
	}
	end := int(dec.InputOffset())
	return v[end-len(raw) : end : end]
}

func (v value) text() string {
	text, _ := jsontext.AppendUnquote(nil, v)
	return string(text)
}

// typeName names the JSON type of v, with its article, for a message.
func (v value) typeName() string {
	switch v.kind() {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '[':
		return "an array"
	case '{':
		return "an object"
	}
	return "nothing"
}

func (v value) wrongType(key, want string) error {
	return &Error{Code: CodeType, Key: key, Want: want, Got: v.typeName()}
}

func (v value) asString(key string) (string, error) {
	if v.absent() {
		return "", &Error{Code: CodeMissing, Key: key, Want: "a string"}
	}
	if v.kind() != '"' {
		return "", v.wrongType(key, "a string")
	}
	return v.text(), nil
}

func (v value) asBool(key string) (bool, error) {
	if v.absent() {
		return false, &Error{Code: CodeMissing, Key: key, Want: "a boolean"}
	}
	if k := v.kind(); k != 't' && k != 'f' {
		return false, v.wrongType(key, "a boolean")
	}
	return v.kind() == 't', nil
}

// asStrings returns a list of strings, never nil.
func (v value) asStrings(key string) ([]string, error) {
	if v.absent() {
		return nil, &Error{Code: CodeMissing, Key: key, Want: "an array of strings"}
	}
	if v.kind() != '[' {
		return nil, v.wrongType(key, "an array of strings")
	}
	texts := []string{}
	for i, item := range v.elements() {
		text, err := item.asString(key + "." + strconv.Itoa(i))
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}
