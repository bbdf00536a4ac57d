package shape

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// These are the keywords that contain data instead of schemas, and the keywords that map names to schemas.
var (
	dataKeywords = []string{"const", "enum", "default", "examples", "example"}
	mapKeywords  = []string{"properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"}
)

// since maps keywords to the first dialect in which they have an effect. It leaves out the keywords of draft-04.
var since = map[string]int{
	"const": 6, "contains": 6, "propertyNames": 6,
	"if": 7, "then": 7, "else": 7,
	"$anchor": 2019, "dependentRequired": 2019, "dependentSchemas": 2019, "unevaluatedProperties": 2019, "unevaluatedItems": 2019,
	"minContains": 2019, "maxContains": 2019, "$recursiveRef": 2019, "$recursiveAnchor": 2019,
	"prefixItems": 2020, "$dynamicRef": 2020, "$dynamicAnchor": 2020,
}

// Document prepares a decoded document for [Normal]. It translates the keywords of the document's dialect to
// draft 2020-12, which is the default, and writes each reference within the document as "#" with a JSON pointer.
func Document(root Node) {
	d := document{dialect: dialect(root), resources: map[string]string{}, anchors: map[string][]string{}, names: map[string]int{}}
	d.visit(root, "", &url.URL{}, 0, d.index)
	d.visit(root, "", &url.URL{}, 0, d.rewrite)
}

// A document holds the locations of the named parts of a schema.
type document struct {
	dialect   int
	resources map[string]string   // the pointers to the schemas that have a URI, keyed by URI
	anchors   map[string][]string // the pointers to the schemas that have an anchor, keyed by URI and anchor
	names     map[string]int      // how many times each anchor name is declared, under any URI
}

// dialect returns the number of the draft, or the year of the version, that a document names.
func dialect(root Node) int {
	name, _ := root["$schema"].(string)
	for n := range 5 {
		if strings.Contains(name, "json-schema.org/draft-0"+strconv.Itoa(n+3)) {
			return n + 3
		}
	}
	if strings.Contains(name, "json-schema.org/draft/2019-09") {
		return 2019
	}
	return 2020
}

// visit calls f with each schema in v, the pointer to it, and its base URI. It visits inner schemas first. It
// skips schemas that are nested too deeply to be compared.
func (d *document) visit(v any, at string, base *url.URL, depth int, f func(s Node, at string, base *url.URL)) {
	if depth++; depth > 4*MaxDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for i, child := range v {
			d.visit(child, at+"/"+strconv.Itoa(i), base, depth, f)
		}
	case Node:
		base = d.base(v, base)
		for k, inner := range v {
			named, ok := inner.(Node)
			switch {
			case ok && slices.Contains(mapKeywords, k):
				for name, child := range named {
					d.visit(child, at+"/"+k+"/"+escapePointer(name), base, depth, f)
				}
			case !slices.Contains(dataKeywords, k):
				d.visit(inner, at+"/"+escapePointer(k), base, depth, f)
			}
		}
		f(v, at, base)
	}
}

func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "%", "%25").Replace(name)
}

// base returns the base URI for the references in a schema.
func (d *document) base(s Node, outer *url.URL) *url.URL {
	key := "$id"
	if d.dialect < 6 {
		key = "id"
	}
	id, _ := s[key].(string)
	if _, ignored := s["$ref"].(string); id == "" || id[0] == '#' || ignored && d.dialect < 2019 {
		return outer
	}
	u, err := outer.Parse(id)
	if err != nil {
		return outer
	}
	u.Fragment = ""
	return u
}

// index records the URI and the anchors of a schema.
func (d *document) index(s Node, at string, base *url.URL) {
	if old, twice := d.resources[base.String()]; !twice || len(at) < len(old) {
		d.resources[base.String()] = at // inner schemas are visited first
	}
	for _, k := range []string{"$anchor", "$dynamicAnchor", "$id", "id"} {
		if name, _ := s[k].(string); since[k] <= d.dialect && name != "" {
			if bare, ok := strings.CutPrefix(name, "#"); ok == strings.HasSuffix(k, "id") {
				d.anchors[base.String()+"#"+bare] = append(d.anchors[base.String()+"#"+bare], at)
				d.names[bare]++
			}
		}
	}
}

// rewrite translates a schema to the keywords of draft 2020-12.
func (d *document) rewrite(s Node, _ string, base *url.URL) {
	for k := range s {
		if since[k] > d.dialect {
			delete(s, k)
		}
	}
	if _, ok := s["$ref"].(string); ok && d.dialect <= 7 { // draft-07, section 8.3: other members are ignored
		maps.DeleteFunc(s, func(k string, _ any) bool {
			return k != "$ref" && k != "$defs" && k != "definitions" && !slices.Contains(Annotations, k)
		})
	}
	if id, ok := s["id"].(string); ok && d.dialect < 6 {
		delete(s, "id")
		s["$id"] = id
	}
	openBound(s, "minimum", "exclusiveMinimum")
	openBound(s, "maximum", "exclusiveMaximum")
	if list, ok := s["items"].([]any); ok && d.dialect < 2020 {
		s["prefixItems"] = list
		delete(s, "items")
		if rest, ok := s["additionalItems"]; ok {
			s["items"] = rest
		}
	}
	delete(s, "additionalItems")
	if s["contains"] != nil && s["unevaluatedItems"] != nil && d.dialect < 2020 {
		// Before 2020-12, items that match "contains" do not count as evaluated. The same is true
		// of items below "not".
		inner := Node{}
		for _, k := range []string{"contains", "minContains", "maxContains"} {
			if v, ok := s[k]; ok {
				inner[k] = v
				delete(s, k)
			}
		}
		parts, _ := s["allOf"].([]any)
		s["allOf"] = append(slices.Clone(parts), Node{"not": Node{"not": inner}})
	}
	if all, ok := s["dependencies"].(Node); ok && d.dialect <= 7 {
		dependencies(s, all)
	}
	d.references(s, base)
}

// openBound translates an exclusive bound, for which OpenAPI 3.0 and drafts up to 04 use two keywords, to a
// single keyword.
func openBound(s Node, bound, keyword string) {
	switch excluded, ok := s[keyword].(bool); {
	case !ok:
	case excluded && s[bound] != nil:
		s[keyword] = s[bound]
		delete(s, bound)
	default:
		delete(s, keyword)
	}
}

// dependencies replaces the keyword dependencies with dependentRequired and dependentSchemas.
func dependencies(s, all Node) {
	names, schemas := Node{}, Node{}
	for name, v := range all {
		switch v.(type) {
		case []any:
			names[name] = v
		case string:
			names[name] = []any{v}
		default:
			schemas[name] = v
		}
	}
	delete(s, "dependencies")
	if len(names) > 0 {
		s["dependentRequired"] = names
	}
	if len(schemas) > 0 {
		s["dependentSchemas"] = schemas
	}
}

// references writes the references of a schema as pointers. A dynamic reference that can have only one target
// becomes an ordinary reference.
func (d *document) references(s Node, base *url.URL) {
	for _, k := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		ref, ok := s[k].(string)
		if !ok || k != "$ref" && s["$ref"] != nil {
			continue
		}
		if at, ok := d.target(ref, base); ok && (k == "$ref" || d.hasOneTarget(ref)) {
			delete(s, k)
			s["$ref"] = "#" + at
		}
	}
	if name, _ := s["$dynamicAnchor"].(string); name != "" && d.hasOneTarget("#"+name) {
		delete(s, "$dynamicAnchor")
	}
	if len(d.resources) == 1 {
		delete(s, "$recursiveAnchor")
	}
}

// hasOneTarget reports whether a dynamic reference has the same target wherever evaluation starts.
func (d *document) hasOneTarget(ref string) bool {
	_, name, _ := strings.Cut(ref, "#")
	return len(d.resources) == 1 && (name == "" || d.names[name] == 1)
}

// target returns the pointer to the schema that a reference names.
func (d *document) target(ref string, base *url.URL) (string, bool) {
	u, err := base.Parse(ref)
	if err != nil {
		return "", false
	}
	fragment := u.Fragment
	u.Fragment, u.RawFragment = "", ""
	at, known := d.resources[u.String()]
	switch {
	case !known:
		return "", false
	case fragment == "" || fragment[0] == '/':
		return at + strings.ReplaceAll(fragment, "%", "%25"), true
	}
	all := d.anchors[u.String()+"#"+fragment]
	if len(all) != 1 {
		return "", false
	}
	return all[0], true
}
