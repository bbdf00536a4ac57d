package jpdoc

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// A walk visits the fields of a document in order, and reads or writes it, so that every type of the protocol is
// described only once, by its [kind]. The first error ends a walk.
type walk struct {
	reading bool
	out     []byte
	path    []string // path of the current value; its length is the number of containers
	err     error
	// warnings are the errors that the walk tolerated.
	warnings []error
}

// A node is a value that a walk visits.
type node struct {
	*walk
	in jsontext.Value // valid JSON, which passed [wire.Check]; nil if the value is absent
}

// A kind reads a value into *p, or writes it. It changes *p only when reading.
type kind[T any] func(n node, p *T)

// read parses a document. On error, it returns the zero value.
func read[T any](data []byte, k kind[T]) (T, error) {
	var got, none T
	if err := wire.Check(data); err != nil {
		return none, err
	}
	n := node{walk: &walk{reading: true}, in: data}
	if k(n, &got); n.err != nil {
		return none, n.err
	}
	return got, nil
}

// write appends v to dst. On error, it returns dst unchanged.
func write[T any](dst []byte, v T, k kind[T]) ([]byte, error) {
	n := node{walk: &walk{out: dst}}
	if k(n, &v); n.err != nil {
		return dst, n.err
	}
	return n.out, nil
}

// fail ends the walk with an error at the current value or one of its fields.
func (w *walk) fail(field string, err error) {
	if w.err != nil {
		return
	}
	path := w.path
	if field != "" {
		path = append(path, field)
	}
	if len(path) > 0 {
		// The error is not wrapped: without its path, it is useless, and traces are shown to people.
		err = fmt.Errorf("%s: %s", strings.Join(path, "."), err)
	}
	w.err = err
}

// at visits a part of the current value.
func (w *walk) at(part string, visit func()) {
	w.path = append(w.path, part)
	visit()
	w.path = w.path[:len(w.path)-1]
}

// warn reports whether the walk has an error. When reading, it turns the error into a warning.
func (w *walk) warn() bool {
	if !w.reading || w.err == nil {
		return false
	}
	w.warnings, w.err = append(w.warnings, w.err), nil
	return true
}

// is reports whether the value has this JSON type. If not, it ends the walk with an error.
func (n node) is(k jsontext.Kind, want string) bool {
	switch {
	case n.in == nil:
		n.fail("", missing(want))
	case n.in.Kind() != k:
		n.fail("", mismatch(want, typeName(n.in)))
	}
	return n.err == nil
}

// fields is the state of a walk through the fields of one object.
type fields struct {
	node
	members []rawjson.Member
	// array means that the object is encoded as an array of its fields; next is the index of the
	// next element.
	array bool
	next  int
}

// object visits the fields of an object. It ignores unknown members.
func (n node) object(visit func(*fields)) {
	f := &fields{node: n}
	if !n.reading {
		n.out = append(n.out, '{')
		visit(f)
		n.out = append(n.out, '}')
	} else if n.is('{', "an object") {
		f.members = rawjson.Parts(n.in)
		visit(f)
	}
}

// record is like object, but for a JP type, which serde also accepts as an array of its fields.
func (n node) record(visit func(*fields)) {
	if !n.reading || n.in.Kind() != '[' {
		n.object(visit)
		return
	}
	f := &fields{node: n, members: rawjson.Parts(n.in), array: true}
	visit(f)
	if f.next < len(f.members) {
		n.fail("", fmt.Errorf("expected %d elements, got %d", f.next, len(f.members)))
	}
}

// A mode determines how an absent field is read and how the zero value is written.
type mode byte

const (
	mayLack  mode = 1 << iota // may be absent, and is then zero
	mayNull                   // may be null, or absent from an object, and is then zero
	zeroNull                  // the zero value is written as null

	required mode = 0
	lax           = mayLack | mayNull
	nullable      = mayNull | zeroNull // a Rust Option
	optional      = lax | zeroNull     // a Rust Option with a serde default
)

// field visits the next field of an object.
func field[T any](f *fields, name string, m mode, p *T, k kind[T]) {
	if f.err != nil {
		return
	}
	f.at(name, func() {
		if f.reading {
			f.in = f.take(name)
		}
		if f.reading && f.mustRead(m) || !f.reading && f.begin(name, m, reflect.ValueOf(p).Elem().IsZero()) {
			k(f.node, p)
		}
	})
}

// mustRead reports whether a field must be read: it has a value, or it must not be missing or null.
func (f *fields) mustRead(m mode) bool {
	switch {
	case f.err != nil:
		return false
	case f.in == nil && f.array && m&mayLack == 0:
		f.fail("", missing("an element"))
		return false
	case f.in == nil:
		return m&lax == 0
	}
	return f.in.Kind() != 'n' || m&mayNull == 0
}

// begin writes the name of a field, and reports whether a value must follow.
func (f *fields) begin(name string, m mode, zero bool) bool {
	if f.out[len(f.out)-1] != '{' {
		f.out = append(f.out, ',')
	}
	f.out = append(appendString(f.out, name), ':')
	if zero && m&zeroNull != 0 {
		f.out = append(f.out, "null"...)
		return false
	}
	return true
}

// take returns the member with this name, which may occur only once. If the object is encoded as an
// array, it returns the next element.
func (f *fields) take(name string) (found jsontext.Value) {
	if f.array {
		if f.next++; f.next <= len(f.members) {
			found = f.members[f.next-1].Value
		}
		return found
	}
	for _, m := range f.members {
		if m.Name != name {
			continue
		}
		if found != nil {
			f.fail("", errors.New("duplicate member"))
		}
		found = m.Value
	}
	return found
}

// typeName returns the JSON type of v with its article, for error messages.
func typeName(v jsontext.Value) string {
	switch kind := v.Kind(); kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '[':
		return "an array"
	case '{':
		return "an object"
	default:
		return "a " + kind.String() // a string or a number
	}
}

func missing(want string) error { return errors.New("missing, expected " + want) }

// mismatch returns an error. It describes the actual value by its JSON type, a count or [shorten], so that
// errors never contain the document itself.
func mismatch(want, got string) error { return fmt.Errorf("expected %s, got %s", want, got) }

// shorten shortens a name from a document for an error message.
func shorten[S ~string](s S) string { return phrase.Quoted(string(s), 40) }
