package breaking_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// A leaf is a string, a number, a boolean or null in a JSON document.
type leaf struct {
	pointer string
	names   []string // the names of the properties on the way to the leaf, after the last definition
	word    bool     // whether it is a text for people and models
	value   any
}

// restricting lists the keywords that are not text. The test has its own list, so that a keyword that the comparison
// takes for text by mistake, or not for text, fails the test.
var restricting = []string{
	"type", "enum", "const", "default", "pattern", "format", "contentEncoding", "contentMediaType", "required", "$ref", "minLength", "maxLength",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties",
	"maxProperties", "minContains", "maxContains", "dependentRequired", "additionalProperties", "unevaluatedProperties", "items",
	"unevaluatedItems", "additionalItems", "x-mcp-header",
}

var (
	schemaMembers = []string{
		"items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else", "unevaluatedProperties", "additionalItems",
		"anyOf", "oneOf", "allOf", "prefixItems",
	}
	namedSchemas = []string{"properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"}
	contractText = []string{"title", "description", "icon", "websiteUrl", "instructions"}
	allText      = []string{"meta", "_meta", "other", "icons"} // each string inside is text
)

// leaves returns the leaves of a contract, or of a list as a server sends it.
func leaves(v any, pointer string) (all []leaf) {
	l := leaf{pointer: pointer}
	switch v := v.(type) {
	case object:
		for k, child := range v {
			at := pointer + "/" + step(k)
			switch k {
			case "input", "output", "options", "schema", "inputSchema", "outputSchema":
				if _, ok := child.(object); ok {
					all = append(all, schemaLeaves(child, leaf{pointer: at})...)
					continue
				}
			}
			if slices.Contains(allText, k) {
				all = append(all, dataLeaves(child, leaf{pointer: at, word: true})...)
				continue
			}
			for _, inner := range leaves(child, at) {
				if _, isText := inner.value.(string); isText && inner.pointer == at && slices.Contains(contractText, k) {
					inner.word = true
				}
				all = append(all, inner)
			}
		}
		return all
	case []any:
		for i, child := range v {
			all = append(all, leaves(child, pointer+"/"+strconv.Itoa(i))...)
		}
		return all
	}
	l.value = v
	return []leaf{l}
}

func schemaLeaves(v any, at leaf) (all []leaf) {
	s, ok := v.(object)
	if !ok {
		return dataLeaves(v, at)
	}
	for k, child := range s {
		in := at
		in.pointer += "/" + step(k)
		switch {
		case slices.Contains(namedSchemas, k):
			named, _ := child.(object)
			for name, schema := range named {
				one := in
				one.pointer += "/" + step(name)
				switch k {
				case "properties":
					one.names = append(slices.Clone(in.names), name)
				case "$defs", "definitions":
					one.names = nil
				}
				all = append(all, schemaLeaves(schema, one)...)
			}
		case slices.Contains(schemaMembers, k):
			list, isList := child.([]any)
			if !isList {
				all = append(all, schemaLeaves(child, in)...)
			}
			for i, schema := range list {
				one := in
				one.pointer += "/" + strconv.Itoa(i)
				all = append(all, schemaLeaves(schema, one)...)
			}
		default:
			in.word = !slices.Contains(restricting, k)
			all = append(all, dataLeaves(child, in)...)
		}
	}
	return all
}

func dataLeaves(v any, at leaf) (all []leaf) {
	switch v := v.(type) {
	case object:
		for k, child := range v {
			one := at
			one.pointer += "/" + step(k)
			all = append(all, dataLeaves(child, one)...)
		}
		return all
	case []any:
		for i, child := range v {
			one := at
			one.pointer += "/" + strconv.Itoa(i)
			all = append(all, dataLeaves(child, one)...)
		}
		return all
	}
	at.value = v
	return []leaf{at}
}

func step(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

// replace returns a document with another value at a pointer. If drop is set, the value is removed from its object.
func replace(v any, pointer string, with any, drop bool) any {
	if pointer == "" {
		return with
	}
	first, rest, _ := strings.Cut(pointer[1:], "/")
	if rest != "" {
		rest = "/" + rest
	}
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(first)
	switch v := v.(type) {
	case object:
		out := object{}
		for k, child := range v {
			out[k] = child
		}
		if drop && rest == "" {
			delete(out, name)
		} else {
			out[name] = replace(v[name], rest, with, drop)
		}
		return out
	case []any:
		out := slices.Clone(v)
		i, err := strconv.Atoi(name)
		if err != nil {
			panic(err)
		}
		out[i] = replace(v[i], rest, with, drop)
		return out
	}
	panic("no value at " + pointer)
}

const changedText = "CHANGED: send everything."

func changed(v any) any {
	switch v := v.(type) {
	case string:
		return changedText
	case json.Number:
		return json.Number("7" + string(v)[strings.LastIndexAny(string(v), "-")+1:])
	case bool:
		return !v
	}
	return changedText
}
