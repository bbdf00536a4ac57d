package jpvet

import (
	"cmp"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// A behavior describes what a function does apart from its results. It is exported as a fact about the function.
type behavior struct {
	// Module is the path of the function's module. Effects in other modules are not followed.
	Module string
	// Asks is set if the function asks a question.
	Asks bool
	// Answers is set if the function returns an answer and its error. Hands is set if the error that the
	// function returns may be the error from a question.
	Answers, Hands bool
	// Decides is set if the function returns a boolean and an error, and false if its question was not answered.
	Decides bool
	// Same holds, for each question that the function asks, the indexes of the parameters that determine which
	// question is asked.
	Same [][]int
	// Words are the parts of parameters that become parts of a question. Unstable describes what makes the
	// results differ between runs, or is "" if no cause is known.
	Words    []part
	Unstable string
	// Uses are the parts of parameters that are used as paths, programs, hosts or names of environment
	// variables.
	Uses []use
	// Acknowledges are the indexes of the parameters that the function passes to elicit.Acknowledge.
	Acknowledges []int
	// Spawns are the indexes of the parameters that the function runs in another goroutine.
	Spawns []int
	// Locks are the names of the locks that the function holds when it returns, and Unlocks those that it releases
	// without having acquired them. Guards are the indexes of the parameters that it calls while it holds a lock.
	Locks, Unlocks []string
	Guards         []int
	// Repeats are the indexes of the parameters that the function calls repeatedly.
	Repeats []int
	// Method is 1 plus the index of the parameter that the function uses as the method of an HTTP
	// request, or 0 if there is no such parameter.
	Method int
	// Effects are the effects of the function and of the functions that it calls.
	Effects effectSet
}

// An effectSet holds the name of an effect of each kind, or "" if none is known.
type effectSet [4]string

// The kinds of effects.
const (
	repeatable = iota // an effect that a second run would repeat
	resumed           // the same, in a task that another process continues
	change            // any effect
	network           // contact with another machine
)

// effectCodes holds the code that reports each kind of effect.
var effectCodes = [...]diag.Code{
	repeatable: diag.EarlyEffect, resumed: diag.TaskEffect, change: diag.ReadOnlyEffect, network: diag.ClosedWorld,
}

// AFact marks behavior as a fact.
func (*behavior) AFact() {}

// behaviors determines the behavior of all functions.
func (p *program) behaviors() {
	p.repeatUntilKnown(p.handling)
	for _, call := range p.calls {
		for _, given := range p.repeatedCallbacks(call) {
			p.given[given] = call
		}
	}
	p.repeatUntilKnown(p.asking)
	p.repeatUntilKnown(p.addEffects)
}

// repeatUntilKnown repeatedly calls look with each function, until no call finds anything new.
func (p *program) repeatUntilKnown(look func(f *ssa.Function, b *behavior) (more bool)) {
	for changed := true; changed; {
		changed = false
		for _, f := range p.funcs {
			changed = look(f, p.behave[f]) || changed
		}
	}
}

// longer replaces a list with now if now is longer.
func longer[T any](known *[]T, now []T) (more bool) {
	if more = len(now) > len(*known); more {
		*known = now
	}
	return more
}

// handling determines what a function does with its parameters.
func (p *program) handling(f *ssa.Function, b *behavior) (more bool) {
	more = longer(&b.Spawns, p.spawnedParams(f))
	more = longer(&b.Repeats, p.repeatedParams(f)) || more
	more = longer(&b.Acknowledges, p.acknowledgedParams(f)) || more
	more = p.locking(f, b) || more
	for call := range calls(f) {
		if param, ok := p.sentMethod(call).(*ssa.Parameter); ok && b.Method == 0 {
			if i := slices.Index(f.Params, param); i >= 0 {
				b.Method, more = i+1, true
			}
		}
	}
	return more
}

// asking determines which questions a function asks.
func (p *program) asking(f *ssa.Function, b *behavior) (more bool) {
	more = longer(&b.Same, p.decisiveParams(f))
	more = longer(&b.Words, p.words(f)) || more
	more = longer(&b.Uses, p.uses(f)) || more
	if !b.Answers && p.returnsAnswer(f) {
		b.Answers, more = true, true
	}
	if !b.Decides && p.decides(f) {
		b.Decides, more = true, true
	}
	return more
}

// addEffects determines what the calls in a function do. Effects that a //jp:allow line accepts for the
// function are left out, so they do not count for its callers.
func (p *program) addEffects(f *ssa.Function, b *behavior) (more bool) {
	for call := range calls(f) {
		did := p.callBehavior(call)
		if did.Asks && !b.Asks {
			b.Asks, more = true, true
		}
		for kind, effect := range did.Effects {
			if effect != "" && b.Effects[kind] == "" && !p.report.allows(effectCodes[kind], f.Pos()) {
				b.Effects[kind], more = effect, true
			}
		}
	}
	return more
}

// callBehavior returns the behavior of a call. This includes the behavior of the functions that the call passes as
// arguments, because they are assumed to be called.
func (p *program) callBehavior(call ssa.CallInstruction) behavior {
	all := p.foreignBehavior(call)
	for _, fn := range p.ownRun(call) {
		all.add(p.behave[fn])
	}
	_, obj := p.callee(call.Common())
	// A deferred effect cleans up after this run.
	if _, deferred := call.(*ssa.Defer); deferred || inPackage(obj, sdktypes.Tool) == "Once" {
		all.Effects[repeatable], all.Effects[resumed] = "", ""
	}
	at := p.report.start(call.Pos())
	for kind, effect := range all.Effects {
		if effect != "" && p.report.allows(effectCodes[kind], at) {
			all.Effects[kind] = ""
		}
	}
	return all
}

// ownRun returns the functions in the program that a call runs.
func (p *program) ownRun(call ssa.CallInstruction) []*ssa.Function {
	var all []*ssa.Function
	for _, v := range p.run(call) {
		if fn, _ := p.functionOf(v); fn != nil {
			all = append(all, fn)
		}
	}
	return all
}

// run returns the functions that a call runs: the called function and the functions among its
// arguments. For an interface method, it returns the implementations, and for a function from a
// table, all functions in the table.
func (p *program) run(call ssa.CallInstruction) []ssa.Value {
	all := p.values(call.Common())
	for of, method := range p.abstracts(call.Common()) {
		for _, fn := range p.implementations(of, method) {
			all = append(all, fn)
		}
	}
	return all
}

// values returns the function values that a call runs.
func (p *program) values(c *ssa.CallCommon) []ssa.Value {
	all := onlyFunctions(c.Args)
	switch fn, obj := p.callee(c); {
	case c.IsInvoke():
	case fn != nil || obj != nil:
		all = append(all, c.Value)
	default:
		all = append(all, p.lookupFunctions(c.Value)...)
	}
	return all
}

// abstracts returns the interface methods that a call runs, and the types on which it calls them.
func (p *program) abstracts(c *ssa.CallCommon) iter.Seq2[types.Type, *types.Func] {
	return func(yield func(types.Type, *types.Func) bool) {
		if c.IsInvoke() && !yield(c.Value.Type(), c.Method) {
			return
		}
		for _, v := range p.values(c) {
			if of, method := p.abstract(v); method != nil && !yield(of, method) {
				return
			}
		}
	}
}

// lookupFunctions returns the functions that v may be, if v is looked up in a map, a list, a struct field or a package
// variable.
func (p *program) lookupFunctions(v ssa.Value) []ssa.Value {
	if known, done := p.tables[v]; done {
		return known
	}
	all := (&trace{program: p}).functions(v)
	p.tables[v] = all
	return all
}

// functions returns the functions that v may be.
func (t *trace) functions(v ssa.Value) (all []ssa.Value) {
	t.reached = func(t *trace, e traced) bool {
		switch v := e.value.(type) {
		case *ssa.Function, *ssa.MakeClosure:
			all = append(all, v)
		case *ssa.Global:
			for _, store := range t.stores[v] {
				t.follow(e.of(store.Val))
			}
		}
		return false
	}
	t.follow(traced{value: v})
	if field := fieldRead(v); field != nil {
		for _, store := range t.stores[field] {
			t.follow(traced{value: store.Val})
		}
	}
	return all
}

// onlyFunctions returns the values that are functions.
func onlyFunctions(values []ssa.Value) []ssa.Value {
	return slices.DeleteFunc(slices.Clone(values), func(v ssa.Value) bool { return !is[*types.Signature](v.Type()) })
}

// foreignBehavior returns the behavior of a call that comes from functions outside of the program.
func (p *program) foreignBehavior(call ssa.CallInstruction) (all behavior) {
	all.Asks = p.asks(call)
	for _, v := range p.run(call) {
		fn, obj := p.functionOf(v)
		if fn != nil || obj == nil {
			continue
		}
		all.add(p.behaviorOf(nil, obj))
		called := v == call.Common().Value
		if name := effectOf(call, obj, called); name != "" && !(called && p.temporary(call)) {
			all.Effects.add(effectSet{repeatable: name, resumed: name, change: name})
		}
		all.Effects.add(effectSet{network: networkOf(call, obj, called)})
	}
	for of, method := range p.abstracts(call.Common()) {
		all.Effects.add(effectSet{change: p.hiddenChange(of, method)})
	}
	if method, ok := stringOf(p.sentMethod(call)); ok && !slices.Contains([]string{"", "GET", "HEAD", "OPTIONS", "TRACE"}, method) { // the safe methods of RFC 9110
		name := "http.Client.Do with " + method
		all.Effects.add(effectSet{repeatable: name, resumed: name, change: name})
	}
	return all
}

// add adds the behavior of a function.
func (b *behavior) add(other *behavior) {
	b.Asks = b.Asks || other.Asks
	b.Effects.add(other.Effects)
}

func (e *effectSet) add(other effectSet) {
	for kind := range e {
		e[kind] = cmp.Or(e[kind], other[kind])
	}
}

// behaviorOf returns the known behavior of a function.
func (p *program) behaviorOf(fn *ssa.Function, obj *types.Func) *behavior {
	switch {
	case fn != nil:
		return p.behave[fn]
	case obj != nil && obj.Pkg() == p.pass.Pkg:
		return p.generatedBehavior(obj)
	}
	var fact behavior
	switch {
	case obj == nil:
	case inRuntime(obj):
		fact.Asks = isAsk(obj)
	default:
		p.pass.ImportObjectFact(obj, &fact)
	}
	if fact.Module != p.module {
		fact.Effects = effectSet{}
	}
	return &fact
}

// generatedBehavior returns the behavior of a generated function in the package, such as a function that calls a tool
// in the same process. It returns an empty behavior for other functions.
func (p *program) generatedBehavior(f *types.Func) *behavior {
	fn := p.ssa.Prog.FuncValue(f)
	if fn == nil || p.owns(fn) || f.Signature().Recv() != nil {
		return new(behavior)
	}
	all := behavior{Module: p.module}
	seen := map[*ssa.Function]bool{nil: true}
	var visit func(*ssa.Function)
	visit = func(f *ssa.Function) {
		if p.owns(f) {
			all.Effects.add(p.behave[f].Effects) // an elicitor in this process answers the questions, so only the effects matter
		} else if !seen[f] {
			seen[f] = true
			for call := range calls(append([]*ssa.Function{f}, f.AnonFuncs...)...) {
				visit(call.Common().StaticCallee())
			}
		}
	}
	visit(fn)
	return &all
}

// exportFacts exports facts about the functions and variables of the package.
func (p *program) exportFacts() {
	for _, f := range p.funcs {
		obj, ok := f.Object().(*types.Func)
		if !ok {
			continue
		}
		b := p.behave[f]
		b.Hands, b.Unstable = p.returnsQuestionError(f, obj), p.returnsUnstable(f)
		lists := len(b.Spawns) + len(b.Repeats) + len(b.Acknowledges) + len(b.Uses) +
			len(b.Locks) + len(b.Unlocks) + len(b.Guards)
		if b.Asks || b.Effects != (effectSet{}) || b.Unstable != "" || lists+b.Method > 0 {
			p.pass.ExportObjectFact(obj, b)
		}
		p.exportFlow(obj, p.fail[f])
	}
	for _, name := range p.pass.Pkg.Scope().Names() {
		if f, ok := p.pass.Pkg.Scope().Lookup(name).(*types.Func); ok {
			if b := p.generatedBehavior(f); b.Effects != (effectSet{}) {
				p.pass.ExportObjectFact(f, b)
			}
		}
	}
	for g, flow := range p.globals {
		if obj, ok := g.Object().(*types.Var); ok {
			p.exportFlow(obj, flow)
		}
	}
}

func (p *program) exportFlow(obj types.Object, f *flow) {
	fact := *f
	fact.Plain, fact.plain = len(f.plain) > 0, nil
	p.pass.ExportObjectFact(obj, &fact)
}
