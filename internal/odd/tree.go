package odd

import (
	"encoding/json"
	"strings"
)

// A node is a value of JSON, or nearly one: its members may have the same name, and a
// scalar may be no value at all.
type node struct {
	kind    kind
	scalar  string   // the text of a scalar
	names   []string // the JSON of the names of an object's members
	values  []*node  // those of an object or an array
	between string   // what stands after each comma
}

type kind int

const (
	scalar kind = iota
	object
	array
)

func leaf(text string) *node { return &node{kind: scalar, scalar: text} }

// tree returns the tree of a value of JSON; of another text it is a scalar.
func tree(text string) *node {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	n, err := read(d)
	if err != nil {
		return leaf(text)
	}
	return n
}

// read returns the next value, nil at the end of an object or an array.
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

// fill reads what is in an object or an array.
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

// with returns an object with one member more. The name is quoted as it is.
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

// inner returns the value and all that is in it, from the outside in.
func (n *node) inner() []*node {
	all := []*node{n}
	for _, value := range n.values {
		all = append(all, value.inner()...)
	}
	return all
}

// remove takes a member or an element out.
func (n *node) remove(i int) {
	n.values = append(n.values[:i:i], n.values[i+1:]...)
	if n.kind == object {
		n.names = append(n.names[:i:i], n.names[i+1:]...)
	}
}
