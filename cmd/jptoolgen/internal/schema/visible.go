package schema

import (
	"go/types"
	"strings"
)

// isHidden reports whether the generated code cannot refer to t, because a part of t is unexported in another
// package or is in a package that home must not import. An alias may provide a visible name.
func (a *Analyzer) isHidden(t types.Type) bool {
	switch t := t.(type) {
	case *types.Alias:
		if a.hides(t.Obj()) {
			return a.isHidden(types.Unalias(t))
		}
		return a.containsHidden(t.TypeArgs())
	case *types.Named:
		return a.hides(t.Obj()) || a.containsHidden(t.TypeArgs())
	case *types.Pointer, *types.Slice, *types.Array:
		return a.isHidden(t.(interface{ Elem() types.Type }).Elem())
	case *types.Map:
		return a.isHidden(t.Key()) || a.isHidden(t.Elem())
	}
	return false
}

func (a *Analyzer) containsHidden(list *types.TypeList) bool {
	for t := range list.Types() {
		if a.isHidden(t) {
			return true
		}
	}
	return false
}

func (a *Analyzer) hides(obj *types.TypeName) bool {
	return obj.Pkg() != nil && obj.Pkg() != a.home && (!obj.Exported() || !importable(obj.Pkg().Path(), a.home.Path()))
}

// importable applies the rule of the go command: only code below the parent of an internal directory can import
// packages below that directory.
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
