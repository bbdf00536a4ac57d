// Package rawjson reads and writes JSON without decoding all of it.
package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Quote returns text as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func Quote(text string) jsontext.Value {
	v, _ := jsontext.AppendQuote(nil, text) // the error only reports replaced bytes
	return v
}

// Encode is like [json.Marshal] but does not escape <, > and &.
func Encode(v any) ([]byte, error) {
	text, err := encode(v, "")
	return bytes.TrimSuffix(text, []byte("\n")), err
}

// EncodeIndented is like [Encode] with indentation. The result ends in a newline.
func EncodeIndented(v any) ([]byte, error) { return encode(v, "  ") }

func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.Bytes(), err
}

// A Member is a member of an object, or an element of an array, which has an empty name.
type Member struct {
	Name  string
	Value jsontext.Value
}

// Object returns an object with the members, without white space between them.
func Object(members []Member) jsontext.Value {
	object := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			object = append(object, ',')
		}
		object = append(append(append(object, Quote(m.Name)...), ':'), m.Value...)
	}
	return append(object, '}')
}

// Array returns an array of the members' values.
func Array(members []Member) jsontext.Value {
	array := []byte{'['}
	for i, m := range members {
		if i > 0 {
			array = append(array, ',')
		}
		array = append(array, m.Value...)
	}
	return append(array, ']')
}

// Get returns the value of the first member with the given name, or nil if the object lacks it.
func Get(object jsontext.Value, name string) jsontext.Value {
	for _, m := range Parts(object) {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Replace returns an object in which the members with the given name have the given value.
func Replace(object jsontext.Value, name string, value jsontext.Value) jsontext.Value {
	members := Parts(object)
	for i := range members {
		if members[i].Name == name {
			members[i].Value = value
		}
	}
	return Object(members)
}

// Text returns the content of a JSON string, or "" for other values.
func Text(v jsontext.Value) string {
	text, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return ""
	}
	return string(text)
}

// Unpacked returns the object in a string that contains one, and other values unchanged. Models send such strings,
// and tools accept them.
func Unpacked(v jsontext.Value) jsontext.Value {
	if inner := jsontext.Value(Text(v)); inner.Kind() == '{' {
		return inner
	}
	return v
}

// Members returns the members of an object in order, including members with repeated names. The values share
// memory with object.
func Members(object []byte) ([]Member, error) {
	v := jsontext.Value(object)
	if v.Kind() != '{' || !v.IsValid(jsontext.AllowDuplicateNames(true)) {
		return nil, errors.New("not a JSON object")
	}
	return Parts(v), nil
}

// Parts returns the members of an object, or the elements of an array, of valid JSON. Other values have none.
func Parts(v jsontext.Value) (list []Member) {
	if k := v.Kind(); k != '{' && k != '[' {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(v), jsontext.AllowDuplicateNames(true))
	_, _ = d.ReadToken() // opens v; reading valid JSON cannot fail
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		var m Member
		if v.Kind() == '{' {
			name, err := d.ReadToken()
			if err != nil {
				return list
			}
			m.Name = name.String()
		}
		value, err := d.ReadValue()
		if err != nil {
			return list
		}
		// Use a part of v, which stays valid after the decoder has finished.
		end := int(d.InputOffset())
		m.Value = v[end-len(value) : end : end]
		list = append(list, m)
	}
	return list
}

// NoMark returns text without a leading byte order mark, which some editors and shells write, and which a reader
// of JSON may ignore (RFC 8259, section 8.1).
func NoMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) }

// Mend returns the JSON text of a value whose strings contain escapes of lone surrogates, such as \ud83d, with the
// replacement character in their place. It returns false for other text that is not valid JSON.
func Mend(text []byte) (mended []byte, ok bool) {
	if !utf8.Valid(text) {
		return nil, false
	}
	mended, err := jsontext.AppendFormat(nil, text, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	return mended, err == nil
}

// Depth returns the nesting depth of arrays and objects in valid JSON.
func Depth(data []byte) (deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}
