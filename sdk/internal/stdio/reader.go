package stdio

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// A reader reads one JSON object member by member. What it returns aliases the
// text it reads.
type reader struct {
	dec   jsontext.Decoder
	buf   bytes.Buffer
	names [][]byte
	many  map[string]bool
}

var readers = sync.Pool{New: func() any { return new(reader) }}

// The errors of [reader.members].
var (
	errSyntax    = errors.New("the line is not one JSON value")
	errNotObject = errors.New("a message is a JSON object")
	errTwice     = errors.New("a name stands twice in the message")
	errStopped   = errors.New("stopped")
)

func newReader(text []byte) *reader {
	r := readers.Get().(*reader)
	r.buf = *bytes.NewBuffer(text)
	// What is in arguments and _meta is judged where it is read, and answered as a
	// tool's result.
	r.dec.Reset(&r.buf, jsontext.AllowDuplicateNames(true))
	return r
}

// free gives r back, without the text it has read.
func (r *reader) free() {
	r.buf = bytes.Buffer{}
	r.dec.Reset(&r.buf)
	clear(r.names)
	r.names, r.many = r.names[:0], nil
	readers.Put(r)
}

// members visits the members of the object that the text is, to its end. It stops
// when visit returns false.
func (r *reader) members(visit func(name []byte, value jsontext.Value) bool) error {
	switch tok, err := r.dec.ReadToken(); {
	case err != nil:
		return errSyntax
	case tok.Kind() != '{':
		return errNotObject
	}
	for r.dec.PeekKind() == '"' {
		quoted, err := r.dec.ReadValue()
		if err != nil {
			return errSyntax
		}
		name := []byte(quoted[1 : len(quoted)-1])
		if bytes.IndexByte(name, '\\') >= 0 {
			if name, err = jsontext.AppendUnquote(nil, quoted); err != nil {
				return errSyntax
			}
		}
		if r.seen(name) {
			return errTwice
		}
		value, err := r.dec.ReadValue()
		if err != nil {
			return errSyntax
		}
		if !visit(name, value) {
			return errStopped
		}
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return errSyntax
	}
	if _, err := r.dec.ReadToken(); err != io.EOF {
		return errSyntax
	}
	return nil
}

// few is how many names are compared one by one. Messages have less.
const few = 16

// seen reports whether name was there before, and remembers it.
func (r *reader) seen(name []byte) bool {
	if r.many != nil {
		was := r.many[string(name)]
		r.many[string(name)] = true
		return was
	}
	for _, n := range r.names {
		if bytes.Equal(n, name) {
			return true
		}
	}
	r.names = append(r.names, name)
	if len(r.names) > few {
		r.many = make(map[string]bool)
		for _, n := range r.names {
			r.many[string(n)] = true
		}
	}
	return false
}
