package jpvet

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// carry records what an instruction does with the error that w follows. It reports whether the path ends there.
func (w *walker) carry(x *state, instr ssa.Instruction) (ends bool) {
	switch instr := instr.(type) {
	case *ssa.Store:
		w.store(x, instr)
	case *ssa.MapUpdate:
		if x.held[instr.Value] {
			x.held[instr.Map] = true
		}
	case *ssa.Send:
		x.escaped = x.escaped || x.held[instr.X]
	case *ssa.Call:
		return w.visitCall(x, instr)
	case ssa.Value:
		if instr == w.err {
			break
		}
		delete(x.held, instr)
		if w.holdsError(x, instr) {
			x.held[instr] = true
		}
	}
	return false
}

// holdsError reports whether the value of an instruction holds the error because one of its operands does.
func (w *walker) holdsError(x *state, v ssa.Value) bool {
	if at, ok := v.(*ssa.FieldAddr); ok {
		return x.held[fieldAt(at)] || x.held[at.X] && carries(fieldAt(at).Type())
	}
	return x.holdsAny(sources(v)) && canHold(v.Type())
}

// fieldAt returns the field whose address is v.
func fieldAt(v *ssa.FieldAddr) *types.Var {
	return sdktypes.Deref(v.X.Type()).Underlying().(*types.Struct).Field(v.Field)
}

// canHold reports whether a value of type t can hold an error.
func canHold(t types.Type) bool {
	_, basic := t.Underlying().(*types.Basic)
	return !basic
}

// store records an assignment to a variable.
func (w *walker) store(x *state, s *ssa.Store) {
	if _, whole := s.Addr.(*ssa.Alloc); whole && !x.held[s.Val] {
		delete(x.held, s.Addr)
	}
	if !x.held[s.Val] {
		return
	}
	for addr := s.Addr; ; {
		switch at := addr.(type) {
		case *ssa.IndexAddr:
			addr = at.X
			continue
		case *ssa.FieldAddr:
			x.held[fieldAt(at)] = true
			if made, local := at.X.(*ssa.Alloc); !local || isShared(made) {
				x.left[fieldAt(at)] = true
				if x.read = true; !local { // other code can read the field
					return
				}
			}
			addr = at.X
			continue
		case *ssa.Parameter:
			x.escaped = x.escaped || addr == s.Addr // the caller can read the variable
		case *ssa.UnOp: // the variable contains a list or a map, which now holds the error
			x.held[at.X] = true
		}
		x.held[addr] = true
		return
	}
}

func (w *walker) visitCall(x *state, call *ssa.Call) (ends bool) {
	delete(x.held, call)
	c := &call.Call
	fn, obj := w.callee(c)
	if endsProcess(obj) {
		return true
	}
	var given []int
	for i, arg := range c.Args {
		if x.held[arg] {
			given = append(given, i)
		}
	}
	switch {
	case len(given) == 0 && !x.held[c.Value]:
		return false
	case w.acknowledges(c, fn, obj, x.held):
		x.acknowledged = x.acknowledged || !isBasic(call.Type(), types.IsBoolean) || !isCondition(call)
	case inPackage(obj, "errors") == "As":
		if made, ok := c.Args[1].(*ssa.MakeInterface); ok {
			x.held[made.X] = true
		}
	}
	x.read = x.read || obj == nil || obj.Pkg() == nil || !prints[obj.Pkg().Path()]
	if w.passes(c, fn, obj, given) {
		if loses, isNil := w.losesArg(fn, given); loses && !isUsedBy(call, isStore) {
			// The function may return nil, or another error, although it received the error.
			other := *x
			if other.at = index(call) + 1; isNil {
				other.none = call
			}
			other.copyMaps(x)
			w.add(&other)
		}
		x.held[call] = true
	}
	if fn != nil {
		w.recordStores(x, fn, given)
	}
	if w.kept != nil && slices.ContainsFunc(given, func(i int) bool { return c.Args[i] == w.kept }) {
		x.escaped = x.escaped || fn == nil || !returnsError(c.Signature()) && readsField(fn, w.field)
	}
	// The called function value, such as the yield function of an iterator, belongs to other code, which now has
	// the error.
	x.escaped = x.escaped || fn == nil && obj == nil && !c.IsInvoke() && builtinName(c) == ""
	return false
}

// prints holds packages whose functions do not act on the errors that they print or wrap.
var prints = map[string]bool{"fmt": true, "log": true, "log/slog": true}

// endsProcess reports whether f does not return.
func endsProcess(f *types.Func) bool {
	if f == nil {
		return false
	}
	return f.FullName() == "os.Exit" || f.FullName() == "runtime.Goexit" || inPackage(f, "log") != "" && strings.HasPrefix(f.Name(), "Fatal")
}

// isCondition reports whether a condition depends on the result of a call.
func isCondition(call *ssa.Call) bool {
	return isUsedBy(call, func(user ssa.Instruction) bool {
		switch user.(type) {
		case *ssa.If, *ssa.UnOp, *ssa.BinOp, *ssa.Phi:
			return true
		}
		return false
	})
}

// acknowledges reports whether a call tells the runtime that the handler continues without an answer. It is a
// call to elicit.Acknowledge, or to a helper that passes a parameter to elicit.Acknowledge.
func (p *program) acknowledges(c *ssa.CallCommon, fn *ssa.Function, obj *types.Func, held map[any]bool) bool {
	if inPackage(obj, sdktypes.Elicit) == "Acknowledge" {
		return held[c.Args[0]]
	}
	return slices.ContainsFunc(argsAt(c, p.behaviorOf(fn, obj).Acknowledges), func(v ssa.Value) bool { return held[v] })
}

// passes reports whether the error that a call returns is, or wraps, one of the errors among the arguments with
// the given indexes.
func (p *program) passes(c *ssa.CallCommon, fn *ssa.Function, obj *types.Func, given []int) bool {
	switch {
	case builtinName(c) == "append":
		return true
	case !returnsError(c.Signature()):
		return false
	case obj != nil && obj.FullName() == "fmt.Errorf":
		return wraps(c)
	case inRuntime(obj):
		return inPackage(obj, sdktypes.Fault) != "New"
	}
	flow := p.flowOf(fn, obj)
	if flow == nil || flow.Unknown {
		return true
	}
	return slices.ContainsFunc(given, flow.Params.has)
}

// builtinName returns the name of the built-in function that c calls, or "" if it calls another function.
func builtinName(c *ssa.CallCommon) string {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		return b.Name()
	}
	return ""
}

// recordStores records the fields in which a function stores its arguments.
func (w *walker) recordStores(x *state, fn *ssa.Function, given []int) {
	for store := range each[*ssa.Store](fn) {
		if addr, ok := store.Addr.(*ssa.FieldAddr); ok && slices.ContainsFunc(given, func(i int) bool { return i < len(fn.Params) && store.Val == fn.Params[i] }) {
			x.held[fieldAt(addr)], x.left[fieldAt(addr)] = true, true
		}
	}
}

// readsField reports whether a function reads a field.
func readsField(fn *ssa.Function, field *types.Var) bool {
	for at := range each[*ssa.FieldAddr](fn) {
		if fieldAt(at) == field && len(users[*ssa.UnOp](at)) > 0 {
			return true
		}
	}
	return false
}

// holdsAny reports whether one of several values holds the error.
func (x *state) holdsAny(values []ssa.Value) bool {
	return slices.ContainsFunc(values, func(v ssa.Value) bool { return x.held[v] })
}

// isShared reports whether other functions receive the address of a variable.
func isShared(variable *ssa.Alloc) bool {
	return leaves(variable) || len(users[*ssa.Call](variable)) > 0
}

func isStore(use ssa.Instruction) bool {
	_, ok := use.(*ssa.Store)
	return ok
}

// A loss says whether a function may lose an error that it receives, and whether it then always returns nil.
type loss struct{ loses, isNil bool }

// losesArg reports whether a function, on some path, does not return the error from a question that it receives as one
// of the parameters with the given indexes. isNil is set if it then always returns nil.
func (p *program) losesArg(fn *ssa.Function, given []int) (loses, isNil bool) {
	if fn == nil || len(given) != 1 || given[0] >= len(fn.Params) || !isError(fn.Params[given[0]].Type()) {
		return false, false
	}
	param := fn.Params[given[0]]
	if known, done := p.losses[param]; done {
		return known.loses, known.isNil
	}
	p.losses[param] = loss{} // for recursive functions
	found := loss{isNil: true}
	i := errorIndex(fn.Signature.Results())
	w := walker{program: p, err: param, onRepeat: func(*state) {}}
	w.onReturn = func(x *state, ret *ssa.Return) {
		if x.acknowledged || x.escaped || i < 0 || x.holdsAny(ret.Results) || p.isStored(x) {
			return
		}
		found.loses, found.isNil = true, found.isNil && (isNilConst(ret.Results[i]) || ret.Results[i] == x.none)
	}
	if !w.walk() {
		found = loss{}
	}
	p.losses[param] = found
	return found.loses, found.isNil
}

// acknowledgedParams returns the indexes of the parameters that a function passes to elicit.Acknowledge.
func (p *program) acknowledgedParams(f *ssa.Function) (found set[int]) {
	for call := range calls(f) {
		c := call.Common()
		fn, obj := p.callee(c)
		for i, param := range f.Params {
			if p.acknowledges(c, fn, obj, map[any]bool{param: true}) {
				found.add(i)
			}
		}
	}
	return found
}
