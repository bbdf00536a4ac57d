// Package sdktypes names the packages of the SDK and recognizes their types.
package sdktypes

import (
	"go/types"
	"strings"
)

// Paths of the module, the SDK, and its packages. Only generated code imports Handler and the packages in Gen.
const (
	Module  = "github.com/jptool/jptool"
	SDK     = Module + "/sdk"
	Access  = SDK + "/access"
	Client  = SDK + "/client"
	Content = SDK + "/content"
	Elicit  = SDK + "/elicit"
	Fault   = SDK + "/fault"
	Gen     = SDK + "/gen"
	Tool    = SDK + "/tool"
	Handler = Tool + "/gen/handler"
)

// IsReserved reports whether only generated code imports the package with the given path.
func IsReserved(path string) bool { return path == Handler || strings.HasPrefix(path, Gen+"/") }

// Named returns t as a named type, with aliases resolved. It returns nil for other types.
func Named(t types.Type) *types.Named {
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// Name returns the name of a type that the package with the given path declares, or "" for other types.
func Name(t types.Type, path string) string {
	if named := Named(t); named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path {
		return named.Obj().Name()
	}
	return ""
}

// Is reports whether t is the type path.name.
func Is(t types.Type, path, name string) bool { return Name(t, path) == name }

// Deref returns the element type of a pointer type, and any other type unchanged.
func Deref(t types.Type) types.Type {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		return pointer.Elem()
	}
	return t
}
