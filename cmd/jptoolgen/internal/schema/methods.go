package schema

import "go/types"

// hasJSON reports whether encoding/json uses a method of the type for its JSON.
func hasJSON(t types.Type, d Direction) bool { return methodDepth(t, d, "JSON") > 0 }

// hasText reports whether encoding/json uses a method of the type for its text.
func hasText(t types.Type, d Direction) bool { return methodDepth(t, d, "Text") > 0 }

// borrowed reports whether the JSON of a struct comes from a method of an embedded field, although the struct
// has other fields.
func borrowed(t types.Type, d Direction) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() > 1 && (methodDepth(t, d, "JSON") > 1 || methodDepth(t, d, "Text") > 1)
}

// methodFor returns the name of the method for a format, "JSON" or "Text".
func methodFor(d Direction, format string) string {
	if d == In {
		return "Unmarshal" + format
	}
	return "Marshal" + format
}

// methodDepth finds the method of t or *t for a format. It returns 1 for the type's own method, a larger number for
// the method of an embedded field, and 0 if there is no such method.
func methodDepth(t types.Type, d Direction, format string) int {
	if _, ok := types.Unalias(t).(*types.Pointer); ok || types.IsInterface(t) {
		return 0 // a method of the element is called instead
	}
	data, err := types.NewSlice(types.Typ[types.Byte]), types.Universe.Lookup("error").Type()
	params, results := []types.Type{data}, []types.Type{err}
	if d == Out {
		params, results = nil, []types.Type{data, err}
	}
	return lookup(t, methodFor(d, format), params, results)
}

// lookup returns the depth of a method with the given parameters and results, or 0 if there is no such method.
func lookup(t types.Type, name string, params, results []types.Type) int {
	obj, index, _ := types.LookupFieldOrMethod(t, true, nil, name)
	if m, ok := obj.(*types.Func); ok && holds(m.Signature().Params(), params) && holds(m.Signature().Results(), results) {
		return len(index)
	}
	return 0
}

func holds(t *types.Tuple, want []types.Type) bool {
	for i, w := range want {
		if i >= t.Len() || !types.Identical(t.At(i).Type(), w) {
			return false
		}
	}
	return t.Len() == len(want)
}
