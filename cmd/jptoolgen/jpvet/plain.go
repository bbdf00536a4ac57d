package jpvet

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// isPlain reports whether t is an error type that neither has a code nor wraps an error.
func isPlain(t types.Type) bool {
	if !types.Implements(t, errorInterface()) {
		return false
	}
	named := sdktypes.Named(sdktypes.Deref(t))
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() == sdktypes.Fault || mapped(named.Obj().Pkg()) {
		return false
	}
	methods := types.NewMethodSet(types.NewPointer(named))
	return !slices.ContainsFunc([]string{"Unwrap", "Is", "As"}, func(name string) bool {
		return methods.Lookup(named.Obj().Pkg(), name) != nil
	})
}

// examined reports whether the program examines which error v is.
func (p *program) examined(v ssa.Value) bool {
	return isError(v.Type()) && used(v, func(use ssa.Instruction) bool { return p.examines(use, v) })
}

func (p *program) examines(use ssa.Instruction, v ssa.Value) bool {
	switch use := use.(type) {
	case *ssa.TypeAssert:
		return true
	case *ssa.BinOp:
		return !isNilConst(use.X) && !isNilConst(use.Y)
	case *ssa.ChangeInterface:
		return used(use, func(next ssa.Instruction) bool { return p.examines(next, use) })
	case *ssa.Store: // in a variable
		variable, ok := use.Addr.(*ssa.Alloc)
		return ok && use.Val == v && slices.ContainsFunc(users[*ssa.UnOp](variable), func(load *ssa.UnOp) bool {
			return used(load, func(next ssa.Instruction) bool {
				_, stored := next.(*ssa.Store)
				return !stored && p.examines(next, load)
			})
		})
	case *ssa.Call:
		_, obj := p.callee(&use.Call)
		if examinesError(obj) {
			return use.Call.Args[0] == v
		}
		return inPackage(obj, sdktypes.Fault) == "CodeOf" || isBasic(use.Type(), types.IsBoolean)
	}
	return false
}

// reset reports whether a function literal assigns to a variable, such as a deferred literal that wraps the
// error.
func reset(variable ssa.Value) bool {
	return slices.ContainsFunc(users[*ssa.MakeClosure](variable), func(made *ssa.MakeClosure) bool {
		return !isLoop(made.Fn.(*ssa.Function)) && sets(captive(made, variable))
	})
}
