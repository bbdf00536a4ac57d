package jpvet

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// An outcome describes how a function handles the error from a question.
type outcome struct {
	// handed is set if the error is returned on some path.
	handed bool
	// lost is the instruction at the end of a path on which the error is lost, or nil if there is no such path.
	// how describes what happened to the error.
	lost ssa.Instruction
	how  string
	// consents is set if a path on which the question was not answered treats the answer as yes.
	consents bool
	tests    map[token.Pos]bool
	// keeps are the fields of parameters in which the function stores the error.
	keeps []keep
}

// A keep is a field of a parameter in which a function stores the error from a question.
type keep struct {
	param int
	field *types.Var
	// sure is set if the function then returns zero values.
	sure bool
}

// mayReturnQuestionError reports whether the error that a call returns may be the error from a question. The call, a
// helper or a function argument may ask the question.
func (p *program) mayReturnQuestionError(call ssa.CallInstruction) bool {
	c := call.Common()
	if _, spawned := call.(*ssa.Go); spawned || errorIndex(c.Signature().Results()) < 0 {
		return false
	}
	fn, obj := p.callee(c)
	if p.asks(call) || p.returnsQuestionError(fn, obj) {
		return true
	}
	if inRuntime(obj) || p.spawning(call) {
		return false
	}
	return slices.ContainsFunc(onlyFunctions(c.Args), func(arg ssa.Value) bool {
		return errorIndex(arg.Type().Underlying().(*types.Signature).Results()) >= 0 && p.returnsQuestionError(p.functionOf(arg))
	})
}

// returnsQuestionError reports whether a function returns the error from a question.
func (p *program) returnsQuestionError(fn *ssa.Function, obj *types.Func) bool {
	if inPackage(obj, sdktypes.Elicit) != "" {
		return isAsk(obj)
	}
	if fn == nil {
		return p.behaviorOf(nil, obj).Hands
	}
	if handed, known := p.hands[fn]; known || !p.behave[fn].Asks || errorIndex(fn.Signature.Results()) < 0 {
		return handed
	}
	p.hands[fn] = true // a preliminary result, which recursive functions need
	handed := false
	for call := range calls(fn) {
		handed = handed || p.mayReturnQuestionError(call) && p.outcome(call).handed
	}
	p.hands[fn] = handed
	return handed
}

// outcome follows the error of a call that asks a question.
func (p *program) outcome(call ssa.CallInstruction) *outcome {
	if o, known := p.outcomes[call]; known {
		return o
	}
	o := &outcome{}
	p.outcomes[call] = o
	if _, deferred := call.(*ssa.Defer); deferred {
		o.lost, o.how = call, "is discarded"
		return o
	}
	w := walker{program: p, call: call}
	if !p.mayReturnQuestionError(call) {
		w.kept, w.field = p.keptIn(call)
	}
	lose := func(at ssa.Instruction, how string) {
		if o.lost == nil || at.Pos().IsValid() && at.Pos() < o.lost.Pos() {
			o.lost, o.how = at, how
		}
	}
	w.onRepeat = func(x *state) {
		if !x.acknowledged && !x.escaped && len(x.held) < 2 {
			lose(call, "is overwritten when the question is asked again")
		}
	}
	reset := p.resetResults(call.Parent())
	w.onReturn = func(x *state, ret *ssa.Return) {
		for _, v := range ret.Results {
			if load, ok := v.(*ssa.UnOp); ok && x.held[v] && reset[load.X] != nil {
				lose(reset[load.X], "is turned into a successful result")
			}
		}
		switch {
		case x.holdsAny(ret.Results):
			o.handed = true
		case x.escaped || p.isStored(x):
			o.handed = o.handed || !x.acknowledged
			o.addKeeps(x, call, ret)
		case x.acknowledged:
			o.consents = o.consents || consentsAt(call, ret)
		default:
			how := describeLoss(ret)
			if slices.ContainsFunc(ret.Results, x.isNone) {
				how = "is turned into a successful result"
			}
			if how != "" {
				lose(ret, how)
			}
		}
	}
	w.onMerge = func(x *state, phi *ssa.Phi, value ssa.Value) {
		o.consents = o.consents || (x.nonNil || x.acknowledged) && isBool(value, true) && p.mayBeAnswer(phi, call)
	}
	if err := errorOf(call); err == nil && w.kept == nil {
		o.lost, o.how = call, "is discarded"
	} else if !w.walk() {
		o.lost = nil
	}
	o.tests = w.tests
	return o
}

// addKeeps records the fields of parameters that hold the error of a call at a return statement.
func (o *outcome) addKeeps(x *state, call ssa.CallInstruction, ret *ssa.Return) {
	for store := range each[*ssa.Store](ret.Parent()) {
		at, ok := store.Addr.(*ssa.FieldAddr)
		if !ok || !x.left[fieldAt(at)] {
			continue
		}
		sure := true
		for _, v := range ret.Results {
			zero, isConst := v.(*ssa.Const)
			sure = sure && (resultOf(v, 0) == call || isConst && isZero(zero))
		}
		param, _ := at.X.(*ssa.Parameter)
		if i := slices.Index(ret.Parent().Params, param); i >= 0 {
			o.keeps = append(o.keeps, keep{i, fieldAt(at), sure})
		}
	}
}

// keptIn returns the local variable, and the field in it, in which a call stores the error from a question without
// returning it. It returns nil if there is no such variable, or if the error cannot be followed from there.
func (p *program) keptIn(call ssa.CallInstruction) (variable *ssa.Alloc, field *types.Var) {
	c := call.Common()
	fn, _ := p.callee(c)
	_, ok := call.(*ssa.Call)
	if !ok || fn == nil || fn == call.Parent() || !p.behave[fn].Asks || returnsError(c.Signature()) {
		return nil, nil
	}
	for inner := range calls(fn) {
		if !p.mayReturnQuestionError(inner) {
			continue
		}
		for _, k := range p.outcome(inner).keeps {
			made, ok := c.Args[k.param].(*ssa.Alloc)
			if !ok || !k.sure || field != nil && (variable != made || field != k.field) || leaves(made) {
				return nil, nil
			}
			variable, field = made, k.field
		}
	}
	return variable, field
}

// leaves reports whether a variable is copied, or its address is stored or captured by a function literal.
func leaves(variable *ssa.Alloc) bool {
	return isUsedBy(variable, func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.FieldAddr, *ssa.Call, *ssa.Return:
			return false
		case *ssa.Store:
			return use.Val == variable
		}
		return true
	})
}

// resetResults returns the results that a function's deferred literals set to nil without a call to
// elicit.Acknowledge, and the positions where they do so.
func (p *program) resetResults(f *ssa.Function) map[ssa.Value]ssa.Instruction {
	all := map[ssa.Value]ssa.Instruction{}
	for call := range calls(f) {
		made, ok := call.Common().Value.(*ssa.MakeClosure)
		if _, deferred := call.(*ssa.Defer); !deferred || !ok {
			continue
		}
		literal := made.Fn.(*ssa.Function)
		for instr := range each[ssa.Instruction](literal) {
			if inner, ok := instr.(*ssa.Call); ok {
				if _, obj := p.callee(&inner.Call); inPackage(obj, sdktypes.Elicit) == "Acknowledge" {
					break
				}
			}
			store, ok := instr.(*ssa.Store)
			if !ok || !isNilConst(store.Val) || !isError(store.Val.Type()) {
				continue
			}
			if free, ok := store.Addr.(*ssa.FreeVar); ok {
				all[made.Bindings[slices.Index(literal.FreeVars, free)]] = store
			}
		}
	}
	return all
}

// describeLoss describes how a return statement loses an error. It returns "" if the statement returns the error of a
// context, because the call has ended anyway.
func describeLoss(ret *ssa.Return) string {
	i := errorIndex(ret.Parent().Signature.Results())
	if i < 0 {
		return "is dropped"
	}
	switch v := ret.Results[i].(type) {
	case *ssa.Const:
		return "is turned into a successful result"
	case *ssa.Call:
		if v.Call.IsInvoke() && sdktypes.Is(v.Call.Value.Type(), "context", "Context") {
			return ""
		}
	}
	return "is replaced by another error"
}

// isStored reports whether an error is stored in a variable or field that is read.
func (p *program) isStored(x *state) bool {
	kept := map[any]bool{}
	for v := range x.left {
		kept[v] = true
	}
	for v := range x.held {
		switch v := v.(type) {
		case *ssa.FreeVar:
			kept[p.binding(v)] = true
		case *ssa.Global:
			kept[v] = true
		}
	}
	if len(kept) == 0 {
		return false
	}
	for load := range each[*ssa.UnOp](p.funcs...) {
		at, ok := load.X.(*ssa.FieldAddr)
		if load.Op == token.MUL && (kept[load.X] || ok && kept[fieldAt(at)]) && isUsedBy(load, p.usesError) {
			return true
		}
	}
	return false
}

// usesError reports whether an instruction does more with an error than compare or print it.
func (p *program) usesError(use ssa.Instruction) bool {
	switch use := use.(type) {
	case *ssa.Return, *ssa.Phi:
		return true
	case *ssa.Call:
		return returnsError(use.Call.Signature())
	case *ssa.MakeInterface:
		return isUsedBy(use, p.usesError)
	}
	return false
}

// lostErrors finds questions whose error is not returned on every path.
func lostErrors(c *checker, call ssa.CallInstruction) {
	if c.unchecked[call] {
		return
	}
	if kept, _ := c.keptIn(call); kept == nil && !c.mayReturnQuestionError(call) {
		return
	}
	o := c.outcome(call)
	if o.lost == nil {
		return
	}
	where := ""
	if o.lost != call.(ssa.Instruction) && o.lost.Pos().IsValid() {
		where = " at " + c.report.place(o.lost.Pos())
	}
	found := c.report.at(c.at(call), "the error from the question %s%s", o.how, where).
		suggest("return the error, or call elicit.Acknowledge(err) to continue without the answer")
	if o.lost.Pos().IsValid() {
		found.see(o.lost.Pos(), "the error is lost here")
	}
	c.acknowledge(found, o)
}
