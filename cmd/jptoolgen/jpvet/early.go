package jpvet

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// An earlyUse is the first use of an answer on a path on which its error has not been checked.
type earlyUse struct {
	at ssa.Instruction // nil if there is none
	// effect is the name of a side effect that runs because the answer is its zero value, or "" if the answer itself
	// is used.
	effect string
}

// findEarlyUse follows the paths on which the question of a call may not have been answered, up to the first check of
// the error.
func (c *checker) findEarlyUse(call ssa.CallInstruction) (found earlyUse) {
	w := &walker{program: c.program, call: call, onReturn: func(*state, *ssa.Return) {}, onRepeat: func(*state) {}}
	use := func(at ssa.Instruction, effect string) {
		if effect == "" && !c.answers(call) {
			return
		}
		if found.at == nil || posOf(at) < posOf(found.at) {
			found = earlyUse{at, effect}
		}
	}
	w.onStep = func(x *state, instr ssa.Instruction) (ends bool) {
		if x.read || x.nonNil || x.acknowledged || x.escaped {
			return true
		}
		if usesAny(instr, func(v ssa.Value) bool { return x.held[v] }) {
			return false // the instruction reads or stores the error
		}
		onAnswer := usesAny(instr, func(v ssa.Value) bool { return w.isOfAnswer(x, v) })
		if onAnswer && acts(instr) && !c.isOnlyReturned(instr) {
			use(instr, "")
		}
		if _, returns := instr.(*ssa.Return); returns {
			if branch := w.declinedBy(instr.Block()); branch != nil && comparesValue(branch) {
				use(branch, "")
			}
		}
		next, ok := instr.(ssa.CallInstruction)
		if !ok {
			return false
		}
		did := c.callBehavior(next)
		if did.Asks {
			return true // what follows may depend on another answer
		}
		branch := w.declinedBy(next.Block())
		switch effect := did.Effects[change]; {
		case branch == nil:
			w.findInCallees(next, use)
			if chosen := w.chosenEffect(next); chosen != "" {
				use(next, w.withCallee(next, chosen))
			}
		case effect != "":
			use(next, c.withCallee(next, effect))
		case comparesValue(branch) && !c.isHarmless(next):
			use(branch, "")
		}
		return false
	}
	if !w.walk() {
		return earlyUse{}
	}
	return found
}

// findInCallees finds side effects in function literals that a call runs, if the literals examine the answer.
func (w *walker) findInCallees(call ssa.CallInstruction, use func(at ssa.Instruction, effect string)) {
	if _, deferred := call.(*ssa.Defer); deferred {
		return // the effect cleans up unless the user said yes
	}
	for inner := range calls(w.ownRun(call)...) {
		if effect := w.callBehavior(inner).Effects[change]; effect != "" && w.declinedBy(inner.Block()) != nil {
			use(call, w.withCallee(inner, effect))
		}
	}
}

// usesAny reports whether match returns true for an operand of an instruction.
func usesAny(instr ssa.Instruction, match func(ssa.Value) bool) bool {
	return slices.ContainsFunc(instr.Operands(nil), func(v *ssa.Value) bool { return *v != nil && match(*v) })
}

// acts reports whether an instruction acts on an answer. Passing the answer on and comparing it with a constant do
// not count.
func acts(use ssa.Instruction) bool {
	switch use := use.(type) {
	case *ssa.Return, *ssa.If, *ssa.Phi, *ssa.Store:
		return false
	case *ssa.UnOp:
		return use.Op != token.NOT
	case *ssa.BinOp:
		return !isTest(use)
	case *ssa.Call: // comparing the length does not count, either
		return lengthOf(use) == nil || isUsedBy(use, acts)
	}
	return true
}

// isTest reports whether an operation compares a value, or the length of a value, with a constant.
func isTest(op *ssa.BinOp) bool {
	return (isConstant(op.X) || isConstant(op.Y)) &&
		(op.Op == token.EQL || op.Op == token.NEQ || isBasic(op.Type(), types.IsBoolean) && (lengthOf(op.X) != nil || lengthOf(op.Y) != nil))
}

// lengthOf returns the value whose length v is, or nil if v is not a length.
func lengthOf(v ssa.Value) ssa.Value {
	if call, ok := v.(*ssa.Call); ok && builtinName(&call.Call) == "len" {
		return call.Call.Args[0]
	}
	return nil
}

// comparesValue reports whether a branch depends on a comparison of an answer that is not a yes or no.
func comparesValue(branch *ssa.If) bool {
	test, ok := branch.Cond.(*ssa.BinOp)
	return ok && !isBasic(test.X.Type(), types.IsBoolean)
}

// harmless holds packages whose functions only compute, create an error, or log.
var harmless = map[string]bool{
	"errors": true, "fmt": true, "log": true, "log/slog": true, "strings": true, sdktypes.Fault: true,
}

// isHarmless reports whether a call does nothing that an answer could decide.
func (p *program) isHarmless(call ssa.CallInstruction) bool {
	_, obj := p.callee(call.Common())
	return builtinName(call.Common()) != "" || obj != nil && obj.Pkg() != nil && harmless[obj.Pkg().Path()]
}

// isAnswer reports whether v is the answer, or is read from a variable that holds nothing else. If its value is not the
// zero value, the question was answered.
func (w *walker) isAnswer(v ssa.Value) bool {
	if w.call == nil || v == w.call.Value() {
		return w.kept != nil // a helper that keeps the error returns only the answer
	}
	if resultOf(v, 0) == w.call {
		return true
	}
	load, ok := v.(*ssa.UnOp)
	return ok && load.Op == token.MUL && w.holdsAnswer(load.X)
}

// isOfAnswer reports whether v is the answer, or the result of comparing it with a constant.
func (w *walker) isOfAnswer(x *state, v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		if v.Op == token.NOT {
			return w.isOfAnswer(x, v.X)
		}
	case *ssa.BinOp:
		return isTest(v) && (w.isOfAnswer(x, v.X) || w.isOfAnswer(x, v.Y))
	case *ssa.Call:
		return lengthOf(v) != nil && w.isOfAnswer(x, lengthOf(v)) || w.isAnswer(v)
	case *ssa.Phi:
		from := x.bools[v]
		return from != nil && from != v && w.isOfAnswer(x, from)
	}
	return w.isAnswer(v)
}

// holdsAnswer reports whether the variable or field at an address holds nothing but the answer and zero values.
func (w *walker) holdsAnswer(addr ssa.Value) bool {
	stored, others := false, false
	t := &trace{program: w.program, own: true}
	t.enter = func(e *traced) (follow bool) {
		switch v := e.value.(type) {
		case *ssa.UnOp, *ssa.Alloc, *ssa.FieldAddr, *ssa.FreeVar:
			return true
		case *ssa.Const:
			others = others || !isZero(v)
		default:
			answer := resultOf(v, 0) == w.call
			stored, others = stored || answer, others || !answer
		}
		return false
	}
	t.reached = func(_ *trace, e traced) bool { // a part that Into makes, which stores an answer in the variable
		_, obj := w.callee(w.call.Common())
		stored = stored || inPackage(obj, sdktypes.Elicit) == "Together"
		others = others || !stored || len(e.path) > 0
		return false
	}
	t.load(traced{value: addr})
	return stored && !others && !t.shared
}

// declinedBy returns the branch because of which a block runs only if the answer is its zero value, or nil if there is
// no such branch.
func (w *walker) declinedBy(b *ssa.BasicBlock) *ssa.If {
	for ; b != nil; b = b.Idom() {
		for _, from := range b.Parent().Blocks {
			branch := branchOf(from)
			if branch == nil {
				continue
			}
			zero := w.zeroOutcome(branch.Cond)
			if zero >= 0 && mustReach(from.Succs[zero], b) && !mustReach(from.Succs[1-zero], b) {
				return branch
			}
		}
	}
	return nil
}

// mustReach reports whether each path from one block to the end of the function leads through another one.
func mustReach(from, through *ssa.BasicBlock) bool {
	if from == through {
		return true
	}
	for b := range blocksReachable([]*ssa.BasicBlock{from}, through) {
		if len(b.Succs) == 0 {
			return false
		}
	}
	return true
}
