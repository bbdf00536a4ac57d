package jpvet

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// A loop is code that runs repeatedly: blocks of a function, or a whole function literal.
type loop struct {
	*program
	blocks map[*ssa.BasicBlock]bool // nil for the whole literal
}

// loopOf returns the loop around a call, or nil for a call outside of loops.
func (p *program) loopOf(call ssa.CallInstruction) *loop {
	if p.given[call.Parent()] != nil {
		return &loop{program: p}
	}
	after := blocksAfter(call.Block())
	if !after[call.Block()] {
		return nil
	}
	l := &loop{program: p, blocks: map[*ssa.BasicBlock]bool{}}
	for b := range after {
		l.blocks[b] = b == call.Block() || blocksAfter(b)[call.Block()]
	}
	return l
}

// blocksAfter returns the blocks that may run after b. They include b if it is in a loop.
func blocksAfter(b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	return blocksReachable(reachableBlocks(b), nil)
}

func (l *loop) holds(instr ssa.Instruction) bool { return l.blocks == nil || l.blocks[instr.Block()] }

// runsAgain reports whether a call in a loop runs again after its question was answered.
func (l *loop) runsAgain(call ssa.CallInstruction) (again bool) {
	w := walker{program: l.program, call: call, answered: true}
	w.onRepeat = func(*state) { again = true }
	w.onReturn = func(_ *state, ret *ssa.Return) {
		// The body of a loop over an iterator returns false to leave it.
		again = again || l.blocks == nil && !(isLoop(ret.Parent()) && isBool(ret.Results[0], false))
	}
	return w.walk() && again
}

// varies reports whether a value may differ between iterations. A question varies if another question is asked,
// or if its subject varies.
func (l *loop) varies(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	some := func(values ...ssa.Value) bool {
		return slices.ContainsFunc(values, func(v ssa.Value) bool { return l.varies(v, seen) })
	}
	instr, ok := v.(ssa.Instruction)
	if !ok {
		_, given := v.(*ssa.Parameter)
		return given && l.blocks == nil
	}
	if !l.holds(instr) {
		return false
	}
	switch v := v.(type) {
	case *ssa.Phi, *ssa.Next:
		return true
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return l.cellVaries(v.X, seen)
		}
	case *ssa.Alloc:
		return l.cellVaries(v, seen)
	case *ssa.Call:
		_, obj := l.callee(&v.Call)
		switch {
		case inPackage(obj, sdktypes.Elicit) != "":
			return some(v.Call.Args[:aboutArgs(obj, &v.Call)]...)
		case obj == nil || obj.Pkg() == nil || !plain[obj.Pkg().Path()]:
			return true
		}
	}
	return slices.ContainsFunc(instr.Operands(nil), func(o *ssa.Value) bool { return *o != nil && some(*o) })
}

// aboutArgs returns the number of arguments of a question's method that determine which question is asked. The
// subject counts, but the text does not.
func aboutArgs(f *types.Func, c *ssa.CallCommon) int {
	if f.Name() == "For" {
		return len(c.Args)
	}
	return min(1, len(c.Args))
}

// cellVaries reports whether a variable may differ between iterations.
func (l *loop) cellVaries(addr ssa.Value, seen map[ssa.Value]bool) bool {
	switch at := addr.(type) {
	case *ssa.Alloc:
		return isUsedBy(at, func(user ssa.Instruction) bool { return l.changes(user, at, seen) })
	case *ssa.FieldAddr:
		if _, local := at.X.(*ssa.Alloc); local {
			return l.cellVaries(at.X, seen)
		}
		return !isQuestion(fieldAt(at).Type()) || l.varies(at.X, seen)
	case *ssa.IndexAddr:
		return l.varies(at.Index, seen) || l.varies(at.X, seen)
	case *ssa.FreeVar:
		if isQuestion(sdktypes.Deref(at.Type())) {
			return false
		}
		return l.singleValue(at) == nil
	case *ssa.Global:
		return false
	}
	return true
}

// changes reports whether an instruction that uses the address of a variable may change it between iterations.
func (l *loop) changes(user ssa.Instruction, variable ssa.Value, seen map[ssa.Value]bool) bool {
	if !l.holds(user) {
		return false
	}
	switch user := user.(type) {
	case *ssa.Store:
		alloc, ok := variable.(*ssa.Alloc)
		return user.Addr == variable && (ok && !l.holds(alloc) || l.varies(user.Val, seen))
	case *ssa.FieldAddr, *ssa.IndexAddr:
		v := user.(ssa.Value)
		return isUsedBy(v, func(next ssa.Instruction) bool { return l.changes(next, v, seen) })
	case *ssa.UnOp, *ssa.MakeClosure:
		return false
	}
	return true // other code receives the address of the variable
}

// isQuestion reports whether t is a question or a struct that has only questions, or a pointer to one.
func isQuestion(t types.Type) bool { return isQuestionValue(sdktypes.Deref(t)) }

func isQuestionValue(t types.Type) bool {
	if name := sdktypes.Name(t, sdktypes.Elicit); name != "" {
		return name == "Part" || name == "base" || model.KindOf(name) != ""
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || st.NumFields() == 0 {
		return false
	}
	for field := range st.Fields() {
		if !isQuestionValue(field.Type()) {
			return false
		}
	}
	return true
}

// questionOf returns the question that a call to Ask asks, or nil for other calls.
func (p *program) questionOf(call ssa.CallInstruction) ssa.Value {
	c := call.Common()
	if !p.asks(call) {
		return nil
	}
	if c.IsInvoke() {
		return c.Value
	}
	if len(c.Args) > 0 && isQuestion(c.Args[0].Type()) {
		return c.Args[0]
	}
	if bound, ok := c.Value.(*ssa.MakeClosure); ok && len(bound.Bindings) == 1 {
		return bound.Bindings[0]
	}
	return nil
}

// repeatedQuestions finds questions that are asked again under the same id: in a loop, by a recursive function,
// or with different text.
func repeatedQuestions(c *checker, call ssa.CallInstruction) {
	if !c.callBehavior(call).Asks {
		return
	}
	switch l := c.loopOf(call); {
	case l != nil && l.asksAgain(call) && l.runsAgain(call):
		c.report.at(c.at(call), "the question is asked under the same id in every iteration, so one answer may apply to all of them").
			suggest("use For to ask about each subject, or ask once before the loop")
	case c.asksRecursively(call):
		c.report.at(c.at(call), "each recursive call to %s asks the question again under the same id", call.Parent().Name()).
			suggest("use For to ask about each subject, or ask once before the recursion")
	}
	if first := c.earlierWording(call); first != nil {
		c.report.at(c.at(call), "the question was already asked with different text at %s", c.report.place(first.Pos())).
			suggest("use For to ask about each subject, or declare a question for each text")
	}
}

// asksRecursively reports whether a function calls itself and asks the same question again.
func (p *program) asksRecursively(call ssa.CallInstruction) bool {
	f, args := call.Parent(), call.Common().Args
	if fn, _ := p.callee(call.Common()); fn != f {
		return false
	}
	return slices.ContainsFunc(p.behave[f].Same, func(about []int) bool {
		return !slices.ContainsFunc(about, func(i int) bool { return i < len(args) && !p.isParameter(args[i], f.Params[i]) })
	})
}

// isParameter reports whether a value is a parameter to which nothing else is assigned.
func (p *program) isParameter(v ssa.Value, param *ssa.Parameter) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return v == param
	}
	variable, ok := load.X.(*ssa.Alloc)
	return ok && !slices.ContainsFunc(users[*ssa.Store](variable), func(store *ssa.Store) bool { return store.Val != param })
}

// earlierWording returns an earlier call that asks the same question with different text, or nil if no call does.
func (p *program) earlierWording(call ssa.CallInstruction) ssa.CallInstruction {
	field := p.declaredField(call)
	if field == nil {
		return nil
	}
	for other := range calls(call.Parent()) {
		if other == call || !slices.Equal(p.declaredField(other), field) || !follows(call, other) || areExclusive(call, other) {
			continue
		}
		a, b := call.Common().Args, other.Common().Args
		one, ok1 := stringOf(a[2])
		two, ok2 := stringOf(b[2])
		if ok1 && ok2 && one != two {
			return other
		}
	}
	return nil
}

// areExclusive reports whether two calls depend on opposite outcomes of one condition.
func areExclusive(a, b ssa.CallInstruction) bool {
	outcomes := conditions(a)
	for cond, held := range conditions(b) {
		if other, known := outcomes[cond]; known && other != held {
			return true
		}
	}
	return false
}

// conditions returns the conditions on which a call depends, and their outcomes.
func conditions(call ssa.CallInstruction) map[ssa.Value]bool {
	all := map[ssa.Value]bool{}
	for b := call.Block(); b.Idom() != nil; b = b.Idom() {
		branch := branchOf(b.Idom())
		if branch == nil || len(b.Preds) > 1 {
			continue
		}
		cond, held := branch.Cond, b.Idom().Succs[0] == b
		for not, ok := cond.(*ssa.UnOp); ok && not.Op == token.NOT; not, ok = cond.(*ssa.UnOp) {
			cond, held = not.X, !held
		}
		all[cond] = held
	}
	return all
}

// declaredField returns the path of fields in a questions struct that leads to the question of a call. It
// returns nil if the call does not ask the question as declared.
func (p *program) declaredField(call ssa.CallInstruction) []any {
	q := p.questionOf(call)
	var path []any
	if inner, ok := q.(*ssa.Field); ok { // the embedded struct that all types of questions share
		q = inner.X
	}
	load, ok := q.(*ssa.UnOp)
	if !ok || len(call.Common().Args) < 3 {
		return nil
	}
	variable, fields := baseOf(load.X)
	for _, at := range fields {
		path = append(path, fieldAt(at))
	}
	if len(path) == 0 { // a question in a separate variable has no path
		return nil
	}
	return append(path, variable)
}

// asksAgain reports whether a call asks the same question in every iteration.
func (l *loop) asksAgain(call ssa.CallInstruction) bool {
	if q := l.questionOf(call); q != nil {
		return !l.varies(q, map[ssa.Value]bool{})
	}
	return slices.ContainsFunc(l.behaviorOf(l.callee(call.Common())).Same, func(about []int) bool {
		return !slices.ContainsFunc(argsAt(call.Common(), about), func(v ssa.Value) bool { return l.varies(v, map[ssa.Value]bool{}) })
	})
}
