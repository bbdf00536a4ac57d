package fit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// A Cut describes a part of a value that was cut.
type Cut struct {
	// Path is the location of the part, or "" for the whole value.
	Path string
	// Shown is the number of items or bytes at the start that are kept; All is their total number.
	Shown, All int
	// Items means that the part is a list or a map, not a string.
	Items bool
}

// JSON returns compact JSON with lists, maps and strings cut so that it has at most the given
// number of bytes and still matches its schema. Lists and maps lose items from the end; if even the
// first item does not fit, it is cut. JSON returns false if the parts that the schema requires do
// not fit.
func JSON(value string, schema jsontext.Value, limit int) (string, []Cut, bool) {
	var c cutter
	cut := c.shrink(jsontext.Value(value), alternatives(schema), limit, "")
	if len(cut) > limit {
		return "", nil, false
	}
	return string(cut), c.left, true
}

// schemas limit what can be cut from a value. All of them apply, because it is not known which
// alternative the value matches.
type schemas []jsontext.Value

// alternatives returns schemas and the alternatives in them.
func alternatives(of ...jsontext.Value) (all schemas) {
	for _, s := range of {
		all = append(all, s)
		for _, keyword := range []string{"oneOf", "anyOf"} {
			for _, one := range rawjson.Parts(rawjson.Get(s, keyword)) {
				all = append(all, alternatives(one.Value)...)
			}
		}
	}
	return all
}

// valuesAt returns the values at a path of names in the schemas.
func (all schemas) valuesAt(path ...string) (values []jsontext.Value) {
	for _, s := range all {
		for _, name := range path {
			s = rawjson.Get(s, name)
		}
		if s != nil {
			values = append(values, s)
		}
	}
	return values
}

func (all schemas) lowest(keyword string) (least int) {
	for _, value := range all.valuesAt(keyword) {
		n, _ := strconv.Atoi(string(value))
		least = max(least, n)
	}
	return least
}

// whole reports whether cutting a string would change its meaning or make it invalid.
func (all schemas) whole() bool {
	return all.lowest("minLength") > 0 || slices.ContainsFunc([]string{"pattern", "format", "contentEncoding", "enum"}, func(keyword string) bool {
		return all.valuesAt(keyword) != nil
	})
}

type cutter struct{ left []Cut }

// shrink cuts v to at most the given number of bytes, or to as few as possible.
func (c *cutter) shrink(v jsontext.Value, s schemas, limit int, path string) jsontext.Value {
	switch kind := v.Kind(); {
	case len(v) <= limit:
	case kind == '"':
		return c.text(v, s, limit, path)
	case kind == '[':
		return c.prefix(v, s, s.valuesAt("items"), s.lowest("minItems"), limit, path)
	case kind == '{':
		if others := s.valuesAt("additionalProperties"); others != nil && others[0].Kind() == '{' {
			return c.prefix(v, s, others[:1], s.lowest("minProperties"), limit, path)
		}
		return c.largest(v, s, limit, path)
	}
	return v
}

func (c *cutter) text(v jsontext.Value, s schemas, limit int, path string) jsontext.Value {
	const short = 64 // strings of up to 64 bytes are not cut
	if len(v) <= short || s.whole() {
		return v
	}
	text, limit := rawjson.Text(v), max(limit, short)
	for room := limit - 2; room > 0; {
		cut := Marked(text, room)
		raw := rawjson.Quote(cut)
		if over := len(raw) - limit; over > 0 { // escapes need more bytes
			room -= max(over/2, 1)
			continue
		}
		if cut != "" && len(raw) < len(v) {
			c.left = append(c.left, Cut{Path: path, Shown: strings.LastIndex(cut, " … ["), All: len(text)})
			return raw
		}
		break
	}
	return v
}

// prefix keeps the first items of a list or a map. If not even the first item fits, it cuts that item.
func (c *cutter) prefix(v jsontext.Value, s schemas, items []jsontext.Value, least, limit int, path string) jsontext.Value {
	parts, isMap := rawjson.Parts(v), v.Kind() == '{'
	size := func(i int) int { // including a comma
		if isMap {
			return len(rawjson.Quote(parts[i].Name)) + len(":") + len(parts[i].Value) + 1
		}
		return len(parts[i].Value) + 1
	}
	room, keep, all := limit-1, 0, len(parts) // two brackets, and one comma fewer than there are parts
	for keep < all && size(keep) <= room {
		room -= size(keep)
		keep++
	}
	if keep == 0 && all > 0 {
		first, before := &parts[0], len(c.left)
		step := path + "[0]"
		if isMap {
			step = member(path, first.Name)
			if own := s.valuesAt("properties", first.Name); own != nil {
				items = own
			}
		}
		first.Value = c.shrink(first.Value, alternatives(items...), room-(size(0)-len(first.Value)), step)
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
func (c *cutter) largest(v jsontext.Value, s schemas, limit int, path string) jsontext.Value {
	members := rawjson.Parts(v)
	bySize := make([]*rawjson.Member, len(members))
	for i := range members {
		bySize[i] = &members[i]
	}
	slices.SortStableFunc(bySize, func(x, y *rawjson.Member) int { return cmp.Compare(len(y.Value), len(x.Value)) })
	over := len(v) - limit
	for i := 0; i < len(bySize) && over > 0; i++ {
		m, before := bySize[i], len(bySize[i].Value)
		m.Value = c.shrink(m.Value, alternatives(s.valuesAt("properties", m.Name)...), before-over, member(path, m.Name))
		over -= before - len(m.Value)
	}
	return rawjson.Object(members)
}

func member(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }
