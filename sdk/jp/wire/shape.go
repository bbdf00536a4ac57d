package wire

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

// A shape checks a JSON value as serde does; nil is an absent value. It returns the value in the form that Go
// decodes: structs are objects, with only their own members, each once and not null.
type shape func(v jsontext.Value) (jsontext.Value, error)

type field struct {
	name  string
	mode  mode
	shape shape
}

// renamed maps JSON names to the names of Go fields that differ in more than case and underscores.
var renamed = map[string]string{"lexical_path": "Path", "approved_target": "Target"}

// A mode determines which values a field may have in addition to those of its shape.
type mode byte

const (
	required mode = 0
	mayLack  mode = 1 << iota // may be absent
	mayNull                   // may be null, or absent from an object
	lax      = mayLack | mayNull
)

// ofKind returns the shape of all values of some JSON types.
func ofKind(want string, kinds ...jsontext.Kind) shape {
	return func(v jsontext.Value) (jsontext.Value, error) {
		if !slices.Contains(kinds, v.Kind()) {
			return nil, mismatch(want, v)
		}
		return v, nil
	}
}

var (
	text      = ofKind("a string", '"')
	boolean   = ofKind("a boolean", 't', 'f')
	anyObject = ofKind("an object", '{')
)

// port accepts only digits: 80.0 and 8e1 are floats in serde.
func port(v jsontext.Value) (jsontext.Value, error) {
	const want = "an integer from 0 to 65535"
	if v.Kind() != '0' {
		return nil, mismatch(want, v)
	}
	if _, err := strconv.ParseUint(string(v), 10, 16); err != nil {
		return nil, fmt.Errorf("expected %s, got %s", want, phrase.Quoted(string(v), 40))
	}
	return v, nil
}

func list(item shape) shape {
	return func(v jsontext.Value) (jsontext.Value, error) {
		if v.Kind() != '[' {
			return nil, mismatch("an array", v)
		}
		items := rawjson.Parts(v)
		for i, m := range items {
			value, err := item(m.Value)
			if err != nil {
				return nil, at(strconv.Itoa(i), err)
			}
			items[i].Value = value
		}
		return rawjson.Array(items), nil
	}
}

// object returns the shape of an object with these fields. Unknown members are ignored.
func object(fields ...field) shape {
	return func(v jsontext.Value) (jsontext.Value, error) {
		if v.Kind() != '{' {
			return nil, mismatch("an object", v)
		}
		out := append(make([]byte, 0, len(v)), '{')
		given := rawjson.Parts(v)
		for _, f := range fields {
			var value jsontext.Value
			for _, m := range given {
				switch {
				case m.Name != f.name:
				case value != nil:
					return nil, at(f.name, errors.New("duplicate member"))
				default:
					value = m.Value
				}
			}
			if value == nil && f.mode != required || value.Kind() == 'n' && f.mode&mayNull != 0 {
				continue
			}
			value, err := f.shape(value)
			if err != nil {
				return nil, at(f.name, err)
			}
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(strconv.AppendQuote(out, cmp.Or(renamed[f.name], f.name)), ':')
			out = append(out, value...)
		}
		return append(out, '}'), nil
	}
}

// record is like object, but for a struct of JP, which serde also accepts as an array of its fields.
func record(fields ...field) shape {
	named := object(fields...)
	return func(v jsontext.Value) (jsontext.Value, error) {
		if v.Kind() != '[' {
			return named(v)
		}
		items := rawjson.Parts(v)
		if len(items) > len(fields) {
			return nil, fmt.Errorf("expected %d elements, got %d", len(fields), len(items))
		}
		for i, f := range fields {
			if i < len(items) {
				items[i].Name = f.name
			} else if f.mode&mayLack == 0 {
				return nil, at(f.name, mismatch("an element", nil))
			}
		}
		return named(rawjson.Object(items))
	}
}

// taggedEnum returns the shape of a Rust enum whose variants have these fields after the field "type".
func taggedEnum(variants map[string][]field) shape {
	shapes := make(map[string]shape, len(variants))
	for tag, fields := range variants {
		shapes[tag] = record(append([]field{{"type", required, text}}, fields...)...)
	}
	return func(v jsontext.Value) (jsontext.Value, error) {
		tag := rawjson.Get(v, "type")
		if items := rawjson.Parts(v); v.Kind() == '[' && len(items) > 0 {
			tag = items[0].Value
		}
		if variant, ok := shapes[rawjson.Text(tag)]; ok {
			return variant(v)
		}
		return nil, at("type", errors.New("unknown variant"))
	}
}

type problem struct{ path, text string }

func (p *problem) Error() string { return p.path + ": " + p.text }

// at returns err with the name of the part that contains the problem.
func at(part string, err error) error {
	if p, ok := errors.AsType[*problem](err); ok {
		return &problem{part + "." + p.path, p.text}
	}
	return &problem{part, err.Error()}
}

// mismatch returns the error for a value that is missing or has another type, without the value.
func mismatch(want string, v jsontext.Value) error {
	got := "a " + v.Kind().String() // the switch handles all kinds but strings and numbers
	switch v.Kind() {
	case 'n':
		got = "null"
	case 't', 'f':
		got = "a boolean"
	case '[':
		got = "an array"
	case '{':
		got = "an object"
	}
	if v == nil {
		return errors.New("missing, expected " + want)
	}
	return fmt.Errorf("expected %s, got %s", want, got)
}

// MaxDepth is the maximum nesting of arrays and objects in serde_json, which rejects deeper documents.
const MaxDepth = 127

// Check returns an error unless data is one JSON document that serde_json can represent: well-formed, Unicode
// without lone surrogates, at most [MaxDepth] containers deep, every number within a 64-bit float. Surrounding
// white space and repeated member names are allowed.
func Check(data []byte) error {
	// serde rejects only repeated member names that it knows.
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	for {
		token, err := dec.ReadToken()
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return errors.New("unexpected end of the document")
		case err != nil:
			return errors.New(strings.TrimPrefix(err.Error(), "jsontext: "))
		case token.Kind() == '0':
			if _, err := strconv.ParseFloat(token.String(), 64); err != nil {
				return errors.New("expected a number below 1.8e308")
			}
		}
		switch open := dec.StackDepth(); {
		case open > MaxDepth:
			return fmt.Errorf("expected at most %d levels of nesting", MaxDepth)
		case open == 0 && len(bytes.Trim(data[dec.InputOffset():], " \t\r\n")) > 0:
			return errors.New("unexpected text after the document")
		case open == 0:
			return nil
		}
	}
}
