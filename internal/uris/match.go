package uris

import (
	"slices"
	"strings"
)

// A node is a step of matching: a text, a value, or a choice. The last node is the end of the URI. Nodes refer only to
// later nodes, so a match takes time and memory proportional to the length of the URI times the number of nodes.
type node struct {
	text     string
	variable string // of a value
	is       step
	reserved bool // the value has reserved characters
	next     int
	other    int // of a choice: what is tried if next does not lead to the end
}

type step int

const (
	aText step = iota
	aValue
	aChoice
	theEnd
)

// compile prepares matching.
func (t *Template) compile() {
	add := func(n node) int {
		t.nodes = append(t.nodes, n)
		return len(t.nodes) - 1
	}
	for _, p := range t.parts {
		if p.variables == nil {
			at := add(node{is: aText, text: p.text})
			t.nodes[at].next = at + 1
			continue
		}
		// Before each variable, there are two states: no variable so far has a value (none), or one has (some). Each is a
		// choice to take a value or to leave the variable out.
		var fill []func(none, some int) // set the targets of the previous variable
		for i, name := range p.variables {
			take := func(begin string) (choice int, done func(next, other int)) {
				text := begin
				if p.kind.named {
					text += name
				}
				choice = add(node{is: aChoice})
				first := add(node{is: aText, text: text})
				t.nodes[choice].next = first
				var empty, empties int
				if p.kind.named && !p.kind.equals { // the name alone is an empty value
					empty = add(node{is: aChoice})
					t.nodes[first].next = empty
					equals := add(node{is: aText, text: "="})
					t.nodes[empty].next, t.nodes[equals].next = equals, equals+1
				} else if p.kind.named {
					t.nodes[first].text += "="
					t.nodes[first].next = first + 1
				} else {
					t.nodes[first].next = first + 1
				}
				value := add(node{is: aValue, variable: name, reserved: p.kind.reserved})
				if empty > 0 {
					empties = add(node{is: aValue, variable: name, text: "empty"})
					t.nodes[empty].other = empties
				}
				return choice, func(next, other int) {
					t.nodes[value].next, t.nodes[choice].other = next, other
					if empty > 0 {
						t.nodes[empties].next = next
					}
				}
			}
			none, noneDone := take(p.kind.first)
			some, someDone := none, noneDone
			if i > 0 {
				some, someDone = take(p.kind.between)
			}
			for _, f := range fill {
				f(none, some)
			}
			fill = []func(int, int){func(none, some int) { noneDone(some, none) }}
			if i > 0 {
				fill = append(fill, func(_, some int) { someDone(some, some) })
			}
		}
		for _, f := range fill {
			f(len(t.nodes), len(t.nodes))
		}
	}
	add(node{is: theEnd})
}

// A Value is the value of a variable in a URI.
type Value struct{ Variable, Text string }

// Match returns the values of the variables in a URI, in the order of the URI. It returns false if the template with
// these values is not exactly the URI. The first of several variables that can have a part of the URI gets it.
func (t *Template) Match(uri string) (values []Value, ok bool) { return t.AppendMatch(nil, uri) }

// AppendMatch is like [Template.Match], but appends the values to an empty slice.
func (t *Template) AppendMatch(values []Value, uri string) (_ []Value, ok bool) {
	if len(uri) > MaxLength || t.parts != nil && t.parts[0].variables == nil && !strings.HasPrefix(uri, t.parts[0].text) {
		return nil, false
	}
	if t.delimited {
		return t.scan(values, uri)
	}
	width := len(uri) + 1
	leads := make([]bool, len(t.nodes)*width) // whether a node leads from a position to the end of the URI
	at := func(n, i int) *bool { return &leads[n*width+i] }
	for n := len(t.nodes) - 1; n >= 0; n-- {
		switch node := &t.nodes[n]; node.is {
		case theEnd:
			*at(n, len(uri)) = true
		case aText:
			for i := 0; i+len(node.text) <= len(uri); i++ {
				*at(n, i) = *at(node.next, i+len(node.text)) && uri[i:i+len(node.text)] == node.text
			}
		case aChoice:
			for i := range width {
				*at(n, i) = *at(node.next, i) || *at(node.other, i)
			}
		case aValue:
			for i := width - 1; i >= 0; i-- {
				*at(n, i) = *at(node.next, i)
				if size := node.char(uri, i); size > 0 && *at(n, i+size) {
					*at(n, i) = true
				}
			}
		}
	}
	if !*at(0, 0) {
		return nil, false
	}
	for n, i := 0, 0; t.nodes[n].is != theEnd; {
		switch node := &t.nodes[n]; node.is {
		case aText:
			n, i = node.next, i+len(node.text)
		case aChoice:
			if n = node.next; !*at(n, i) {
				n = node.other
			}
		case aValue:
			end, last := i, i
			for { // the longest value that leads to the end
				if *at(node.next, end) {
					last = end
				}
				size := node.char(uri, end)
				if size == 0 {
					break
				}
				end += size
			}
			value, ok := unescape(uri[i:last], node.reserved)
			twice := slices.IndexFunc(values, func(v Value) bool { return v.Variable == node.variable })
			if !ok || twice >= 0 && values[twice].Text != value {
				return nil, false
			}
			if twice < 0 {
				values = append(values, Value{node.variable, value})
			}
			n, i = node.next, last
		}
	}
	if t.certain {
		return values, true
	}
	again, err := t.Expand(valuesByName(values))
	return values, err == nil && again == uri
}

func valuesByName(values []Value) map[string]string {
	all := make(map[string]string, len(values))
	for _, v := range values {
		all[v.Variable] = v.Text
	}
	return all
}

// scan is Match for a template in which the end of each value is certain.
func (t *Template) scan(values []Value, rest string) ([]Value, bool) {
	for _, p := range t.parts {
		if p.variables == nil {
			after, ok := strings.CutPrefix(rest, p.text)
			if !ok {
				return nil, false
			}
			rest = after
			continue
		}
		end, value := 0, node{is: aValue, reserved: p.kind.reserved}
		for size := value.char(rest, 0); size > 0; size = value.char(rest, end) {
			end += size
		}
		text, ok := unescape(rest[:end], p.kind.reserved)
		if !ok {
			return nil, false
		}
		values, rest = append(values, Value{p.variables[0], text}), rest[end:]
	}
	return values, rest == ""
}

// char returns the length of the character of a value at a position, or 0 if there is none.
func (n *node) char(uri string, i int) int {
	switch {
	case n.text != "" || i >= len(uri):
		return 0
	case uri[i] == '%' && i+2 < len(uri):
		return 3
	case isPlain(uri[i], n.reserved):
		return 1
	}
	return 0
}
