// Package rawjson reads and writes JSON without decoding all of it.
package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Quote returns a text as a JSON string. Bytes that are not UTF-8 become U+FFFD.
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

// A Member is a member of an object.
type Member struct {
	Name  string
	Value jsontext.Value
}

// Members returns the members of an object in order, including those with repeated names.
func Members(object []byte) ([]Member, error) {
	d := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true))
	if d.PeekKind() != '{' {
		return nil, errors.New("not a JSON object")
	}
	_, _ = d.ReadToken() // the opening brace
	var list []Member
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		m := Member{Name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		m.Value = value.Clone()
		list = append(list, m)
	}
	if _, err := d.ReadToken(); err != nil { // the closing brace
		return nil, err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than a JSON object")
	}
	return list, nil
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
