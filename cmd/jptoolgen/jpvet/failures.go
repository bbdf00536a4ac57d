package jpvet

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// A set is a sorted list without duplicates. Sorted facts have the same bytes in every run.
type set[T cmp.Ordered] []T

func (s *set[T]) add(values ...T) {
	for _, v := range values {
		if i, known := slices.BinarySearch(*s, v); !known {
			*s = slices.Insert(*s, i, v)
		}
	}
}

func (s set[T]) has(v T) bool {
	_, known := slices.BinarySearch(s, v)
	return known
}

// A flow holds the error codes that an error may carry. It is a fact about a function's error, or about a variable.
type flow struct {
	// May holds every code that the error may carry. Sure holds only the codes that do not depend on an argument
	// and that no function on the path handles.
	May, Sure set[string]
	// Unknown is set if there may be other codes.
	Unknown bool
	// Params holds the indexes of the parameters whose codes the error carries. In a fact about a function, the
	// error is the function's result.
	Params set[int]
	// Plain is set in a fact about an error that may have no code. Judges is set if a function examines which
	// error it receives.
	Plain, Judges bool
	// plain describes what creates each error without a code in this package, keyed by position.
	plain map[token.Pos]string
}

// AFact marks flow as a fact.
func (*flow) AFact() {}

func (f *flow) String() string {
	text := "fails with " + strings.Join(f.May, " ")
	if f.Unknown {
		text += " and others"
	}
	if len(f.Params) > 0 {
		text += " and codes of its arguments"
	}
	return text
}

func newFlow() *flow { return &flow{plain: map[token.Pos]string{}} }

// code adds a code that originates here.
func (f *flow) code(code string) {
	f.May.add(code)
	f.Sure.add(code)
}

// addUncoded adds an error without a code. If there are two errors at one position, every run keeps the same one.
func (f *flow) addUncoded(pos token.Pos, what string) {
	if known, ok := f.plain[pos]; !ok || what < known {
		f.plain[pos] = what
	}
}

// join adds the codes of other, and reports whether it added any.
func (f *flow) join(other *flow) (more bool) {
	size := func() int { return len(f.May) + len(f.Sure) + len(f.Params) + len(f.plain) }
	before, known := size(), f.Unknown
	f.carry(other, nil)
	f.Params.add(other.Params...)
	for pos, what := range other.plain {
		f.addUncoded(pos, what)
	}
	return size() > before || f.Unknown != known
}

// carry adds the codes that the result of a call has regardless of its arguments. dealt holds the codes that the
// caller handles itself and might not return.
func (f *flow) carry(result *flow, dealt set[string]) {
	f.May.add(result.May...)
	for _, code := range result.Sure {
		if !dealt.has(code) {
			f.Sure.add(code)
		}
	}
	f.Unknown = f.Unknown || result.Unknown
}

// failures determines the codes of the errors that functions return and variables hold. It repeats the analysis
// until it finds no more codes.
func (p *program) failures() {
	for _, f := range p.funcs {
		p.fail[f] = newFlow()
		p.fail[f].Judges = slices.ContainsFunc(f.Params, func(param *ssa.Parameter) bool { return isError(param.Type()) && p.isExamined(param) })
		p.compared[f] = comparedCodes(p, f)
	}
	for _, member := range p.ssa.Members {
		if g, ok := member.(*ssa.Global); ok && carries(sdktypes.Deref(g.Type())) {
			p.globals[g] = newFlow()
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range p.funcs {
			changed = p.fail[f].join(p.returnedCodes(f)) || changed
		}
		for g, flow := range p.globals {
			for _, store := range p.stores[g] {
				changed = flow.join(p.codes(store.Val, store.Pos())) || changed
			}
		}
	}
}

// returnedCodes returns the codes that f is known to return so far. If a function turns an error into one of several
// codes, none of them is in Sure, because they depend on its argument.
func (p *program) returnedCodes(f *ssa.Function) *flow {
	all := newFlow()
	for instr := range each[ssa.Instruction](f) {
		switch instr := instr.(type) {
		case *ssa.Return:
			for _, v := range instr.Results {
				if carries(v.Type()) {
					all.join(p.codes(v, instr.Pos()))
				}
			}
		case *ssa.Store: // the function may return an existing fault to which it assigns a code
			if addr, ok := instr.Addr.(*ssa.FieldAddr); ok && isFaultCode(addr) {
				codes := p.codes(instr.Val, token.NoPos)
				codes.Sure = nil
				all.join(codes)
			}
		}
	}
	if isMapper(f) {
		all.Sure = nil
	}
	return all
}

// isMapper reports whether f turns an error into one of several codes.
func isMapper(f *ssa.Function) bool {
	if errorIndex(f.Signature.Params()) < 0 {
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

// carries reports whether a value of type t may carry a code to a caller: an error, a list of errors, or a
// function that returns an error.
func carries(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return errorIndex(u.Results()) >= 0
	case *types.Slice, *types.Array:
		return isError(elemOf(u))
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

// comparedCodes returns the codes with which f compares errors, using fault.CodeOf, the Code field, or errors.Is. f
// handles these codes itself.
func comparedCodes(p *program, f *ssa.Function) (codes set[string]) {
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
