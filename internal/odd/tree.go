package odd

import (
	"encoding/json"
	"strings"
)

// A node is a JSON value that may be invalid: member names may repeat, and a scalar may be any
// text.
type node struct {
	kind    kind
	scalar  string   // the text of a scalar
	names   []string // the member names of an object, as JSON
	values  []*node  // the members of an object or the elements of an array
	between string   // the text after each comma
}

type kind int

const (
	scalar kind = iota
	object
	array
)

func leaf(text string) *node { return &node{kind: scalar, scalar: text} }

// tree parses a JSON value. Text that is not JSON becomes a scalar.
func tree(text string) *node {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	n, err := read(d)
	if err != nil {
		return leaf(text)
	}
	return n
}

// read returns the next value, or nil at the end of an object or an array.
func read(d *json.Decoder) (*node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return (&node{kind: object}).fill(d)
	case json.Delim('['):
		return (&node{kind: array}).fill(d)
	case json.Delim('}'), json.Delim(']'):
		return nil, nil
	}
	data, err := json.Marshal(token)
	return leaf(string(data)), err
}

// fill reads the content of an object or an array.
func (n *node) fill(d *json.Decoder) (*node, error) {
	for {
		value, err := read(d)
		if value == nil || err != nil {
			return n, err
		}
		if n.kind == object {
			n.names = append(n.names, value.scalar)
			if value, err = read(d); err != nil {
				return n, err
			}
		}
		n.values = append(n.values, value)
	}
}

// with returns an object with an additional member. It quotes the name without escaping it.
func (n *node) with(name string, value *node) *node {
	n.names, n.values = append(n.names, `"`+name+`"`), append(n.values, value)
	return n
}

// String returns the text of the value.
func (n *node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	if n.kind == scalar {
		b.WriteString(n.scalar)
		return
	}
	start, end := "{", "}"
	if n.kind == array {
		start, end = "[", "]"
	}
	b.WriteString(start)
	for i, value := range n.values {
		if i > 0 {
			b.WriteString("," + n.between)
		}
		if n.kind == object {
			b.WriteString(n.names[i] + ":")
		}
		value.write(b)
	}
	b.WriteString(end)
}

// inner returns the value and all values inside it, outer values first.
func (n *node) inner() []*node {
	all := []*node{n}
	for _, value := range n.values {
		all = append(all, value.inner()...)
	}
	return all
}

// remove removes a member or an element.
func (n *node) remove(i int) {
	n.values = append(n.values[:i:i], n.values[i+1:]...)
	if n.kind == object {
		n.names = append(n.names[:i:i], n.names[i+1:]...)
	}
}
