package decode

import "github.com/go-json-experiment/json/jsontext"

// A Value is a JSON value to be decoded. It is valid until the [Func] that received it returns.
type Value struct {
	d  *decoder
	at int32
}

// A Func decodes a value into *dst, or reports a problem. The Funcs of this package can be
// combined. Generic Funcs need no type arguments where they are passed to [Field].
type Func[T any] func(v Value, dst *T)

func (v Value) node() *node { return &v.d.nodes[v.at] }

func (v Value) kind() kind { return v.d.nodes[v.at].kind }

// refuse reports a problem. noun describes the expected values, extent their range.
func (v Value) refuse(noun, extent, hint string) {
	d := v.d
	d.trial.noun = noun
	if !d.dropsNext() {
		d.add(Problem{
			Path: d.path(v.at), Expected: noun + extent, Got: d.show(v.at), Hint: hint,
			at: v.at, noun: noun, extent: extent,
		})
	}
}

// noun returns the noun for the values that f expects. It calls f without a value.
func noun[T any](d *decoder, f Func[T]) string { return d.try(func() { f(Value{d, 0}, new(T)) }).noun }

// want reports whether the value has the given kind, after decoding the JSON text in a string if
// necessary. If it returns false, it has reported a problem.
func (v Value) want(kind kind, noun string) bool {
	if v.kind() == kind {
		return true
	}
	hint := ""
	if v.kind() == kindString && !v.d.Strict && jsontext.Value(v.node().text).Kind() == kind {
		bad := v.unpack()
		if bad == nil {
			return true
		}
		if kind == kindList || kind == kindObject {
			hint = "in the JSON text inside the string: expected " + bad.Expected + ", got " + bad.Got
		}
	}
	v.refuse(noun, "", hint)
	return false
}

// unpack replaces a string with the JSON value that it contains, or returns the problem.
func (v Value) unpack() *Problem {
	at, bad := v.d.scan(v.node().text, v.at)
	if bad != nil {
		return bad
	}
	inner, n := v.d.nodes[at], v.node()
	n.kind, n.text, n.first, n.count, n.quoted = inner.kind, inner.text, inner.first, inner.count, true
	for child := n.first; child != 0; child = v.d.nodes[child].next {
		v.d.nodes[child].parent = v.at
	}
	return nil
}

// wrap turns v into a list that contains only its former value.
func (v Value) wrap() {
	at := int32(len(v.d.nodes))
	item, n := *v.node(), v.node()
	n.kind, n.first, n.count = kindList, at, 1
	item.name, item.parent, item.next = nil, v.at, 0
	v.d.nodes = append(v.d.nodes, item)
	for child := item.first; child != 0; child = v.d.nodes[child].next {
		v.d.nodes[child].parent = at
	}
}

const anObject = "an object"
