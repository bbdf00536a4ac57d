package jpvet

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// maxStates is the maximum number of states that are visited in one function. A function with more states is
// not checked.
const maxStates = 4096

// A state is a position on one path through a function, and what is known there about the error of an answer.
type state struct {
	block *ssa.BasicBlock
	at    int // index of the next instruction in block
	// nonNil is set if the error is known not to be nil, acknowledged if Acknowledge was called with the error,
	// escaped if other code has received it, and read if a condition or a call has used it.
	nonNil, acknowledged, escaped, read bool
	// held contains the values (ssa.Value), and the fields of structs (*types.Var), that hold the error. left contains
	// those of these fields that belong to structs of other functions.
	held, left map[any]bool
	// none is a value that is nil on this path, although the error is not, or nil if there is none.
	none ssa.Value
	// bools maps boolean variables to the values assigned on this path.
	bools map[*ssa.Phi]ssa.Value
}

// A walker follows the error of one call, or an error that is a parameter, along all paths of a function.
type walker struct {
	*program
	call ssa.CallInstruction // nil if the error is a parameter
	err  ssa.Value           // the error that call returns, or the parameter
	// kept is the variable, and field the field in it, in which the call stores the error, if it does not return it.
	kept  *ssa.Alloc
	field *types.Var
	// If answered is set, the walker follows the paths on which the error is nil. Otherwise, it follows the
	// other paths.
	answered bool
	// onReturn and onRepeat are called at the end of a path: at a return, or when the path reaches the call
	// again.
	onReturn func(*state, *ssa.Return)
	onRepeat func(*state)
	// onMerge, if not nil, is called when a variable gets its value from one of several paths.
	onMerge func(x *state, phi *ssa.Phi, value ssa.Value)
	// onStep, if not nil, is called before each instruction. It reports whether the path ends there.
	onStep func(x *state, instr ssa.Instruction) (ends bool)
	// tests maps the positions of conditions on the error to whether the error is not nil if the
	// condition is true.
	tests map[token.Pos]bool
	seen  map[string]bool
	queue []*state
}

// walk follows the error, beginning after the call. It reports whether all paths were followed.
func (w *walker) walk() bool {
	w.seen, w.tests = map[string]bool{}, map[token.Pos]bool{}
	start := &state{held: map[any]bool{}, left: map[any]bool{}, bools: map[*ssa.Phi]ssa.Value{}}
	switch {
	case w.call == nil:
		start.block, start.nonNil = w.err.Parent().Blocks[0], true
	case w.kept != nil:
		start.held[w.kept], start.held[w.field] = true, true
	default:
		w.err = errorOf(w.call)
	}
	if w.call != nil {
		start.block, start.at = w.call.Block(), index(w.call)+1
	}
	if w.err != nil {
		start.held[w.err] = true
	}
	w.add(start)
	for len(w.queue) > 0 && len(w.seen) < maxStates {
		next := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		w.follow(next)
	}
	return len(w.queue) == 0
}

// errorOf returns the error that a call returns, or nil if the error is not used.
func errorOf(call ssa.CallInstruction) ssa.Value {
	made, ok := call.(*ssa.Call)
	if !ok {
		return nil
	}
	i := errorIndex(made.Call.Signature().Results())
	if i < 0 {
		return nil
	}
	if err := result(made, i); err != nil && len(*err.Referrers()) > 0 {
		return err
	}
	return nil
}

// errorIndex returns the index of the last error among the parameters or the results of a function, or -1 if
// no type is error.
func errorIndex(of *types.Tuple) int { return lastIndex(of, isError) }

// lastIndex returns the index of the last variable whose type matches, or -1 if no type matches.
func lastIndex(of *types.Tuple, match func(types.Type) bool) int {
	i := of.Len() - 1
	for i >= 0 && !match(of.At(i).Type()) {
		i--
	}
	return i
}

// result returns a result of a call, or nil if it is one of several results and is not used.
func result(call *ssa.Call, index int) ssa.Value {
	if call.Call.Signature().Results().Len() == 1 {
		return call
	}
	for _, e := range users[*ssa.Extract](call) {
		if e.Index == index {
			return e
		}
	}
	return nil
}

func (w *walker) add(next *state) {
	key := w.key(next)
	if !w.seen[key] {
		w.seen[key] = true
		w.queue = append(w.queue, next)
	}
}

// key returns a string that identifies the state.
func (w *walker) key(x *state) string {
	var all []string
	for v := range x.held {
		all = append(all, fmt.Sprintf("%p", v))
	}
	for phi, v := range x.bools {
		all = append(all, fmt.Sprintf("%p=%p", phi, v))
	}
	slices.Sort(all)
	if x.none != nil {
		all = append(all, "none "+x.none.Name())
	}
	read := w.onStep != nil && x.read
	return fmt.Sprint(x.block.Index, x.at, x.nonNil, x.acknowledged, x.escaped, read, strings.Join(all, " "))
}

// follow processes the remaining instructions of a block.
func (w *walker) follow(x *state) {
	for _, instr := range x.block.Instrs[x.at:] {
		if w.call != nil && instr == w.call.(ssa.Instruction) {
			w.onRepeat(x)
			return
		}
		if w.onStep != nil && w.onStep(x, instr) {
			return
		}
		switch instr := instr.(type) {
		case *ssa.Return:
			w.onReturn(x, instr)
			return
		case *ssa.Panic:
			return
		case *ssa.If:
			w.followBranches(x, instr)
			return
		case *ssa.Jump:
			w.enter(x, x.block.Succs[0])
			return
		default:
			if w.carry(x, instr) {
				return
			}
		}
	}
}

// enter continues in another block.
func (w *walker) enter(x *state, to *ssa.BasicBlock) {
	next := *x
	next.copyMaps(x)
	next.block, next.at = to, 0
	from := slices.Index(to.Preds, x.block)
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		next.at++
		edge := phi.Edges[from]
		delete(next.held, phi)
		if x.held[edge] {
			next.held[phi] = true
		}
		if w.onMerge != nil {
			w.onMerge(x, phi, edge)
		}
		if isBasic(phi.Type(), types.IsBoolean) {
			if known := x.bools[phiOf(edge)]; known != nil {
				edge = known
			}
			next.bools[phi] = edge
		}
	}
	w.add(&next)
}

// copyMaps gives the state its own copies of the maps of another state.
func (x *state) copyMaps(other *state) {
	x.held, x.left, x.bools = maps.Clone(other.held), maps.Clone(other.left), maps.Clone(other.bools)
}

func phiOf(v ssa.Value) *ssa.Phi {
	phi, _ := v.(*ssa.Phi)
	return phi
}

// followBranches follows those successors of a block that can affect the error.
func (w *walker) followBranches(x *state, at *ssa.If) {
	yes, no := w.verdicts(x, at.Cond)
	read := x.read || yes.readsError() || no.readsError()
	for i, v := range []verdict{yes, no} {
		nonNil := v == isNonNil || v == isAcknowledged
		if v == impossible || (v == isNil || v == isAnswered) && (x.nonNil || !w.answered) || nonNil && w.answered {
			continue
		}
		next := *x
		next.read = read
		// What a helper does with some errors says nothing about the error from a question.
		next.escaped = x.escaped || w.call == nil && yes == unknown && no == unknown && x.dependsOnError(at.Cond, 0)
		next.nonNil = next.nonNil || nonNil
		next.acknowledged = next.acknowledged || v == isAcknowledged
		w.enter(&next, x.block.Succs[i])
	}
}

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
	if w.isAnswer(cond) {
		return isAnswered, unknown // with an error, the answer is false
	}
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
			return w.judgeCall(x, tuple)
		}
		if assert, ok := cond.Tuple.(*ssa.TypeAssert); ok && w.call != nil && x.held[assert.X] && cond.Index == 1 {
			return isNonNil, unknown
		}
	case *ssa.BinOp:
		return w.judgeComparison(x, cond)
	case *ssa.Call:
		return w.judgeCall(x, cond)
	}
	return unknown, unknown
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
		case isConst && w.isAnswer(a) && isZero(constant): // with an error, the answer is the zero value
			no = isAnswered
		case isConst && w.isAnswer(a):
			yes = isAnswered
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
