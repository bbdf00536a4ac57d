package jpvet

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// A verdict describes the error for one outcome of a condition.
type verdict int

const (
	unknown verdict = iota
	isNil
	isNonNil
	isAcknowledged // Acknowledge was called with the error
	isAnswered     // the error is nil, because the answer is not the zero value
	impossible     // the condition cannot have this outcome
)

// readsError reports whether a condition with the given verdict reads the error.
func (v verdict) readsError() bool { return v == isNil || v == isNonNil || v == isAcknowledged }

// verdicts returns the verdicts on the error for a condition that is true, and for a condition
// that is false.
func (w *walker) verdicts(x *state, cond ssa.Value) (yes, no verdict) {
	switch cond := cond.(type) {
	case *ssa.Const:
		if isBool(cond, true) {
			return unknown, impossible
		}
		return impossible, unknown
	case *ssa.Phi:
		if from := x.bools[cond]; from != nil && from != cond {
			return w.verdicts(x, from)
		}
	case *ssa.UnOp:
		if cond.Op == token.NOT {
			no, yes = w.verdicts(x, cond.X)
			return yes, no
		}
	case *ssa.Extract:
		// The condition may be the second result of errors.AsType or of a type assertion.
		if tuple, ok := cond.Tuple.(*ssa.Call); ok {
			yes, no = w.judgeCall(x, tuple)
		}
		if assert, ok := cond.Tuple.(*ssa.TypeAssert); ok && w.call != nil && x.held[assert.X] && cond.Index == 1 {
			return isNonNil, unknown
		}
	case *ssa.BinOp:
		yes, no = w.judgeComparison(x, cond)
	case *ssa.Call:
		yes, no = w.judgeCall(x, cond)
	}
	if yes != unknown || no != unknown {
		return yes, no
	}
	switch known := w.unanswered(cond); {
	case !known.decided || known.value == nil:
		return unknown, unknown
	case isTrue(known.value):
		return unknown, isAnswered
	}
	return isAnswered, unknown
}

// isNone reports whether v is known to be nil, although the error is not.
func (x *state) isNone(v ssa.Value) bool {
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	return x.none != nil && v == x.none
}

// resultOf returns the call that has v as its result at index.
func resultOf(v ssa.Value, index int) ssa.CallInstruction {
	if e, ok := v.(*ssa.Extract); ok && e.Index == index {
		if call, ok := e.Tuple.(*ssa.Call); ok {
			return call
		}
	}
	return nil
}

func (w *walker) judgeComparison(x *state, cond *ssa.BinOp) (yes, no verdict) {
	a, b := cond.X, cond.Y
	if _, first := a.(*ssa.Const); first {
		a, b = b, a
	}
	constant, isConst := b.(*ssa.Const)
	length, ok := a.(*ssa.Call) // the length of a list that contains the error
	isLength := ok && builtinName(&length.Call) == "len" && x.held[length.Call.Args[0]]
	switch {
	case cond.Op == token.EQL, cond.Op == token.NEQ:
		switch {
		case isConst && constant.IsNil() && x.isNone(a):
			no = impossible
		case x.held[a] && isConst && constant.IsNil():
			yes, no = isNil, isNonNil
			w.tests[cond.Pos()] = cond.Op == token.NEQ
		case w.call == nil && x.held[a]:
			yes, no = judgeTarget(b)
		case w.call == nil && x.held[b]:
			yes, no = judgeTarget(a)
		case x.held[a] || x.held[b]: // compared with another error
			yes = isNonNil
			w.tests[cond.Pos()] = cond.Op == token.EQL
		case isConst && isLength && isZero(constant):
			yes = impossible
		}
		if cond.Op == token.NEQ {
			yes, no = no, yes
		}
	case cond.Op == token.GTR && isLength && isConst && isZero(constant):
		no = impossible
	}
	return yes, no
}

func (w *walker) judgeCall(x *state, call *ssa.Call) (yes, no verdict) {
	if !slices.ContainsFunc(call.Call.Args, func(v ssa.Value) bool { return x.held[v] }) {
		return unknown, unknown
	}
	fn, obj := w.callee(&call.Call)
	switch {
	case w.acknowledges(&call.Call, fn, obj, x.held):
		yes = isAcknowledged
	case w.call == nil && (inPackage(obj, "errors") == "Is" || inPackage(obj, "errors") == "As"):
		return judgeTarget(call.Call.Args[1])
	case w.call != nil && examinesError(obj):
		yes = isNonNil
	default:
		return unknown, unknown
	}
	w.tests[call.Pos()] = true
	return yes, unknown
}

// judgeTarget returns the verdicts on the error from a question, which is a fault, if errors.Is or errors.As finds a
// target in it, and if it does not.
func judgeTarget(target ssa.Value) (yes, no verdict) {
	made, ok := target.(*ssa.MakeInterface)
	load, isLoad := target.(*ssa.UnOp)
	switch {
	case isLoad:
		if g, global := load.X.(*ssa.Global); global && g.Pkg.Pkg.Path() == sdktypes.Elicit {
			return isNonNil, unknown
		}
	case ok && sdktypes.Is(sdktypes.Deref(made.X.Type()), sdktypes.Fault, "Error"):
		return unknown, unknown // errors.Is compares the code
	case ok && sdktypes.Is(sdktypes.Deref(sdktypes.Deref(made.X.Type())), sdktypes.Fault, "Error"):
		return isNonNil, impossible
	}
	return impossible, unknown
}

// dependsOnError reports whether a condition depends on the error.
func (x *state) dependsOnError(cond ssa.Value, depth int) bool {
	if x.held[cond] {
		return true
	}
	instr, ok := cond.(ssa.Instruction)
	return ok && depth < maxDepth && usesAny(instr, func(v ssa.Value) bool { return x.dependsOnError(v, depth+1) })
}

// examinesError reports whether f is a function of package errors that examines its argument.
func examinesError(f *types.Func) bool {
	return slices.Contains([]string{"Is", "As", "AsType"}, inPackage(f, "errors"))
}
