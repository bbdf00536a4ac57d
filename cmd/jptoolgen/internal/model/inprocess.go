package model

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// ElicitorName is what the generated file calls the interface that answers the
// questions of a method, in the same process. It is exported if the method is.
func ElicitorName(method string) string { return method + "Elicitor" }

// CallerName is what the generated file calls the function that calls a method
// with such an interface.
func CallerName(method string) string {
	if ast.IsExported(method) {
		return "Call" + method
	}
	return "call" + strings.ToUpper(method[:1]) + method[1:]
}

// takenNames finds names that users of the generated file refer to, and that the
// source declares already.
func (b *builder) takenNames(s *Server) {
	first := map[string]*Tool{}
	for _, t := range s.Tools {
		if t.Questions == nil {
			continue
		}
		for _, name := range []string{ElicitorName(t.Method.Name()), CallerName(t.Method.Name())} {
			if obj := b.pkg.Types.Scope().Lookup(name); obj != nil && b.handwritten(obj) {
				b.list.Add(obj.Pos(), diag.TakenName, "%s is declared here, and the generated file declares it for tool %s", name, t.Name).
					Suggest("rename it, or method %s", t.Method.Name())
			}
			if other, taken := first[name]; taken {
				b.list.Add(t.Method.Pos(), diag.TakenName, "the generated file declares %s for method %s, and for method %s too", name, t.Method.Name(), other.Method.Name()).
					Suggest("rename one of them")
			}
			first[name] = t
		}
	}
}

// handwritten reports whether an object stands in a file that the author wrote.
func (b *builder) handwritten(obj types.Object) bool {
	for _, f := range b.pkg.Files {
		if f.FileStart <= obj.Pos() && obj.Pos() < f.FileEnd {
			return true
		}
	}
	return false
}
