package fit

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// A Left is a part of a value that was cut.
type Left struct {
	// Path is the place of the part, "" for the whole value.
	Path string
	// Shown are the first items or bytes of all.
	Shown, All int
	// Items means that the part is a list or a map, not a text.
	Items bool
}

// JSON returns a value with lists, maps and texts cut so that it has at most the given number of bytes and still
// matches its schema. Lists and maps lose items from the end; an item that does not fit by itself is cut inside.
// It returns false if the value does not fit without what the schema requires.
func JSON(value string, s *Schema, most int) (string, []Left, bool) {
	n, err := parse(jsontext.Value(value), s)
	if err != nil {
		return "", nil, false
	}
	var left []Left
	n.shrink(most, "", &left)
	if n.size > most {
		return "", nil, false
	}
	return string(n.append(make([]byte, 0, n.size))), left, true
}

// A Schema has the parts of a JSON Schema that limit what can be cut.
type Schema struct {
	Properties           map[string]*Schema
	Items                *Schema
	AdditionalProperties json.RawMessage
	Enum                 []json.RawMessage
	Pattern, Format      string
	ContentEncoding      string
	MinLength            int
	MinItems             int
	MinProperties        int
	// Whole texts must not be cut.
	Whole bool `json:"-"`
}

// ParseSchema parses a schema. The result is nil for an invalid one.
func ParseSchema(text []byte) *Schema {
	var s *Schema
	if json.Unmarshal(text, &s) != nil {
		return nil
	}
	return s
}

// values returns the schema of the values of a map, nil if the names are declared.
func (s *Schema) values() *Schema {
	if len(s.AdditionalProperties) == 0 || s.AdditionalProperties[0] != '{' {
		return nil
	}
	return ParseSchema(s.AdditionalProperties)
}

// whole reports whether a text means something else after a cut.
func (s *Schema) whole() bool {
	return s.Whole || s.Pattern != "" || s.Format != "" || s.ContentEncoding != "" || s.Enum != nil
}

// A node is a JSON value. Size is the number of its bytes without white space.
type node struct {
	kind     jsontext.Kind
	raw      jsontext.Value // of scalars
	names    []string
	children []*node
	size     int
	items    bool // whether children can be left out from the end, down to least
	least    int
	whole    bool // whether a text must not be cut
}

func parse(value jsontext.Value, s *Schema) (*node, error) {
	if s == nil {
		s = new(Schema)
	}
	n := &node{kind: value.Kind(), raw: value, size: len(value), whole: s.whole(), least: s.MinLength}
	switch n.kind {
	case '{':
		values := s.values()
		n.items, n.least = values != nil, s.MinProperties
		members, err := rawjson.Members(value)
		if err != nil {
			return nil, err
		}
		for _, m := range members {
			inner := s.Properties[m.Name]
			if inner == nil {
				inner = values
			}
			n.names = append(n.names, m.Name)
			if err := n.add(m.Value, inner); err != nil {
				return nil, err
			}
		}
	case '[':
		n.items, n.least = true, s.MinItems
		var list []jsontext.Value
		if err := json.Unmarshal(value, &list); err != nil {
			return nil, err
		}
		for _, item := range list {
			if err := n.add(item, s.Items); err != nil {
				return nil, err
			}
		}
	}
	n.measure()
	return n, nil
}

func (n *node) add(value jsontext.Value, s *Schema) error {
	child, err := parse(value, s)
	n.children = append(n.children, child)
	return err
}

// part returns the number of bytes of a child with its name and a comma.
func (n *node) part(i int) int {
	size := n.children[i].size + 1
	if n.names != nil {
		size += len(rawjson.Quote(n.names[i])) + 1
	}
	return size
}

// measure sets the size of a list or object.
func (n *node) measure() {
	if n.kind != '{' && n.kind != '[' {
		return
	}
	n.size = 2
	for i := range n.children {
		n.size += n.part(i)
	}
	if len(n.children) > 0 {
		n.size-- // the last part has no comma
	}
}

// step returns the path of a child.
func (n *node) step(path string, i int) string {
	if n.kind == '[' {
		return path + "[" + strconv.Itoa(i) + "]"
	}
	return strings.TrimPrefix(path+"."+n.names[i], ".")
}

// shrink makes the size at most the given number of bytes, or as small as possible.
func (n *node) shrink(most int, path string, left *[]Left) {
	switch {
	case n.size <= most:
	case n.kind == '"':
		n.text(most, path, left)
	case n.items:
		n.prefix(most, path, left)
	case n.kind == '{':
		n.largest(most, path, left)
	}
}

// text cuts a text.
func (n *node) text(most int, path string, left *[]Left) {
	const short = 64 // not worth a cut
	text, err := jsontext.AppendUnquote(nil, n.raw)
	if err != nil || n.whole || n.size <= short || n.least > 0 {
		return
	}
	for room := max(most, short) - 2; room > 0; {
		cut := Marked(string(text), room)
		if cut == "" {
			return
		}
		raw := rawjson.Quote(cut)
		if over := len(raw) - max(most, short); over > 0 { // escapes need more bytes
			room -= max(over/2, 1)
			continue
		}
		if len(raw) < n.size {
			n.raw, n.size = raw, len(raw)
			*left = append(*left, Left{Path: path, Shown: strings.LastIndex(cut, " … ["), All: len(text)})
		}
		return
	}
}

// prefix leaves out the last items. If not even the first one fits, it is cut.
func (n *node) prefix(most int, path string, left *[]Left) {
	room, keep := most-1, 0 // 2 brackets, and a comma less than parts
	for keep < len(n.children) && n.part(keep) <= room {
		room -= n.part(keep)
		keep++
	}
	all := len(n.children)
	if keep == 0 && all > 0 {
		before := len(*left)
		first := n.children[0]
		first.shrink(room-(n.part(0)-first.size), n.step(path, 0), left)
		if n.part(0) <= room {
			keep = 1
		} else {
			*left = (*left)[:before]
		}
	}
	keep = max(keep, min(n.least, all))
	n.children = n.children[:keep]
	if n.names != nil {
		n.names = n.names[:keep]
	}
	if keep < all {
		*left = append(*left, Left{Path: path, Shown: keep, All: all, Items: true})
	}
	n.measure()
}

// largest cuts members of an object, the largest first.
func (n *node) largest(most int, path string, left *[]Left) {
	order := make([]int, len(n.children))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(n.children[j].size, n.children[i].size) })
	for _, i := range order {
		if n.size <= most {
			return
		}
		child := n.children[i]
		child.shrink(child.size-(n.size-most), n.step(path, i), left)
		n.measure()
	}
}

func (n *node) append(dst []byte) []byte {
	if n.kind != '{' && n.kind != '[' {
		return append(dst, n.raw...)
	}
	dst = append(dst, byte(n.kind))
	for i, child := range n.children {
		if i > 0 {
			dst = append(dst, ',')
		}
		if n.names != nil {
			dst = append(append(dst, rawjson.Quote(n.names[i])...), ':')
		}
		dst = child.append(dst)
	}
	return append(dst, byte(n.kind)+2) // ] follows [ in ASCII by two, like } and {
}
