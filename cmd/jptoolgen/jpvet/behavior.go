package jpvet

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// A behavior is what a function does beside returning. It is a fact about functions of
// other packages.
type behavior struct {
	// Module is that of the function: effects of other modules are not followed.
	Module string
	// Asks says that it asks a question.
	Asks bool
	// Answers says that it returns an answer, and the error beside it; Hands that the
	// error it returns may be that of a question.
	Answers, Hands bool
	// Same has, for each question that it asks, the indexes of the parameters that tell
	// which one it is.
	Same [][]int
	// Words are the parts of parameters that become parts of a question, and Unstable says
	// what is different in each run about its results, "" for nothing known.
	Words    []word
	Unstable string
	// Acknowledges are the indexes of the parameters with which it calls elicit.Acknowledge.
	Acknowledges []int
	// Spawns are the indexes of the parameters that it runs in another goroutine.
	Spawns []int
	// Repeats are the indexes of the parameters that it calls again and again.
	Repeats []int
	// Method is which parameter is the method of an HTTP request that it sends, from 1;
	// 0 is none.
	Method int
	// Effect names what it does that a second run repeats, "" for nothing known.
	Effect string
}

// AFact marks behavior as a fact.
func (*behavior) AFact() {}

func (b *behavior) String() string {
	switch {
	case b.Asks && b.Effect != "":
		return "asks, does " + b.Effect
	case b.Asks:
		return "asks"
	case b.Unstable != "":
		return "differs by " + b.Unstable
	case b.Effect == "":
		return "works on what it is given"
	}
	return "does " + b.Effect
}

// behaviors finds out what the functions do, until nothing more comes to light.
func (p *program) behaviors() {
	for _, f := range p.funcs {
		p.behave[f] = &behavior{Module: p.module()}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range p.funcs {
			b := p.behave[f]
			if spawned := p.spawned(f); len(spawned) > len(b.Spawns) {
				b.Spawns, changed = spawned, true
			}
			if repeated := p.repeated(f); len(repeated) > len(b.Repeats) {
				b.Repeats, changed = repeated, true
			}
			if same := p.same(f); len(same) > len(b.Same) {
				b.Same, changed = same, true
			}
			if words := p.words(f); len(words) > len(b.Words) {
				b.Words, changed = words, true
			}
			if told := p.acknowledged(f); len(told) > len(b.Acknowledges) {
				b.Acknowledges, changed = told, true
			}
			if !b.Answers && p.handsOn(f) {
				b.Answers, changed = true, true
			}
			for call := range calls(f) {
				if param, ok := p.sent(call).(*ssa.Parameter); ok && b.Method == 0 {
					if i := slices.Index(f.Params, param); i >= 0 {
						b.Method, changed = i+1, true
					}
				}
				did := p.does(call)
				if did.Asks && !b.Asks {
					b.Asks, changed = true, true
				}
				if _, deferred := call.(*ssa.Defer); did.Effect == "" || b.Effect != "" || deferred {
					continue
				}
				// What is allowed on the line of a function is no effect to its callers.
				if !p.report.allowsAt(diag.EarlyEffect, f.Pos()) {
					b.Effect, changed = did.Effect, true
				}
			}
		}
	}
	for _, f := range p.funcs {
		for call := range calls(f) {
			for given := range p.repeatedBy(call) {
				p.turns[given], p.given[given] = true, call
			}
		}
	}
}

// module returns the path of the module.
func (p *program) module() string {
	if p.pass.Module == nil {
		return ""
	}
	return p.pass.Module.Path
}

// calls returns the calls in a function, those of go and defer too.
func calls(f *ssa.Function) func(yield func(ssa.CallInstruction) bool) {
	return func(yield func(ssa.CallInstruction) bool) {
		for instr := range instructions(f) {
			if call, ok := instr.(ssa.CallInstruction); ok && !yield(call) {
				return
			}
		}
	}
}

// does returns what a call does: the function it calls, and those it hands over, which
// are taken to be called there.
func (p *program) does(call ssa.CallInstruction) behavior {
	c := call.Common()
	fn, obj := p.callee(c)
	var all behavior
	all.add(p.behaviorOf(fn, obj))
	if name := effectOf(call, obj); name != "" {
		all.Effect = name
	}
	if method, ok := stringOf(p.sent(call)); ok && !safe(method) {
		all.Effect = "http.Client.Do of a " + method
	}
	once := inPackage(obj, toolPath) == "Once"
	for _, arg := range c.Args {
		if _, isFunc := arg.Type().Underlying().(*types.Signature); !isFunc {
			continue
		}
		fn, obj := p.functionOf(arg)
		all.add(p.behaviorOf(fn, obj))
		if obj != nil && effects[obj.FullName()] {
			all.add(&behavior{Effect: short(obj)})
		}
	}
	if once || all.Effect != "" && p.report.allowsAt(diag.EarlyEffect, p.report.start(call.Pos())) {
		all.Effect = ""
	}
	return all
}

// add adds what a function does.
func (b *behavior) add(other *behavior) {
	if other == nil {
		return
	}
	b.Asks = b.Asks || other.Asks
	if b.Effect == "" && other.Effect != "" {
		b.Effect = other.Effect
	}
}

// behaviorOf returns what is known of a function, nil for nothing.
func (p *program) behaviorOf(fn *ssa.Function, obj *types.Func) *behavior {
	switch {
	case fn != nil:
		return p.behave[fn]
	case obj == nil:
		return nil
	case inPackage(obj, elicitPath) != "":
		return &behavior{Asks: obj.Name() == "Ask" && obj.Signature().Recv() != nil}
	case inRuntime(obj):
		return nil
	}
	var fact behavior
	if !p.pass.ImportObjectFact(obj, &fact) {
		return nil
	}
	if fact.Module != p.module() {
		fact.Effect = ""
	}
	return &fact
}

// exportFacts tells packages that import this one what its functions do.
func (p *program) exportFacts() {
	for _, f := range p.funcs {
		obj, ok := f.Object().(*types.Func)
		if !ok {
			continue
		}
		b := p.behave[f]
		b.Hands, b.Unstable = p.handsError(f, obj), p.returnsUnstable(f)
		if b.Asks || b.Effect != "" || b.Unstable != "" || len(b.Spawns)+len(b.Repeats)+len(b.Acknowledges)+b.Method > 0 {
			p.pass.ExportObjectFact(obj, b)
		}
		p.pass.ExportObjectFact(obj, p.fail[f].fact())
	}
	for g, flow := range p.globals {
		if obj, ok := g.Object().(*types.Var); ok {
			p.pass.ExportObjectFact(obj, flow.fact())
		}
	}
}
