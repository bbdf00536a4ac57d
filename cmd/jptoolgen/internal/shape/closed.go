package shape

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// ClosedLike returns schema with undeclared members excluded in the same objects as in the schema like, which
// another SDK may have written. The values of schema must not have undeclared members, so the meaning stays the
// same.
func ClosedLike(schema, like jsontext.Value) jsontext.Value {
	s, ok := Decode(schema).(Node)
	root, known := Decode(like).(Node)
	if !ok || !known {
		return schema
	}
	Document(root)
	steps := maxFit
	closeLike(s, root, root, &steps, 0)
	text, err := json.Marshal(s)
	if err != nil {
		return schema
	}
	return text
}

func closeLike(s, like, root Node, steps *int, depth int) {
	like, known := Resolve(like, root)
	if !known || depth > MaxDepth || *steps < 0 {
		return
	}
	like = Normal(like, root, steps)
	if _, has := s["additionalProperties"]; !has && like["additionalProperties"] == false {
		s["additionalProperties"] = false
	}
	properties, _ := s["properties"].(Node)
	theirs, _ := like["properties"].(Node)
	for name, p := range properties {
		if inner, ok := p.(Node); ok {
			closeLike(inner, AsNode(theirs[name]), root, steps, depth+1)
		}
	}
	others := alternatives(like)
	for i, branch := range alternatives(s) {
		if inner, ok := branch.(Node); ok && i < len(others) {
			closeLike(inner, AsNode(others[i]), root, steps, depth+1)
		}
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		inner, ok := s[keyword].(Node)
		if other, has := like[keyword].(Node); ok && has {
			closeLike(inner, other, root, steps, depth+1)
		}
	}
}

// alternatives returns the schemas in anyOf, or if there is no anyOf, in oneOf.
func alternatives(s Node) []any {
	if list, ok := s["anyOf"].([]any); ok {
		return list
	}
	list, _ := s["oneOf"].([]any)
	return list
}
