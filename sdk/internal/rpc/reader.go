package rpc

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// A reader parses one JSON value. It parses objects member by member. Returned values alias the
// input.
type reader struct {
	text  []byte
	dec   jsontext.Decoder
	buf   bytes.Buffer
	names [][]byte       // of all open objects, the outermost first
	last  jsontext.Value // the object that was closed last
	twice bool           // a member name occurs twice in an object
	err   error          // the first error
}

var readers = sync.Pool{New: func() any { return new(reader) }}

var (
	errSyntax    = errors.New("the message must be a single valid JSON value")
	errNotObject = errors.New("a message must be a JSON object")
	errTwice     = errors.New("duplicate object member name")
)

func newReader(text []byte) *reader {
	r := readers.Get().(*reader)
	r.text, r.buf = text, *bytes.NewBuffer(text)
	// Duplicate names inside arguments and inside members of _meta become the tool's result.
	r.dec.Reset(&r.buf, jsontext.AllowDuplicateNames(true))
	return r
}

// free returns r to the pool without references to the input.
func (r *reader) Free() {
	r.text, r.buf, r.last, r.twice, r.err = nil, bytes.Buffer{}, nil, false, nil
	r.dec.Reset(&r.buf)
	clear(r.names[:cap(r.names)])
	r.names = r.names[:0]
	readers.Put(r)
}

// object parses the next value as an object, and yields the name of each member, whose value the
// loop parses.
func (r *reader) object(yield func(name []byte) bool) {
	switch tok, err := r.dec.ReadToken(); {
	case err != nil:
		r.err = errSyntax
		return
	case tok.Kind() != '{':
		r.err = errNotObject
		return
	}
	start, outer := r.dec.InputOffset()-1, len(r.names)
	for r.dec.PeekKind() == '"' {
		name, _ := Unquote(r.value())
		r.names = append(r.names, name)
		if !yield(name) || r.err != nil {
			return
		}
	}
	names := r.names[outer:]
	slices.SortFunc(names, bytes.Compare)
	r.twice = r.twice || len(slices.CompactFunc(names, bytes.Equal)) < len(names)
	r.names = r.names[:outer]
	if _, err := r.dec.ReadToken(); err != nil {
		r.err = errSyntax
	}
	r.last = r.text[start:r.dec.InputOffset()]
}

// opens reports whether the next value is an object.
func (r *reader) opens() bool { return r.dec.PeekKind() == '{' }

// value parses the next value, which is nil if it is invalid.
func (r *reader) value() jsontext.Value {
	value, err := r.dec.ReadValue()
	if err != nil {
		r.err = errSyntax
		return nil
	}
	return value
}

// Members returns the members of an object, keyed by name, or none for a missing value. It
// returns false for other values, and for an object in which a name occurs twice at any depth.
// The values alias the input. Decoding into a Go struct would delay the first message.
func Members(object jsontext.Value) (map[string]jsontext.Value, bool) {
	if object.Kind() != '{' || !object.IsValid() {
		return nil, object == nil
	}
	r := newReader(object)
	defer r.Free()
	byName := make(map[string]jsontext.Value)
	for name := range r.object {
		byName[string(name)] = r.value()
	}
	return byName, true
}

// IsNull reports whether a value is null or missing.
func IsNull(value jsontext.Value) bool { return value == nil || value.Kind() == 'n' }

// MaxShown is the maximum number of characters of a client's text that a message quotes.
const MaxShown = 60

// Unquote returns the text of a string, or false for other values.
func Unquote(value jsontext.Value) ([]byte, bool) {
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

// IDKey returns a normal form of an id: strings have no escapes, and integers that a float64 can
// hold have no exponent or fraction.
func IDKey(id jsontext.Value) []byte {
	switch id.Kind() {
	case '"':
		if text, ok := Unquote(id); ok && len(text) != len(id)-2 {
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
