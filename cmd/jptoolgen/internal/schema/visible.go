package schema

import (
	"go/types"
	"iter"
	"strings"
)

// IsHidden reports whether code in the package home cannot refer to t, because a part of t is unexported in another
// package or is in a package that home must not import. An alias may provide a visible name.
func IsHidden(t types.Type, home *types.Package) bool {
	switch t := t.(type) {
	case *types.Alias:
		if IsHiddenName(t.Obj(), home) {
			return IsHidden(types.Unalias(t), home)
		}
		return hidesOne(t.TypeArgs().Types(), home)
	case *types.Named:
		return IsHiddenName(t.Obj(), home) || hidesOne(t.TypeArgs().Types(), home)
	case *types.Pointer, *types.Slice, *types.Array, *types.Chan:
		return IsHidden(t.(interface{ Elem() types.Type }).Elem(), home)
	case *types.Map:
		return IsHidden(t.Key(), home) || IsHidden(t.Elem(), home)
	case *types.Struct:
		return hidesVar(t.Fields(), home)
	case *types.Signature:
		return hidesParam(t.Params(), home) || hidesParam(t.Results(), home)
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if !m.Exported() && m.Pkg() != home || IsHidden(m.Signature(), home) {
				return true
			}
		}
		return hidesOne(t.EmbeddedTypes(), home)
	}
	return false
}

func hidesOne(list iter.Seq[types.Type], home *types.Package) bool {
	for t := range list {
		if IsHidden(t, home) {
			return true
		}
	}
	return false
}

// hidesVar reports whether a struct literal in home cannot have one of the fields. The name of an embedded field is
// that of the alias by which it is embedded.
func hidesVar(fields iter.Seq[*types.Var], home *types.Package) bool {
	for f := range fields {
		if !f.Exported() && f.Pkg() != home || IsHidden(f.Type(), home) {
			return true
		}
		typ := f.Type()
		if p, ok := typ.(*types.Pointer); ok {
			typ = p.Elem()
		}
		if alias, ok := typ.(*types.Alias); ok && f.Embedded() && IsHiddenName(alias.Obj(), home) {
			return true
		}
	}
	return false
}

func hidesParam(t *types.Tuple, home *types.Package) bool {
	for v := range t.Variables() {
		if IsHidden(v.Type(), home) {
			return true
		}
	}
	return false
}

// IsHiddenName reports whether code in the package home cannot refer to a declared type or constant.
func IsHiddenName(obj types.Object, home *types.Package) bool {
	switch pkg := obj.Pkg(); {
	case pkg == nil: // a predeclared name
		return false
	case obj.Parent() != nil && obj.Parent() != pkg.Scope(): // declared in a function
		return true
	}
	return obj.Pkg() != home && (!obj.Exported() || !importable(obj.Pkg().Path(), home.Path()))
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
