package jpvet

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
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
	// zeros caches the values of variables and conditions if the question was not answered.
	zeros map[ssa.Value]valuation
	taken map[ssa.Value]int // the results of zeroOutcome
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
