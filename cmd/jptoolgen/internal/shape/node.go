package shape

import (
	"strings"
)

// A Node is a decoded JSON Schema.
type Node = map[string]any

// Lookup returns the part of a schema that a reference points to. A reference is a JSON pointer in a fragment,
// such as "#/$defs/name".
func Lookup(root Node, ref string) (Node, bool) {
	at := root
	steps, ok := pointer(ref)
	for _, step := range steps {
		if at, ok = at[step].(Node); !ok {
			break
		}
	}
	return at, ok
}

// pointer splits a reference within a document into the steps of its JSON pointer.
func pointer(ref string) ([]string, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok || path != "" && path[0] != '/' {
		return nil, false
	}
	steps := strings.Split(path, "/")[1:]
	for i, step := range steps {
		steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
	}
	return steps, true
}
