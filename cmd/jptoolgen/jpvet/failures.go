package jpvet

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// failures finds out which codes the errors carry that functions return and variables
// hold, until nothing more comes to light.
func (p *program) failures() {
	for _, f := range p.funcs {
		p.fail[f] = newFlow()
		p.fail[f].judges = slices.ContainsFunc(f.Params, func(param *ssa.Parameter) bool { return isError(param.Type()) && p.examined(param) })
		p.compared[f] = comparedIn(p, f)
		p.mappers[f] = isMapper(f)
	}
	for _, member := range p.ssa.Members {
		if g, ok := member.(*ssa.Global); ok && carries(deref(g.Type())) {
			p.globals[g] = newFlow()
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range p.funcs {
			before := p.fail[f].size()
			p.fail[f].join(p.returned(f))
			changed = changed || p.fail[f].size() > before
		}
		for g, flow := range p.globals {
			before := flow.size()
			flow.join(p.stored(g))
			changed = changed || flow.size() > before
		}
	}
}

// returned returns the codes of what a function returns now. Those of one that turns an
// error into one of several codes are not sure: they depend on what it is given.
func (p *program) returned(f *ssa.Function) *flow {
	all := newFlow()
	for instr := range instructions(f) {
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
	if p.mappers[f] {
		clear(all.sure)
	}
	return all
}

// recoded returns the codes that a fault gets after it was made, which the function
// may return; nil for another store.
func (p *program) recoded(store *ssa.Store) *flow {
	addr, ok := store.Addr.(*ssa.FieldAddr)
	if !ok || !isFaultCode(addr) {
		return nil
	}
	codes := p.constantCodes(store.Val)
	clear(codes.sure)
	return codes
}

// isMapper reports whether a function turns an error into one of several codes.
func isMapper(f *ssa.Function) bool {
	takes := false
	for v := range f.Signature.Params().Variables() {
		takes = takes || isError(v.Type())
	}
	if !takes {
		return false
	}
	codes := map[string]bool{}
	for instr := range instructions(f) {
		if _, compares := instr.(*ssa.BinOp); compares {
			continue
		}
		for _, operand := range instr.Operands(nil) {
			if *operand != nil && isNamed((*operand).Type(), faultPath, "Code") {
				if code, ok := stringOf(*operand); ok {
					codes[code] = true
				}
			}
		}
	}
	return len(codes) > 1
}

// stored returns the codes of what is stored in a variable of the package, wherever.
func (p *program) stored(g *ssa.Global) *flow {
	all := newFlow()
	for _, store := range p.stores[g] {
		all.join(p.codes(store.Val, store.Pos()))
	}
	return all
}

// carries reports whether a value of type t may carry a code to a caller: an error, a
// list of them, or a function that returns one.
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

// isError reports whether t is an error, by whatever type.
func isError(t types.Type) bool {
	return types.Implements(t, errorInterface()) || isNamed(t, faultPath, "Error")
}

func errorInterface() *types.Interface {
	return types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
}

// comparedIn returns the codes that a function holds errors against: by fault.CodeOf,
// the field Code, or errors.Is. It deals with those itself.
func comparedIn(p *program, f *ssa.Function) map[string]bool {
	codes := map[string]bool{}
	for instr := range instructions(f) {
		switch instr := instr.(type) {
		case *ssa.BinOp:
			if (instr.Op == token.EQL || instr.Op == token.NEQ) && isNamed(instr.X.Type(), faultPath, "Code") {
				for _, v := range []ssa.Value{instr.X, instr.Y} {
					if code, ok := stringOf(v); ok {
						codes[code] = true
					}
				}
			}
		case *ssa.Call:
			if _, obj := p.callee(&instr.Call); inPackage(obj, "errors") == "Is" {
				for code := range p.codes(instr.Call.Args[1], token.NoPos).may {
					codes[code] = true
				}
			}
		}
	}
	return codes
}
