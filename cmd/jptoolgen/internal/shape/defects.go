package shape

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
)

// maxVisited is the maximum number of subschemas that are checked, because references can repeat them very often.
const maxVisited = 1 << 14

// maxReferences is the maximum number of references that lead to a schema, as in JP.
const maxReferences = 32

// Defects returns the defects of a schema of arguments, each as "place: problem": unknown types, enums and defaults
// that the schema does not allow, arrays without items and references to nothing. JP does not offer a tool with such a
// schema. Like JP, Defects reads only properties, items and references. Unlike JP, it also checks the limits of a
// default, such as its length.
func Defects(schema jsontext.Value) []string {
	root, ok := Decode(schema).(Node)
	if !ok {
		return []string{"not an object"}
	}
	d := &defects{root: root}
	document, _ := d.resolve(root)
	d.properties("", document)
	return d.found
}

type defects struct {
	root    Node
	found   []string
	visited int
	// within holds the references on the path to the current schema.
	within []string
}

func (d *defects) add(at, format string, args ...any) {
	d.found = append(d.found, strings.TrimPrefix(at, ".")+": "+fmt.Sprintf(format, args...))
}

// resolve follows the references of a schema. Keywords next to a reference take precedence over those that it refers
// to. resolve returns a Node with the keyword $ref if it cannot follow the reference, and nil for a schema that is not an object.
func (d *defects) resolve(v any) (s Node, ref string) {
	s, _ = v.(Node)
	ref, _ = s["$ref"].(string)
	var seen []string
	for {
		next, ok := s["$ref"].(string)
		if !ok || slices.Contains(seen, next) || len(seen) == maxReferences {
			return s, ref
		}
		target, ok := d.lookup(next)
		if !ok {
			return s, ref
		}
		merged := maps.Clone(target)
		for k, v := range s {
			if k != "$ref" {
				merged[k] = v
			}
		}
		s, seen = merged, append(seen, next)
	}
}

// lookup is like [Lookup], but as in JP, a pointer has no escapes of URLs and does not lead into arrays.
func (d *defects) lookup(ref string) (Node, bool) {
	if strings.Contains(ref, "%") {
		return nil, false
	}
	steps, ok := pointer(ref)
	var at any = d.root
	for _, step := range steps {
		s, _ := at.(Node)
		at = s[step]
	}
	s, isSchema := at.(Node)
	return s, ok && isSchema
}

func (d *defects) properties(at string, s Node) {
	members, _ := s["properties"].(Node)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		d.schema(at+"."+name, members[name])
	}
}

func (d *defects) schema(at string, v any) {
	s, ref := d.resolve(v)
	if d.visited++; d.visited > maxVisited || ref != "" && slices.Contains(d.within, ref) {
		return
	}
	d.within = append(d.within, ref)
	defer func() { d.within = d.within[:len(d.within)-1] }()

	types, open := typesOf(s)
	if !open {
		d.types(at, s, types)
	}
	items, hasItems := s["items"]
	members, _ := s["properties"].(Node)
	switch {
	case slices.Contains(types, "array") && !hasItems:
		d.add(at, "an array needs items")
	case hasItems && len(types) > 0 && !slices.Contains(types, "array"):
		d.add(at, "items applies to arrays, not to %s", phrase.OneOf(types))
	}
	if len(members) > 0 && len(types) > 0 && !slices.Contains(types, "object") {
		d.add(at, "properties applies to objects, not to %s", phrase.OneOf(types))
	}
	if hasItems {
		d.schema(at+"[]", items)
	}
	d.properties(at, s)
	d.values(at, s)
}

// typesOf returns the types that a schema declares. open is set if a schema has neither types nor a reference, and
// therefore allows every type.
func typesOf(s Node) (types []string, open bool) {
	switch t := s["type"].(type) {
	case string:
		types = []string{t}
	case []any:
		for _, v := range t {
			if name, ok := v.(string); ok {
				types = append(types, name)
			}
		}
	}
	_, typed := s["type"]
	_, refers := s["$ref"]
	return types, s != nil && !typed && !refers
}

func (d *defects) types(at string, s Node, types []string) {
	ref, refers := s["$ref"]
	switch {
	case len(types) > 0:
	case s == nil:
		d.add(at, "the schema is not an object")
	case refers:
		d.add(at, "$ref %q leads to no schema in the file", fmt.Sprint(ref))
	default:
		d.add(at, "the type is empty")
	}
	for i, t := range types {
		if !slices.Contains([]string{"array", "boolean", "integer", "null", "number", "object", "string"}, t) {
			d.add(at, "unknown type %q", t)
		} else if slices.Contains(types[:i], t) {
			d.add(at, "type %q is repeated", t)
		}
	}
}

// values checks the values of enum and default.
func (d *defects) values(at string, s Node) {
	listed, _ := s["enum"].([]any)
	for i, v := range listed {
		if slices.ContainsFunc(listed[:i], func(w any) bool { return same(v, w) }) {
			d.add(at, "enum has %s twice", compactValue(v))
		} else if why := d.excludes(s, v); why != "" {
			d.add(at, "enum has %s, but %s", compactValue(v), why)
		}
	}
	v, ok := s["default"]
	if !ok {
		return
	}
	why := d.excludes(s, v)
	if why == "" {
		whole := maps.Clone(s)
		for _, k := range []string{"$schema", "$defs", "definitions"} {
			if defs, ok := d.root[k]; ok {
				whole[k] = defs
			}
		}
		text, _ := json.Marshal(whole) // cannot fail: whole was decoded from JSON
		value, _ := json.Marshal(v)
		_, why, _ = strings.Cut(Misfit(text, value), ": ")
	}
	if why != "" {
		d.add(at, "invalid default %s: %s", compactValue(v), why)
	}
}

// excludes says why a schema does not allow a value, or returns "". As in JP, an integer has no fraction or exponent,
// even if it is 0.
func (d *defects) excludes(s Node, v any) string {
	types, open := typesOf(s)
	got := kindOf(v)
	if n, ok := v.(json.Number); ok {
		if got = "number"; isWholeNumber(n) {
			got = "integer"
		}
	}
	if got == "number" && slices.Contains(types, "integer") && !slices.Contains(types, "number") {
		return "the type is integer, which is written without a fraction or exponent and has at most 64 bits"
	}
	if !open && !slices.Contains(types, got) && !(got == "integer" && slices.Contains(types, "number")) {
		return fmt.Sprintf("the type is %s", strings.Join(types, " or "))
	}
	if listed, _ := s["enum"].([]any); len(listed) > 0 && !slices.ContainsFunc(listed, func(w any) bool { return same(v, w) }) {
		return "enum does not have " + compactValue(v)
	}
	switch v := v.(type) {
	case []any:
		items, ok := s["items"]
		if !ok {
			return ""
		}
		item, _ := d.resolve(items)
		for _, one := range v {
			if why := d.excludes(item, one); why != "" {
				return "in its items, " + why
			}
		}
	case Node:
		members, _ := s["properties"].(Node)
		required, _ := s["required"].([]any)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			value, has := v[name]
			if !has && slices.Contains(required, any(name)) {
				return fmt.Sprintf("the required property %q is missing", name)
			}
			member, _ := d.resolve(members[name])
			if why := d.excludes(member, value); has && why != "" {
				return fmt.Sprintf("in its property %q, %s", name, why)
			}
		}
	}
	return ""
}

// isWholeNumber reports whether a number is written as an integer of 64 bits.
func isWholeNumber(n json.Number) bool {
	_, signed := strconv.ParseInt(string(n), 10, 64)
	_, unsigned := strconv.ParseUint(string(n), 10, 64)
	return (signed == nil || unsigned == nil) && n != "-0"
}

// same reports whether two values are equal in JP, where 1 and 1.0 are not.
func same(v, w any) bool {
	a, isNumber := v.(json.Number)
	b, areNumbers := w.(json.Number)
	if !isNumber || !areNumbers || isWholeNumber(a) || isWholeNumber(b) {
		return reflect.DeepEqual(v, w)
	}
	x, _ := a.Float64()
	y, _ := b.Float64()
	return x == y
}

func compactValue(v any) string {
	text, _ := json.Marshal(v) // cannot fail: v was decoded from JSON
	return phrase.Clip(string(text), 80)
}
