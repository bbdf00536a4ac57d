package shape

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Node is a decoded JSON Schema.
type Node = map[string]any

// Lookup returns the part of a schema that a reference points to. A reference is a JSON pointer in a fragment,
// such as "#/$defs/name".
func Lookup(root Node, ref string) (Node, bool) {
	var at any = root
	steps, ok := pointer(ref)
	for _, step := range steps {
		switch v := at.(type) {
		case Node:
			at = v[step]
		case []any:
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(v) {
				at = v[i]
				continue
			}
			return nil, false
		default:
			return nil, false
		}
	}
	s, isSchema := at.(Node)
	return s, ok && isSchema
}

// unescape replaces the escapes in a step of a JSON pointer.
var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// pointer splits a reference within a document into the steps of its JSON pointer.
func pointer(ref string) ([]string, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok || path != "" && path[0] != '/' {
		return nil, false
	}
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	steps := strings.Split(path, "/")[1:]
	for i, step := range steps {
		steps[i] = unescape.Replace(step)
	}
	return steps, true
}

// Opened returns two schemas without the statement that objects have no undeclared members. If the object of the first
// schema itself has this statement, it returns both schemas unchanged.
func Opened(schema, other jsontext.Value) (opened, alsoOpened jsontext.Value) {
	root, also := Decode(schema), Decode(other)
	if s, ok := root.(Node); !ok || also == nil || s["additionalProperties"] == false {
		return schema, other
	}
	open(root)
	open(also)
	opened, _ = json.Marshal(root) // cannot fail: both were decoded from JSON
	alsoOpened, _ = json.Marshal(also)
	return opened, alsoOpened
}

func open(v any) {
	switch v := v.(type) {
	case Node:
		maps.DeleteFunc(v, func(k string, child any) bool { return k == "additionalProperties" && child == false })
		for _, child := range v {
			open(child)
		}
	case []any:
		for _, child := range v {
			open(child)
		}
	}
}

// Bare returns a schema without the given keywords. It keeps properties with such names.
func Bare(s any, without []string) any { return stripAnnotations(s, without, false) }

// stripAnnotations is like [Bare], but if names is set, the members of v are properties, not keywords.
func stripAnnotations(v any, without []string, names bool) any {
	switch v := v.(type) {
	case Node:
		left := maps.Clone(v)
		for k, child := range v {
			switch {
			case !names && slices.Contains(without, k):
				delete(left, k)
			case names || !slices.Contains(dataKeywords, k):
				left[k] = stripAnnotations(child, without, !names && k == "properties")
			}
		}
		return left
	case []any:
		list := make([]any, len(v))
		for i, child := range v {
			list[i] = stripAnnotations(child, without, false)
		}
		return list
	}
	return v
}
