package otel

import (
	"bytes"
	"net/textproto"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// fields are the names of the headers that a propagator reads.
type fields struct {
	names  []string
	quoted [][]byte // as JSON
	headed []string // in the spelling of net/http
}

func fieldsOf(names []string) fields {
	f := fields{names: names}
	for _, name := range names {
		f.quoted = append(f.quoted, []byte(`"`+name+`"`))
		f.headed = append(f.headed, textproto.CanonicalMIMEHeaderKey(name))
	}
	return f
}

// inHeader reports whether a request has one of the headers.
func (f *fields) inHeader(h map[string][]string) bool {
	return slices.ContainsFunc(f.headed, func(name string) bool { return len(h[name]) > 0 })
}

// A carrier holds the context of a trace: the value of each field.
type carrier struct {
	of     *fields
	values []string
}

func (c *carrier) Get(key string) string {
	if i := slices.Index(c.of.names, key); i >= 0 {
		return c.values[i]
	}
	return ""
}

func (*carrier) Set(string, string) {}
func (*carrier) Keys() []string     { return nil }

var decoders = sync.Pool{New: func() any { return jsontext.NewDecoder(new(bytes.Buffer)) }}

// inMeta returns the context in the member _meta of a request (SEP-414), or nil if it has none. A value that is not a
// string is ignored.
func (f *fields) inMeta(meta []byte) *carrier {
	if !slices.ContainsFunc(f.quoted, func(name []byte) bool { return bytes.Contains(meta, name) }) {
		return nil
	}
	d := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(d)
	d.Reset(bytes.NewBuffer(meta), jsontext.AllowDuplicateNames(true))
	defer d.Reset(new(bytes.Buffer)) // releases meta
	c := &carrier{of: f, values: make([]string, len(f.names))}
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadValue()
		if err != nil {
			break
		}
		i := slices.IndexFunc(f.quoted, func(known []byte) bool { return bytes.Equal(known, name) })
		if i < 0 || d.PeekKind() != '"' {
			if d.SkipValue() != nil {
				break
			}
			continue
		}
		value, err := d.ReadValue()
		if err != nil {
			break
		}
		if text, err := jsontext.AppendUnquote(nil, value); err == nil {
			c.values[i] = string(text)
		}
	}
	return c
}
