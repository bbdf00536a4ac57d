package breaking

import (
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// The rules compare schemas in a normal form, which has fewer texts than the documents that a model reads: the titles
// of constants, the text of a null branch, unused definitions and texts that a sibling of $ref hides are not in it.
// Therefore, a second walk goes over the documents as they are written. It reports each text that differs and that the
// rules have not reported, and lists the places of all other differences that the rules have not reported.

func pointerStep(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

// A difference is a text, or another part of a document if it has no keyword, that differs.
type difference struct {
	place
	keyword  string
	from, to any
	quiet    bool // a rule has reported the part that contains the text
}

// writtenSchemas compares two schemas as they are written.
type writtenSchemas struct {
	log   *ruleLog
	uses  map[string][]string // the paths of the references to each part of the documents
	found []difference
}

// maxUses is the maximum number of references to a definition whose paths are recorded.
const maxUses = 64

// maxDifferences is the maximum number of differences between two documents that are listed one by one.
const maxDifferences = 10_000

// schemaMaps, schemaLists and innerSchemas are the keywords with schemas inside. The values are suffixes of paths.
var (
	schemaMaps = map[string]string{
		"properties": ".", "patternProperties": ".*", "dependentSchemas": "", "dependencies": "",
		"$defs": ".$defs.", "definitions": ".definitions.",
	}
	schemaLists  = []string{"anyOf", "oneOf", "allOf", "prefixItems", "items", "disallow", "extends", "type"}
	innerSchemas = map[string]string{
		"items": "[]", "additionalItems": "[]", "unevaluatedItems": "[]", "contains": "", "additionalProperties": ".*",
		"unevaluatedProperties": ".*", "propertyNames": ".*", "not": "", "if": "", "then": "", "else": "", "extends": "", "disallow": "",
	}
)

// isText reports whether a keyword holds text for people and models, and does not restrict values.
func isText(keyword string) bool {
	return slices.Contains(shape.Annotations, keyword) ||
		keyword != "$ref" && !slices.Contains(judged, keyword) && !slices.Contains(vocabulary, keyword)
}

// differences compares two documents. part is the path of both. old and new are the same documents as the rules
// compared them.
func differences(from, to any, old, new node, part string, log *ruleLog) []difference {
	d := &writtenSchemas{log: log, uses: map[string][]string{}}
	for _, root := range []node{old, new} {
		d.references(root, part)
	}
	root := place{where: part, rules: []string{part}}
	d.value(from, to, root)
	left := d.rest()
	if len(d.found) == maxDifferences {
		left = append(left, difference{place: root})
	}
	return left
}

// references records the paths of the references in a document.
func (d *writtenSchemas) references(root node, part string) {
	type reference struct{ target, where string }
	var inner []reference // references in definitions, whose paths begin with the pointer of the definition
	var visit func(v any, where, pointer string, depth int)
	visit = func(v any, where, pointer string, depth int) {
		s, ok := v.(node)
		if !ok || depth > 4*shape.MaxDepth {
			return
		}
		if ref, ok := s["$ref"].(string); ok {
			target := strings.TrimPrefix(ref, "#")
			if plain, err := url.PathUnescape(target); err == nil {
				target = plain
			}
			if strings.Contains(where, "\x00") {
				inner = append(inner, reference{target, where})
			} else if len(d.uses[target]) < maxUses {
				d.uses[target] = append(d.uses[target], where)
			}
		}
		for _, k := range slices.Sorted(maps.Keys(s)) {
			at := pointer + "/" + pointerStep(k)
			suffix, named := schemaMaps[k]
			all, isMap := s[k].(node)
			list, isList := s[k].([]any)
			switch {
			case named && isMap:
				for _, name := range slices.Sorted(maps.Keys(all)) {
					inside := where + suffix
					if k == "properties" {
						inside += name
					} else if strings.HasSuffix(suffix, "s.") {
						inside = at + "/" + pointerStep(name) + "\x00"
					}
					visit(all[name], inside, at+"/"+pointerStep(name), depth+1)
				}
			case isMap:
				visit(all, where+innerSchemas[k], at, depth+1)
			case isList && slices.Contains(schemaLists, k):
				for i, v := range list {
					inside := where
					if k == "prefixItems" {
						inside += "[" + strconv.Itoa(i) + "]"
					}
					visit(v, inside, at+"/"+strconv.Itoa(i), depth+1)
				}
			}
		}
	}
	visit(root, part, "", 0)
	for more, steps := true, 1<<20; more && steps > 0; { // definitions that refer to other definitions
		more = false
		for _, r := range inner {
			def, rest, _ := strings.Cut(r.where, "\x00")
			for _, use := range d.uses[def] {
				all := d.uses[r.target]
				if steps -= 1 + len(all); steps < 0 || len(all) == maxUses || slices.Contains(all, use+rest) || len(use+rest) > 1<<12 {
					continue
				}
				d.uses[r.target], more = append(all, use+rest), true
			}
		}
	}
}

// add records a difference.
func (d *writtenSchemas) add(p place, keyword string, from, to any, quiet bool) {
	if len(d.found) < maxDifferences {
		d.found = append(d.found, difference{p, keyword, from, to, quiet})
	}
}

// value compares two schemas.
func (d *writtenSchemas) value(from, to any, p place) {
	o, isNode := from.(node)
	n, alsoNode := to.(node)
	switch {
	case len(d.found) == maxDifferences || reflect.DeepEqual(from, to):
	case isNode && alsoNode && strings.Count(p.pointer, "/") < 4*shape.MaxDepth:
		d.schema(o, n, p)
	case isNode && alsoNode: // nested too deeply to be listed in detail
		d.add(p, "schema", from, to, false)
	default:
		d.add(p, "", from, to, false)
		d.texts(from, p, false)
		d.texts(to, p, true)
	}
}

func (d *writtenSchemas) schema(o, n node, p place) {
	for _, k := range changedKeys(o, n) {
		a, b := o[k], n[k]
		x, isMap := a.(node)
		y, alsoMap := b.(node)
		before, isList := a.([]any)
		after, alsoList := b.([]any)
		suffix, named := schemaMaps[k]
		inner, single := innerSchemas[k]
		switch {
		case k == "default" && a != nil && b != nil && equalNumbers(a, b):
			d.add(p.key(k), "", a, b, false)
		case k == "default" || isText(k):
			d.add(p, k, a, b, false)
		case named && (isMap || a == nil) && (alsoMap || b == nil):
			d.named(x, y, k, suffix, p)
		case single && isMap && alsoMap && inner == "":
			d.value(a, b, p.key(k))
		case single && isMap && alsoMap:
			d.value(a, b, p.member(k, inner))
		case isList && alsoList && slices.Contains(schemaLists, k):
			d.list(before, after, k, p)
		default:
			d.add(p.key(k), "", a, b, false)
			d.oneSided(k, a, p, false)
			d.oneSided(k, b, p, true)
		}
	}
}

// equalNumbers reports whether two values are equal if 1.0 equals 1.
func equalNumbers(a, b any) bool {
	normal := func(v any) any { return normalizeNumbers(shape.Decode([]byte(canonical(v)))) }
	return reflect.DeepEqual(normal(a), normal(b))
}

// changedKeys returns the sorted names of the members that differ between two objects.
func changedKeys(o, n node) []string {
	keys := map[string]bool{}
	for _, s := range []node{o, n} {
		for k := range s {
			if has(o, k) != has(n, k) || !reflect.DeepEqual(o[k], n[k]) {
				keys[k] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

func has(s node, k string) bool {
	_, ok := s[k]
	return ok
}

// named compares the values of a keyword that maps names to schemas.
func (d *writtenSchemas) named(o, n node, k, suffix string, p place) {
	at := func(name string) place {
		q := place{pointer: p.pointer + "/" + pointerStep(k)}
		switch {
		case k == "properties":
			q = p.member(k, suffix+name)
		case strings.HasPrefix(suffix, ".") && suffix != ".*": // definitions
			q.where = p.where + suffix + name
			q.rules = append(slices.Clone(d.uses[q.pointer+"/"+pointerStep(name)]), q.where)
		case suffix != "":
			q = p.member(k, suffix)
			q.inside = k + "." + name
		default:
			q = p.key(k)
			q.inside += "." + name
		}
		q.pointer += "/" + pointerStep(name)
		return q
	}
	taken := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(n)) {
		q := at(name)
		from := name
		if old, ok := d.log.renamed[q.where]; ok && k == "properties" && !has(o, name) {
			from = old
		}
		taken[from] = true
		if !has(o, from) {
			d.add(q, "", nil, n[name], false)
			d.texts(n[name], q, true)
			continue
		}
		d.value(o[from], n[name], q)
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !taken[name] {
			d.add(at(name), "", o[name], nil, false)
			d.texts(o[name], at(name), false)
		}
	}
}

// list compares the values of a keyword that has a list of schemas.
func (d *writtenSchemas) list(o, n []any, k string, p place) {
	at := func(v any, i int) place {
		switch constant, ok := shape.AsNode(v)["const"]; {
		case k == "prefixItems" || k == "items":
			q := p.member(k, "["+strconv.Itoa(i)+"]")
			q.pointer += "/" + strconv.Itoa(i)
			return q
		case ok:
			q := p.member(k, "."+wordOf(constant))
			q.pointer += "/" + strconv.Itoa(i)
			return q
		}
		q := p.key(k)
		q.inside += "[" + strconv.Itoa(i) + "]"
		q.pointer += "/" + strconv.Itoa(i)
		return q
	}
	to := pairBranches(o, n, k != "prefixItems" && k != "items")
	taken, last := map[int]bool{}, -1
	for i, j := range to {
		if j < 0 {
			d.add(at(o[i], i), "", o[i], nil, false)
			d.texts(o[i], at(o[i], i), false)
			continue
		}
		if taken[j] = true; j < last {
			d.add(p.key(k), "", o, n, false)
		}
		last = max(last, j)
		d.value(o[i], n[j], at(n[j], j))
	}
	for j := range n {
		if !taken[j] { // a rule names the new values, but not the texts of a new alternative
			first := len(d.found)
			d.add(at(n[j], j), "", nil, n[j], false)
			d.texts(n[j], at(n[j], j), true)
			d.silence(first, false)
		}
	}
}
