package schema

import (
	"go/types"
	"strings"
)

// hidden reports whether the generated code could not write t: a part of it has a
// name only in its own package, or in one that the home may not import. Aliases that
// can be named stand for what cannot.
func (a *Analyzer) hidden(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		if a.hides(t.Obj()) {
			return a.hidden(types.Unalias(t))
		}
		return a.hiddenAny(t.TypeArgs())
	case *types.Named:
		return a.hides(t.Obj()) || a.hiddenAny(t.TypeArgs())
	case *types.Pointer:
		return a.hidden(t.Elem())
	case *types.Slice:
		return a.hidden(t.Elem())
	case *types.Array:
		return a.hidden(t.Elem())
	case *types.Map:
		return a.hidden(t.Key()) || a.hidden(t.Elem())
	}
	return false
}

func (a *Analyzer) hiddenAny(list *types.TypeList) bool {
	for t := range list.Types() {
		if a.hidden(t) {
			return true
		}
	}
	return false
}

func (a *Analyzer) hides(obj *types.TypeName) bool {
	return obj.Pkg() != nil && obj.Pkg() != a.home && (!obj.Exported() || !importable(obj.Pkg().Path(), a.home.Path()))
}

// importable follows the go command: code below the parent of an internal directory
// may import what is below that directory.
func importable(path, from string) bool {
	elements := strings.Split(path, "/")
	for i := len(elements) - 1; i >= 0; i-- {
		if elements[i] == "internal" || elements[i] == "vendor" {
			parent := strings.Join(elements[:i], "/")
			return i > 0 && (from == parent || strings.HasPrefix(from, parent+"/"))
		}
	}
	return true
}
