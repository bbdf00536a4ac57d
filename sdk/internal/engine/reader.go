package engine

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// A reader parses one JSON value, objects member by member. Returned values alias the input.
type reader struct {
	text  []byte
	dec   jsontext.Decoder
	buf   bytes.Buffer
	names [][]byte // of all open objects, the outermost first
	twice bool     // a member name occurs twice in an object
}

var readers = sync.Pool{New: func() any { return new(reader) }}

// Errors from parsing a message.
var (
	errSyntax    = errors.New("the message is not one JSON value")
	errNotObject = errors.New("a message must be a JSON object")
	errTwice     = errors.New("duplicate object member name")
)

func newReader(text []byte) *reader {
	r := readers.Get().(*reader)
	r.text, r.buf, r.twice = text, *bytes.NewBuffer(text), false
	// Duplicate member names inside arguments, and inside _meta members of a tool, are checked
	// where these are decoded, and reported as the tool's result.
	r.dec.Reset(&r.buf, jsontext.AllowDuplicateNames(true))
	return r
}

// free returns r to the pool without references to the input.
func (r *reader) free() {
	r.text, r.buf = nil, bytes.Buffer{}
	r.dec.Reset(&r.buf)
	clear(r.names[:cap(r.names)])
	r.names = r.names[:0]
	readers.Put(r)
}

// object parses the next value as an object and calls visit for each member. If the member
// named inner is an object, it calls read instead, to parse that object. It returns the text
// of the object.
func (r *reader) object(inner string, read func(*reader) error, visit func(name []byte, value jsontext.Value)) (text jsontext.Value, err error) {
	switch tok, err := r.dec.ReadToken(); {
	case err != nil:
		return nil, errSyntax
	case tok.Kind() != '{':
		return nil, errNotObject
	}
	start := r.dec.InputOffset() - 1
	outer := len(r.names)
	for r.dec.PeekKind() == '"' {
		quoted, err := r.dec.ReadValue()
		if err != nil {
			return nil, errSyntax
		}
		name := []byte(quoted[1 : len(quoted)-1])
		if bytes.IndexByte(name, '\\') >= 0 {
			if name, err = jsontext.AppendUnquote(nil, quoted); err != nil {
				return nil, errSyntax
			}
		}
		r.names = append(r.names, name)
		if read != nil && string(name) == inner && r.dec.PeekKind() == '{' {
			if err := read(r); err != nil {
				return nil, err
			}
			continue
		}
		value, err := r.dec.ReadValue()
		if err != nil {
			return nil, errSyntax
		}
		visit(name, value)
	}
	r.twice = r.twice || repeats(r.names[outer:])
	r.names = r.names[:outer]
	if _, err := r.dec.ReadToken(); err != nil {
		return nil, errSyntax
	}
	return r.text[start:r.dec.InputOffset()], nil
}

// members returns the members of an object by name. It returns false for other values, and for an object in which
// a name occurs twice at any depth. The values alias the input. A decoder into a Go struct would delay the
// first message, because it prepares itself for the type.
func members(object jsontext.Value) (map[string]jsontext.Value, bool) {
	if object.Kind() != '{' || !object.IsValid() {
		return nil, false
	}
	r := newReader(object)
	defer r.free()
	byName := make(map[string]jsontext.Value)
	_, err := r.object("", nil, func(name []byte, value jsontext.Value) { byName[string(name)] = value })
	return byName, err == nil
}

// end returns an error if more input follows.
func (r *reader) end() error {
	if _, err := r.dec.ReadToken(); err != io.EOF {
		return errSyntax
	}
	return nil
}

// repeats reports whether a name occurs twice. It sorts the names.
func repeats(names [][]byte) bool {
	slices.SortFunc(names, bytes.Compare)
	return len(slices.CompactFunc(names, bytes.Equal)) < len(names)
}

// mostShown is the maximum number of characters of a client's text that a message quotes.
const mostShown = 60

// unquoted returns the text of a JSON string, or false for other values.
func unquoted(value jsontext.Value) ([]byte, bool) {
	if value.Kind() != '"' {
		return nil, false
	}
	inner := value[1 : len(value)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner, true
	}
	text, err := jsontext.AppendUnquote(nil, value)
	return text, err == nil
}

// idKey returns the text of an id in a normal form, which is the same for all notations of the id.
// Strings have no escapes, and integers that a float64 can hold have no exponent or fraction.
func idKey(id jsontext.Value) []byte {
	switch id.Kind() {
	case '"':
		if text, ok := unquoted(id); ok && len(text) != len(id)-2 {
			return slices.Concat([]byte{'"'}, text, []byte{'"'})
		}
	case '0':
		if !bytes.ContainsAny(id, ".eE") && string(id) != "-0" {
			break
		}
		const exact = 1 << 53
		if number, err := strconv.ParseFloat(string(id), 64); err == nil && -exact < number && number < exact && number == math.Trunc(number) {
			return strconv.AppendInt(nil, int64(number), 10)
		}
	}
	return id
}
