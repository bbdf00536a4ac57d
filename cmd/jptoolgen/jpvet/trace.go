package jpvet

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

const (
	maxSteps  = 4000 // maximum number of steps of one trace
	maxFrames = 5    // maximum depth of calls
	maxDepth  = 8    // maximum number of other values through which one value is followed
)

// A trace follows a value back to the values that it is made from: through variables, fields, lists, and the
// functions in the program that return it.
type trace struct {
	*program
	// reached, if not nil, is called for each call and each variable with several values, and for each value that is not
	// followed further, such as a constant or a parameter. For a call, it reports whether to follow it: to the results of the
	// function, or to the arguments if the source of the function is not available.
	reached func(t *trace, e traced) bool
	// enter, if not nil, is called for each value that is followed, and reports whether to follow it further. Without
	// it, errors are not followed.
	enter func(e *traced) bool
	// values is set if an element of a map or a list is not considered to be made from its key.
	values bool
	// zero, if not nil, is asked about variables and keys: the trace follows only the values that they may have if its
	// question was not answered.
	zero *walker
	// decided is set if the trace left out values because of zero, and shared if other code may store values in a variable
	// that the trace followed.
	decided, shared bool
	// own is set if the parameters of a function are not followed to the calls that run it repeatedly.
	own   bool
	seen  map[visit]bool
	steps int
}

// A traced value is a value that a trace has reached.
type traced struct {
	value ssa.Value
	// path selects a field of the value, a field of that field, and so on; empty means the whole value.
	path []int
	// key, if not nil, selects one element of the value, which is a list or a map.
	key constant.Value
	// frame is the call that entered the value's function, or nil for the outermost function.
	frame *frame
	order order
	// quiet is set if the program examines or replaces an error that is made from the value. Missing codes are then not
	// recorded.
	quiet bool
	// code is set if the value becomes an error code.
	code bool
}

// An order says whether the order in which a value was built matters.
type order int

const (
	single order = iota // a single value, such as a key
	listed              // a list or text that was built from several values
	sum                 // the order does not matter: the value is a number, or was sorted
)

// A visit identifies a traced value.
type visit struct {
	value ssa.Value
	path  string
	key   string
	frame *frame
	order order
}

// A frame is a call to a function that a trace follows.
type frame struct {
	fn   *ssa.Function
	args []ssa.Value
	up   *frame
	n    int
}

// trace follows a value. For reached, see [trace].
func (p *program) trace(e traced, reached func(t *trace, e traced) bool) *trace {
	t := &trace{program: p, reached: reached}
	t.follow(e)
	return t
}

func (t *trace) reach(e traced) (follow bool) { return t.reached != nil && t.reached(t, e) }

// of returns v as a traced value from which e is made.
func (e traced) of(v ssa.Value) traced { e.value = v; return e }

// part returns a field of v, from which e is made.
func (e traced) part(v ssa.Value, field int) traced {
	e.value, e.path = v, append([]int{field}, e.path...)
	return e
}

// whole returns v without a path: e is made from all of v.
func (e traced) whole(v ssa.Value) traced { e.value, e.path = v, nil; return e }

func (e traced) withOrder(o order) traced { e.order = max(e.order, o); return e }

// follow follows a value.
func (t *trace) follow(e traced) {
	key := visit{e.value, fmt.Sprint(e.path), fmt.Sprint(e.key), e.frame, e.order}
	if e.value == nil || t.seen[key] || t.steps > maxSteps || len(e.path) > 4 {
		return
	}
	if t.enter == nil && isError(e.value.Type()) {
		return
	}
	if t.seen == nil {
		t.seen = map[visit]bool{}
	}
	t.seen[key] = true
	t.steps++
	if t.enter != nil && !t.enter(&e) {
		return
	}
	if t.isSorted(e.value) {
		e.order = sum
	}
	switch v := e.value.(type) {
	case *ssa.Parameter:
		t.parameter(e, v)
	case *ssa.FreeVar:
		t.follow(t.capturedVariable(e, v))
	case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.MakeClosure:
		t.reach(e)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			t.load(e.of(v.X))
		} else {
			t.follow(e.of(v.X).withOrder(sum))
		}
	case *ssa.BinOp:
		switch {
		case !isText(v.Type()):
			e.order = sum
		case isExtended(v, v, 0):
			e = e.withOrder(listed)
		}
		t.follow(e.of(v.X))
		t.follow(e.of(v.Y))
	case *ssa.Phi:
		for _, edge := range t.edges(v) {
			t.follow(e.of(edge))
		}
		t.reach(e)
	case *ssa.Field:
		t.follow(e.part(v.X, v.Field))
	case *ssa.Index, *ssa.Lookup:
		t.lookup(e, v)
	case *ssa.Slice:
		t.contents(e.of(v))
		t.follow(e.of(v.X))
	case *ssa.Extract:
		t.extract(e, v)
	case *ssa.Call:
		t.call(e, v, 0)
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.FieldAddr, *ssa.IndexAddr:
		t.load(e)
	default:
		of := sources(v)
		for _, v := range of {
			t.follow(e.of(v))
		}
		if len(of) == 0 {
			t.reach(e)
		}
	}
}

// sources returns the values that v consists of, or from which v reads a part, in one step. For a call, a variable and
// a binary operation, it returns nil.
func sources(v ssa.Value) []ssa.Value {
	switch v := v.(type) {
	case *ssa.Phi:
		return v.Edges
	case *ssa.MakeClosure:
		return v.Bindings
	case *ssa.Convert, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Slice, *ssa.UnOp,
		*ssa.Field, *ssa.FieldAddr, *ssa.Index, *ssa.IndexAddr, *ssa.Lookup, *ssa.Extract:
		return []ssa.Value{from(v)}
	}
	return nil
}

// isExtended reports whether a string is extended repeatedly, that is, whether v is made from whole.
func isExtended(v ssa.Value, whole *ssa.BinOp, depth int) bool {
	of := func(values ...ssa.Value) bool {
		return depth < maxDepth && slices.ContainsFunc(values, func(v ssa.Value) bool { return v == whole || isExtended(v, whole, depth+1) })
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		return isText(v.Type()) && of(v.X, v.Y)
	case *ssa.Phi:
		return of(v.Edges...)
	case *ssa.UnOp:
		return slices.Contains(storedIn(v.X), ssa.Value(whole))
	}
	return false
}

// edges returns the values of a variable to follow.
func (t *trace) edges(v *ssa.Phi) []ssa.Value {
	if t.zero == nil {
		return v.Edges
	}
	possible, decided := t.zero.edges(v)
	t.decided = t.decided || decided
	return possible
}

// selects returns e for the element with a key, or an empty value if e is about another element.
func (e traced) selects(key, element ssa.Value) traced {
	c, ok := key.(*ssa.Const)
	if e.key != nil && ok && !isTrue(compare(constantOf(c), token.EQL, e.key)) {
		return traced{}
	}
	e.value, e.key = element, nil
	return e
}

// lookup follows an element of a list or a map, or its address.
func (t *trace) lookup(e traced, element ssa.Value) {
	operands := element.(ssa.Instruction).Operands(nil)
	if t.zero != nil {
		known := t.zero.unanswered(*operands[1])
		if t.decided = t.decided || known.decided; e.key != nil {
			return // an element of an element
		}
		e.key = known.value
	}
	t.follow(e.of(*operands[0]))
	if !t.values {
		t.follow(e.whole(*operands[1]).withOrder(sum))
	}
}

func (t *trace) extract(e traced, v *ssa.Extract) {
	switch from := v.Tuple.(type) {
	case *ssa.Call:
		t.call(e, from, v.Index)
	case *ssa.TypeAssert:
		t.follow(e.of(from.X))
	case *ssa.Lookup:
		t.lookup(e, from)
	case *ssa.Next:
		t.follow(e.of(from.Iter.(*ssa.Range).X))
		t.reach(e.of(from))
	}
}

// parameter follows the argument for a parameter, if the call is known.
func (t *trace) parameter(e traced, v *ssa.Parameter) {
	i := slices.Index(v.Parent().Params, v)
	for f := e.frame; f != nil; f = f.up {
		if f.fn == v.Parent() {
			if e.frame = f.up; i < len(f.args) {
				t.follow(e.of(f.args[i]))
			}
			return
		}
	}
	// The arguments of a literal that is passed to a function come from the other arguments of that call.
	if call := t.given[v.Parent()]; call != nil && !t.own {
		c := call.Common()
		t.follow(e.whole(c.Value))
		for _, arg := range c.Args {
			if !is[*types.Signature](arg.Type()) {
				t.follow(e.whole(arg))
			}
		}
	}
	t.reach(e)
}

// capturedVariable returns the variable that a function literal captures.
func (t *trace) capturedVariable(e traced, v *ssa.FreeVar) traced {
	made := t.bindings[v.Parent()]
	for e.frame != nil && made != nil && e.frame.fn != made.Parent() {
		e.frame = e.frame.up
	}
	return e.of(t.binding(v))
}

// call follows a result of a call.
func (t *trace) call(e traced, call *ssa.Call, result int) {
	c := &call.Call
	switch name := builtinName(c); {
	case name == "append":
		e.key = nil
		t.follow(e.of(c.Args[0]))
		t.follow(e.of(c.Args[1]).withOrder(listed))
	case name == "min", name == "max":
		for _, arg := range c.Args {
			t.follow(e.of(arg))
		}
	}
	if !t.reach(e.of(call)) || builtinName(c) != "" {
		return
	}
	fn, _ := t.callee(c)
	if fn == nil {
		for _, arg := range c.Args {
			t.follow(e.whole(arg))
		}
		return
	}
	inner := &frame{fn: fn, args: c.Args, up: e.frame, n: 1}
	if e.frame != nil {
		inner.n = e.frame.n + 1
	}
	if e.frame = inner; inner.n > maxFrames {
		return
	}
	for ret := range each[*ssa.Return](fn) {
		t.follow(e.of(ret.Results[result]))
	}
}

// isSorted reports whether a list is sorted at any point.
func (t *trace) isSorted(v ssa.Value) bool {
	return is[*types.Slice](v.Type()) && isUsedBy(v, t.sorts)
}

func (t *trace) sorts(use ssa.Instruction) bool {
	switch use := use.(type) {
	case *ssa.Call:
		_, obj := t.callee(&use.Call)
		return inPackage(obj, "sort") != "" || strings.HasPrefix(inPackage(obj, "slices"), "Sort")
	case *ssa.MakeInterface, *ssa.ChangeType:
		return isUsedBy(use.(ssa.Value), t.sorts)
	}
	return false
}
