package fit

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// A Cut describes a part of a value that was cut.
type Cut struct {
	// Path is the location of the part, or "" for the whole value.
	Path string
	// All is the number of items or bytes, and Shown is the number of those that are kept, from the start.
	Shown, All int
	// Items means that the part is a list or a map, not a string.
	Items bool
}

// JSON returns compact JSON with lists, maps and strings cut so that it has at most the given number of bytes
// and still matches its schema. Lists and maps lose items from the end; a single item that does not fit is
// itself cut. It returns false if even the parts that the schema requires do not fit.
func JSON(value string, s *Schema, most int) (string, []Cut, bool) {
	var c cutter
	cut := c.shrink(jsontext.Value(value), s, most, "")
	if len(cut) > most {
		return "", nil, false
	}
	return string(cut), c.left, true
}

// A Schema has the parts of a JSON Schema that limit what can be cut.
type Schema struct {
	Properties           map[string]*Schema
	Items                *Schema
	OneOf, AnyOf         []*Schema
	AdditionalProperties json.RawMessage
	Enum                 []json.RawMessage
	Pattern, Format      string
	ContentEncoding      string
	MinLength            int
	MinItems             int
	MinProperties        int
	// Whole means that the text must not be cut.
	Whole bool `json:"-"`
}

// ParseSchema parses a schema. It returns nil for an invalid one.
func ParseSchema(text []byte) *Schema {
	var s *Schema
	if json.Unmarshal(text, &s) != nil {
		return nil
	}
	return s
}

// merged returns the schema with the limits of all its alternatives, because it is not known which of them a
// value matches.
func (s *Schema) merged() *Schema {
	all := slices.Concat(s.OneOf, s.AnyOf)
	if len(all) == 0 {
		return s
	}
	m := *s
	m.OneOf, m.AnyOf, m.Properties = nil, nil, map[string]*Schema{}
	maps.Copy(m.Properties, s.Properties)
	for _, one := range all {
		if one == nil {
			continue
		}
		one = one.merged()
		m.Whole = m.Whole || one.whole()
		m.MinLength, m.MinItems, m.MinProperties = max(m.MinLength, one.MinLength), max(m.MinItems, one.MinItems), max(m.MinProperties, one.MinProperties)
		m.Items = &Schema{AnyOf: []*Schema{m.Items, one.Items}}
		if m.AdditionalProperties == nil {
			m.AdditionalProperties = one.AdditionalProperties
		}
		for name, p := range one.Properties {
			m.Properties[name] = &Schema{AnyOf: []*Schema{m.Properties[name], p}}
		}
	}
	return &m
}

// values returns the schema of the values of a map, or nil if the names are declared.
func (s *Schema) values() *Schema {
	if len(s.AdditionalProperties) == 0 || s.AdditionalProperties[0] != '{' {
		return nil
	}
	return ParseSchema(s.AdditionalProperties)
}

// whole reports whether cutting a string would change its meaning or make it invalid.
func (s *Schema) whole() bool {
	return s.Whole || s.Pattern != "" || s.Format != "" || s.ContentEncoding != "" || s.Enum != nil
}

// part returns the schema of a member, or the schema for undeclared members.
func (s *Schema) part(name string, others *Schema) *Schema {
	if own := s.Properties[name]; own != nil {
		return own
	}
	return others
}

// A cutter collects what was cut.
type cutter struct{ left []Cut }

// shrink returns a value of at most the given number of bytes, or of as few as possible.
func (c *cutter) shrink(v jsontext.Value, s *Schema, most int, path string) jsontext.Value {
	if s == nil {
		s = new(Schema)
	}
	s = s.merged()
	switch kind := v.Kind(); {
	case len(v) <= most:
	case kind == '"':
		return c.text(v, s, most, path)
	case kind == '[':
		return c.prefix(v, s, s.Items, s.MinItems, most, path)
	case kind == '{':
		if values := s.values(); values != nil {
			return c.prefix(v, s, values, s.MinProperties, most, path)
		}
		return c.largest(v, s, most, path)
	}
	return v
}

func (c *cutter) text(v jsontext.Value, s *Schema, most int, path string) jsontext.Value {
	const short = 64 // not worth a cut
	if s.whole() || len(v) <= short || s.MinLength > 0 {
		return v
	}
	text := rawjson.Text(v)
	for room := max(most, short) - 2; room > 0; {
		cut := Marked(text, room)
		if cut == "" {
			return v
		}
		raw := rawjson.Quote(cut)
		if over := len(raw) - max(most, short); over > 0 { // escapes need more bytes
			room -= max(over/2, 1)
			continue
		}
		if len(raw) < len(v) {
			c.left = append(c.left, Cut{Path: path, Shown: strings.LastIndex(cut, " … ["), All: len(text)})
			return raw
		}
		return v
	}
	return v
}

// prefix leaves out the last items of a list or a map. If not even the first item fits, prefix cuts
// that item.
func (c *cutter) prefix(v jsontext.Value, s, items *Schema, least, most int, path string) jsontext.Value {
	parts, isMap := rawjson.Parts(v), v.Kind() == '{'
	size := func(i int) int { // with a comma
		if isMap {
			return len(rawjson.Quote(parts[i].Name)) + len(":") + len(parts[i].Value) + 1
		}
		return len(parts[i].Value) + 1
	}
	room, keep, all := most-1, 0, len(parts) // 2 brackets, and one comma fewer than parts
	for keep < all && size(keep) <= room {
		room -= size(keep)
		keep++
	}
	if keep == 0 && all > 0 {
		first, before := &parts[0], len(c.left)
		step := path + "[0]"
		if isMap {
			step = member(path, first.Name)
		}
		first.Value = c.shrink(first.Value, s.part(first.Name, items), room-(size(0)-len(first.Value)), step)
		if size(0) <= room {
			keep = 1
		} else {
			c.left = c.left[:before]
		}
	}
	keep = max(keep, min(least, all))
	if keep < all {
		c.left = append(c.left, Cut{Path: path, Shown: keep, All: all, Items: true})
	}
	if isMap {
		return rawjson.Object(parts[:keep])
	}
	return rawjson.Array(parts[:keep])
}

// largest cuts members of an object, the largest first.
func (c *cutter) largest(v jsontext.Value, s *Schema, most int, path string) jsontext.Value {
	members := rawjson.Parts(v)
	bySize := make([]*rawjson.Member, len(members))
	for i := range members {
		bySize[i] = &members[i]
	}
	slices.SortStableFunc(bySize, func(x, y *rawjson.Member) int { return cmp.Compare(len(y.Value), len(x.Value)) })
	over := len(v) - most
	for _, m := range bySize {
		if over > 0 {
			before := len(m.Value)
			m.Value = c.shrink(m.Value, s.part(m.Name, nil), before-over, member(path, m.Name))
			over -= before - len(m.Value)
		}
	}
	return rawjson.Object(members)
}

func member(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }
