package jpvet

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A valuation is the value of a variable or a condition if the question was not answered.
type valuation struct {
	value constant.Value // nil if it is not known
	// decided is set if the value depends on the answer.
	decided bool
}

// unanswered returns the value of v if the question was not answered, so that the answer is its zero value.
func (w *walker) unanswered(v ssa.Value) valuation {
	known, done := w.zeros[v]
	if !done {
		if w.zeros == nil {
			w.zeros = map[ssa.Value]valuation{}
		}
		w.zeros[v] = valuation{} // for variables in loops
		known = w.evaluate(v)
		w.zeros[v] = known
	}
	return known
}

func (w *walker) evaluate(v ssa.Value) valuation {
	if w.isAnswer(v) {
		return valuation{constantOf(ssa.NewConst(nil, v.Type())), true}
	}
	switch v := v.(type) {
	case *ssa.Const:
		return valuation{value: constantOf(v)}
	case *ssa.ChangeType:
		return w.unanswered(v.X)
	case *ssa.UnOp:
		if x := w.unanswered(v.X); v.Op == token.NOT && x.value != nil {
			return valuation{constant.UnaryOp(token.NOT, x.value, 0), x.decided}
		}
	case *ssa.BinOp:
		x, y := w.unanswered(v.X), w.unanswered(v.Y)
		if result := compare(x.value, v.Op, y.value); result != nil {
			return valuation{result, x.decided || y.decided}
		}
	case *ssa.Call:
		list := lengthOf(v)
		if list == nil {
			break
		}
		switch of := w.unanswered(list); {
		case of.value == nil:
		case of.value.Kind() == constant.String:
			return valuation{constant.MakeInt64(int64(len(constant.StringVal(of.value)))), of.decided}
		default:
			return valuation{constant.MakeInt64(0), of.decided}
		}
	case *ssa.Phi:
		edges, decided := w.edges(v)
		all := valuation{decided: decided}
		for i, edge := range edges {
			one := w.unanswered(edge)
			if i > 0 && !isTrue(compare(one.value, token.EQL, all.value)) {
				return valuation{}
			}
			all = valuation{one.value, all.decided || one.decided}
		}
		return all
	}
	return valuation{}
}

// constantOf returns the value of a constant. The zero value of a type without constants, such as nil, has no kind.
func constantOf(c *ssa.Const) constant.Value {
	if c.Value != nil {
		return c.Value
	}
	if isBasic(c.Type(), types.IsNumeric) {
		return constant.MakeInt64(0)
	}
	return constant.MakeUnknown()
}

// compare returns the result of a comparison, or nil if it is not known.
func compare(x constant.Value, op token.Token, y constant.Value) constant.Value {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return nil
	}
	if x == nil || y == nil {
		return nil
	}
	if x.Kind() == constant.Unknown || y.Kind() == constant.Unknown {
		if x.Kind() != y.Kind() {
			return nil
		}
		return constant.MakeBool(op == token.EQL)
	}
	return constant.MakeBool(constant.Compare(x, op, y))
}

func isTrue(v constant.Value) bool {
	return v != nil && v.Kind() == constant.Bool && constant.BoolVal(v)
}

// zeroOutcome returns the successor that a branch on a condition takes if the answer is its zero value: 0 if the
// condition is then true, 1 if it is false, and -1 if it does not depend on the answer.
func (w *walker) zeroOutcome(cond ssa.Value) int {
	at, done := w.taken[cond]
	if !done {
		if w.taken == nil {
			w.taken = map[ssa.Value]int{}
		}
		w.taken[cond] = -1 // for conditions in loops
		at = w.findOutcome(cond)
		w.taken[cond] = at
	}
	return at
}

func (w *walker) findOutcome(cond ssa.Value) int {
	switch known := w.unanswered(cond); {
	case !known.decided || known.value == nil:
	case isTrue(known.value):
		return 0
	default:
		return 1
	}
	if not, ok := cond.(*ssa.UnOp); ok && not.Op == token.NOT {
		if at := w.zeroOutcome(not.X); at >= 0 {
			return 1 - at
		}
	}
	if phi := phiOf(cond); phi != nil { // one operand of && or || depends on the answer, and the other is not known
		for i, edge := range phi.Edges {
			if known := w.unanswered(edge); known.decided && known.value != nil {
				return w.zeroOutcome(edge)
			}
			if branch := branchOf(phi.Block().Preds[i]); branch != nil && isConstant(edge) && w.zeroOutcome(branch.Cond) >= 0 {
				if isBool(edge, true) { // the first operand of ||
					return 1
				}
				return 0
			}
		}
	}
	return -1
}

// edges returns the values that a variable may get if the question was not answered. decided is set if the answer
// rules out others.
func (w *walker) edges(phi *ssa.Phi) (possible []ssa.Value, decided bool) {
	to := phi.Block()
	if blocksAfter(to)[to] { // the value depends on the iteration
		return phi.Edges, false
	}
	seen := map[*ssa.BasicBlock]bool{}
	for queue := []*ssa.BasicBlock{to.Idom()}; len(queue) > 0; queue = queue[1:] {
		b := queue[0]
		next := reachableBlocks(b)
		if branch := branchOf(b); branch != nil && len(next) == 2 {
			if at := w.zeroOutcome(branch.Cond); at >= 0 {
				next, decided = next[at:at+1], true
			}
		}
		for _, next := range next {
			if next == to {
				possible = append(possible, phi.Edges[slices.Index(to.Preds, b)])
			} else if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return possible, decided
}

// chosenEffect returns the name of a side effect of a call that runs if the question was not answered, if the answer
// decides which function the call runs or with which arguments. It returns "" if there is no such effect.
func (w *walker) chosenEffect(call ssa.CallInstruction) (effect string) {
	if effect = w.callBehavior(call).Effects[change]; effect == "" {
		return ""
	}
	t := &trace{program: w.program, own: true, zero: w}
	c := call.Common()
	for _, arg := range c.Args {
		t.follow(traced{value: arg})
	}
	if t.decided {
		return effect
	}
	if fn, obj := w.callee(c); c.IsInvoke() || fn != nil || obj != nil {
		return ""
	}
	all := t.functions(c.Value)
	if effect = ""; !t.decided {
		return ""
	}
	for _, v := range all {
		if fn, obj := w.functionOf(v); fn != nil {
			effect = cmp.Or(effect, w.behave[fn].Effects[change])
		} else if obj != nil {
			effect = cmp.Or(effect, w.behaviorOf(nil, obj).Effects[change], effectOf(call, obj, false))
		}
	}
	return effect
}
