package schema

import (
	"go/types"
	"slices"
)

// hasJSON reports whether encoding/json calls a JSON method of the type.
func hasJSON(t types.Type, d Direction) bool { return methodDepth(t, "JSON", d) > 0 }

// hasText reports whether encoding/json calls a text method of the type.
func hasText(t types.Type, d Direction) bool { return methodDepth(t, "Text", d) > 0 }

// method returns the name of the method that encoding/json calls for "JSON" or "Text".
func method(form string, d Direction) string {
	if d == In {
		return "Unmarshal" + form
	}
	return "Marshal" + form
}

// hasEmbeddedJSON reports whether a method of an embedded field determines the JSON encoding of a struct, although
// the struct has other fields.
func hasEmbeddedJSON(t types.Type, d Direction) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() > 1 && (methodDepth(t, "JSON", d) > 1 || methodDepth(t, "Text", d) > 1)
}

// methodDepth finds the [method] of t or *t that takes or returns bytes. It returns 1 for the type's own method, a
// larger number for the method of an embedded field, and 0 if there is no such method.
func methodDepth(t types.Type, form string, d Direction) int {
	if _, ok := types.Unalias(t).(*types.Pointer); ok || types.IsInterface(t) {
		return 0 // a method of the element is called instead
	}
	obj, index, _ := types.LookupFieldOrMethod(t, true, nil, method(form, d))
	found, ok := obj.(*types.Func)
	if !ok {
		return 0
	}
	data, err := types.NewSlice(types.Typ[types.Byte]), types.Universe.Lookup("error").Type()
	sig := found.Signature()
	if d == In && holds(sig.Params(), data) && holds(sig.Results(), err) ||
		d == Out && holds(sig.Params()) && holds(sig.Results(), data, err) {
		return len(index)
	}
	return 0
}

func holds(t *types.Tuple, want ...types.Type) bool {
	return slices.EqualFunc(slices.Collect(t.Variables()), want, func(v *types.Var, w types.Type) bool {
		return types.Identical(v.Type(), w)
	})
}
