package jpvet

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// failures determines the codes of the errors that functions return and variables hold. It repeats this until it
// finds no more codes.
func (p *program) failures() {
	for _, f := range p.funcs {
		p.fail[f] = newFlow()
		p.fail[f].Judges = slices.ContainsFunc(f.Params, func(param *ssa.Parameter) bool { return isError(param.Type()) && p.examined(param) })
		p.compared[f] = comparedIn(p, f)
	}
	for _, member := range p.ssa.Members {
		if g, ok := member.(*ssa.Global); ok && carries(sdktypes.Deref(g.Type())) {
			p.globals[g] = newFlow()
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range p.funcs {
			changed = p.fail[f].join(p.returned(f)) || changed
		}
		for g, flow := range p.globals {
			changed = flow.join(p.stored(g)) || changed
		}
	}
}

// returned returns the codes that f is known to return so far. If a function turns an error into one of several
// codes, none of them is in Sure, because they depend on its argument.
func (p *program) returned(f *ssa.Function) *flow {
	all := newFlow()
	for instr := range each[ssa.Instruction](f) {
		switch instr := instr.(type) {
		case *ssa.Return:
			for _, v := range instr.Results {
				if carries(v.Type()) {
					all.join(p.codes(v, instr.Pos()))
				}
			}
		case *ssa.Store:
			all.join(p.recoded(instr))
		}
	}
	if isMapper(f) {
		all.Sure = nil
	}
	return all
}

// recoded returns the codes that a store assigns to an existing fault, which the function may return. It returns
// nil for other stores.
func (p *program) recoded(store *ssa.Store) *flow {
	addr, ok := store.Addr.(*ssa.FieldAddr)
	if !ok || !isFaultCode(addr) {
		return nil
	}
	codes := p.constantCodes(store.Val)
	codes.Sure = nil
	return codes
}

// isMapper reports whether f turns an error into one of several codes.
func isMapper(f *ssa.Function) bool {
	takes := false
	for v := range f.Signature.Params().Variables() {
		takes = takes || isError(v.Type())
	}
	if !takes {
		return false
	}
	var codes set[string]
	for instr := range each[ssa.Instruction](f) {
		if _, compares := instr.(*ssa.BinOp); compares {
			continue
		}
		for _, operand := range instr.Operands(nil) {
			if *operand != nil && sdktypes.Is((*operand).Type(), sdktypes.Fault, "Code") {
				if code, ok := stringOf(*operand); ok {
					codes.add(code)
				}
			}
		}
	}
	return len(codes) > 1
}

// stored returns the codes of all values that are stored in a package variable.
func (p *program) stored(g *ssa.Global) *flow {
	all := newFlow()
	for _, store := range p.stores[g] {
		all.join(p.codes(store.Val, store.Pos()))
	}
	return all
}

// carries reports whether a value of type t may carry a code to a caller: an error, a list of errors, or a
// function that returns an error.
func carries(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		for v := range u.Results().Variables() {
			if isError(v.Type()) {
				return true
			}
		}
		return false
	case *types.Slice:
		return isError(u.Elem())
	case *types.Array:
		return isError(u.Elem())
	}
	return isError(t)
}

// isError reports whether t implements error or is the type fault.Error.
func isError(t types.Type) bool {
	return types.Implements(t, errorInterface()) || sdktypes.Is(t, sdktypes.Fault, "Error")
}

func errorInterface() *types.Interface {
	return types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
}

// comparedIn returns the codes with which f compares errors, using fault.CodeOf, the Code field, or errors.Is. f
// handles these codes itself.
func comparedIn(p *program, f *ssa.Function) (codes set[string]) {
	for instr := range each[ssa.Instruction](f) {
		switch instr := instr.(type) {
		case *ssa.BinOp:
			if (instr.Op == token.EQL || instr.Op == token.NEQ) && sdktypes.Is(instr.X.Type(), sdktypes.Fault, "Code") {
				for _, v := range []ssa.Value{instr.X, instr.Y} {
					if code, ok := stringOf(v); ok {
						codes.add(code)
					}
				}
			}
		case *ssa.Call:
			if _, obj := p.callee(&instr.Call); inPackage(obj, "errors") == "Is" {
				codes.add(p.codes(instr.Call.Args[1], token.NoPos).May...)
			}
		}
	}
	return codes
}
