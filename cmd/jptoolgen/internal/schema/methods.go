package schema

import "go/types"

// hasJSON reports whether encoding/json uses a method of the type for its JSON.
func hasJSON(t types.Type, d Direction) bool { return methodDepth(t, jsonMethod(d), d) > 0 }

// hasText reports whether encoding/json uses a method of the type for its text.
func hasText(t types.Type, d Direction) bool { return methodDepth(t, textMethod(d), d) > 0 }

func jsonMethod(d Direction) string {
	if d == In {
		return "UnmarshalJSON"
	}
	return "MarshalJSON"
}

func textMethod(d Direction) string {
	if d == In {
		return "UnmarshalText"
	}
	return "MarshalText"
}

// borrowed reports whether the JSON of a struct comes from a method of an embedded field, although the struct
// has other fields.
func borrowed(t types.Type, d Direction) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() > 1 && (methodDepth(t, jsonMethod(d), d) > 1 || methodDepth(t, textMethod(d), d) > 1)
}

// methodDepth finds a method of t or *t that takes or returns bytes. It returns 1 for the type's own method, a
// larger number for the method of an embedded field, and 0 if there is no such method.
func methodDepth(t types.Type, name string, d Direction) int {
	if _, ok := types.Unalias(t).(*types.Pointer); ok || types.IsInterface(t) {
		return 0 // a method of the element is called instead
	}
	obj, index, _ := types.LookupFieldOrMethod(t, true, nil, name)
	method, ok := obj.(*types.Func)
	if !ok {
		return 0
	}
	data, err := types.NewSlice(types.Typ[types.Byte]), types.Universe.Lookup("error").Type()
	sig := method.Signature()
	if d == In && holds(sig.Params(), data) && holds(sig.Results(), err) ||
		d == Out && holds(sig.Params()) && holds(sig.Results(), data, err) {
		return len(index)
	}
	return 0
}

func holds(t *types.Tuple, want ...types.Type) bool {
	if t.Len() != len(want) {
		return false
	}
	for i := range want {
		if !types.Identical(t.At(i).Type(), want[i]) {
			return false
		}
	}
	return true
}
