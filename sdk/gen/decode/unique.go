package decode

import (
	"slices"
	"strconv"
)

// repeats reports whether all elements of a list are distinct, and otherwise which are equal.
func (v Value) repeats() (hint string, ok bool) {
	seen := make(map[string]int, v.node().count)
	var form []byte
	i := 0
	for child := v.node().first; child != 0; child = v.d.nodes[child].next {
		form = v.d.canonical(form[:0], child)
		if first, twice := seen[string(form)]; twice {
			return "item [" + strconv.Itoa(i) + "] repeats item [" + strconv.Itoa(first) + "]", false
		}
		seen[string(form)] = i
		i++
	}
	return "", true
}

// canonical appends a form that is the same for equal JSON values: 1.0 equals 1, and the order
// of members does not matter.
func (t *tape) canonical(b []byte, at int32) []byte {
	switch n := &t.nodes[at]; n.kind {
	case kindString:
		return strconv.AppendQuote(b, string(n.text))
	case kindNumber:
		d := parseDecimal(nil, n.text)
		b = strconv.AppendInt(b, int64(d.sign()), 10)
		b = append(append(b, '.'), d.digits...)
		return strconv.AppendInt(append(b, 'e'), int64(d.exponent), 10)
	case kindList:
		b = append(b, '[')
		for child := n.first; child != 0; child = t.nodes[child].next {
			b = append(t.canonical(b, child), ',')
		}
		return append(b, ']')
	case kindObject:
		members := make([]string, 0, n.count)
		for child := n.first; child != 0; child = t.nodes[child].next {
			name := strconv.AppendQuote(nil, string(t.nodes[child].name))
			members = append(members, string(t.canonical(append(name, ':'), child)))
		}
		slices.Sort(members)
		b = append(b, '{')
		for _, member := range members {
			b = append(append(b, member...), ',')
		}
		return append(b, '}')
	default:
		return append(b, n.text...)
	}
}
