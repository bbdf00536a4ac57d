package engine

import (
	"bytes"
	"errors"
	"io"
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
	seen := names{r: r, from: len(r.names)}
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
		r.twice = !seen.add(name) || r.twice
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
	r.names = r.names[:seen.from]
	if _, err := r.dec.ReadToken(); err != nil {
		return nil, errSyntax
	}
	return r.text[start:r.dec.InputOffset()], nil
}

// end returns an error if more input follows.
func (r *reader) end() error {
	if _, err := r.dec.ReadToken(); err != io.EOF {
		return errSyntax
	}
	return nil
}

// names collects the member names of one object.
type names struct {
	r    *reader
	from int
	many map[string]bool
}

// few is the number of names that are compared linearly. Most objects have fewer.
const few = 16

// add reports whether the name is new.
func (n *names) add(name []byte) bool {
	if n.many != nil {
		was := n.many[string(name)]
		n.many[string(name)] = true
		return !was
	}
	own := n.r.names[n.from:]
	for _, other := range own {
		if bytes.Equal(other, name) {
			return false
		}
	}
	n.r.names = append(n.r.names, name)
	if len(own) == few {
		n.many = make(map[string]bool)
		for _, other := range n.r.names[n.from:] {
			n.many[string(other)] = true
		}
	}
	return true
}
