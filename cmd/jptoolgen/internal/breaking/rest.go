package breaking

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// judged lists the keywords that the rules cover. The definitions in $defs are compared where they are
// referenced.
var judged = slices.Concat([]string{
	"type", "enum", "const", "pattern", "format", "contentEncoding", "contentMediaType", "default", "properties", "required",
	"additionalProperties", "items", "prefixItems", "anyOf", "$defs", "definitions", "patternProperties",
}, boundKeywords, slices.Concat(appliedKeywords...))

// vocabulary lists the keywords outside judged that can restrict values: the keywords of all versions of JSON
// Schema, and x-mcp-header, which adds an argument to the headers of a request.
var vocabulary = []string{
	"oneOf", "additionalItems", "unevaluatedProperties", "unevaluatedItems", "dependencies", "$dynamicRef", "$dynamicAnchor",
	"$recursiveRef", "$recursiveAnchor", "$vocabulary", "extends", "disallow", "divisibleBy", "x-mcp-header",
}

// rest reports changes to keywords outside judged. Changes to keywords in the vocabulary are reported as
// unjudged. All other keywords are annotations (JSON Schema 2020-12 core, section 6.5).
func (w *walk) rest(path string, o, n node) {
	keys := map[string]bool{}
	for _, s := range []node{o, n} {
		for k := range s {
			if !slices.Contains(judged, k) && !slices.Contains(shape.Annotations, k) {
				keys[k] = true
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if w.isUnchanged(o[k], n[k]) && !(strings.HasPrefix(k, "unevaluated") && w.evaluatesOthers(o, n)) {
			continue
		}
		f := unjudged
		switch {
		case !slices.Contains(vocabulary, k):
			f = reworded
		case k == "dependencies" && n[k] == nil:
			f = loosened
		case k == "dependencies" && o[k] == nil:
			f = tightened
		}
		if f == reworded {
			w.log.say(path, k, o[k], n[k])
			w.report(f, path, k+" "+describeTexts(o[k], n[k]))
			continue
		}
		w.report(f, path, k+" "+describeChange(o[k], n[k]))
	}
}

// evaluatesOthers reports whether a change affects a keyword that applies schemas to the same value. Such a
// change can also affect which properties and items unevaluatedProperties and unevaluatedItems apply to.
func (w *walk) evaluatesOthers(o, n node) bool {
	return slices.ContainsFunc([]string{"anyOf", "oneOf", "allOf", "if", "then", "else", "dependentSchemas"}, func(k string) bool {
		return !w.isUnchanged(o[k], n[k])
	})
}

// isUnchanged reports whether two values of a keyword are equal and all schemas that they refer to are equal.
func (w *walk) isUnchanged(before, after any) bool {
	return reflect.DeepEqual(before, after) && (w.sameDefs || !hasReference(after, func(string) bool { return true }))
}

// isExternal reports whether a reference points to a location outside the definitions.
func isExternal(ref string) bool {
	return !strings.HasPrefix(ref, "#/$defs/") && !strings.HasPrefix(ref, "#/definitions/")
}

// hasReference reports whether a value contains a reference for which kind returns true.
func hasReference(v any, kind func(ref string) bool) bool {
	switch v := v.(type) {
	case node:
		for k, child := range v {
			ref, ok := child.(string)
			if k == "$ref" && (!ok || kind(ref)) || hasReference(child, kind) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(v any) bool { return hasReference(v, kind) })
	}
	return false
}
