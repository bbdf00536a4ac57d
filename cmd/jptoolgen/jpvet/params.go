package jpvet

import (
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// spawns holds functions that run an argument in another goroutine, like the go statement. Methods named Go in
// other packages and in interfaces are assumed to do the same.
var spawns = map[string]bool{
	"time.AfterFunc": true, "context.AfterFunc": true, "(*golang.org/x/sync/errgroup.Group).TryGo": true,
}

// spawning reports whether a call runs an argument in another goroutine.
func (p *program) spawning(call ssa.CallInstruction) bool {
	if _, spawned := call.(*ssa.Go); spawned {
		return true
	}
	c := call.Common()
	if c.IsInvoke() {
		return c.Method.Name() == "Go"
	}
	_, obj := p.callee(c)
	return obj != nil && (spawns[obj.FullName()] || obj.Name() == "Go" && obj.Signature().Recv() != nil && !p.isOwn(obj))
}

// isOwn reports whether a function belongs to the program.
func (p *program) isOwn(obj *types.Func) bool { return p.owns(p.ssa.Prog.FuncValue(obj)) }

// asksInGoroutine reports whether a call asks a question in another goroutine, either directly or through a
// helper that starts a goroutine for a function argument.
func (p *program) asksInGoroutine(call ssa.CallInstruction) bool {
	if p.spawning(call) {
		return p.callBehavior(call).Asks
	}
	c := call.Common()
	return slices.ContainsFunc(argsAt(c, p.behaviorOf(p.callee(c)).Spawns), func(arg ssa.Value) bool {
		return slices.ContainsFunc(functionsIn(arg), func(v ssa.Value) bool { return p.behaviorOf(p.functionOf(v)).Asks })
	})
}

// functionsIn returns the argument if it is a function, or the functions in a variadic argument.
func functionsIn(arg ssa.Value) []ssa.Value {
	list, ok := arg.(*ssa.Slice)
	if !ok {
		return []ssa.Value{arg}
	}
	var all []ssa.Value
	for _, at := range users[*ssa.IndexAddr](list.X) {
		all = append(all, storedIn(at)...)
	}
	return all
}

// spawnedParams returns the indexes of the parameters that a function runs in another goroutine.
func (p *program) spawnedParams(f *ssa.Function) []int {
	return p.callsOf(f, calls(literals(f)...), func(call ssa.CallInstruction) []ssa.Value {
		if c := call.Common(); p.spawning(call) {
			return append([]ssa.Value{c.Value}, c.Args...)
		}
		return argsAt(call.Common(), p.behaviorOf(p.callee(call.Common())).Spawns)
	})
}

// literals returns a function and the literals in it.
func literals(f *ssa.Function) []*ssa.Function {
	all := []*ssa.Function{f}
	for _, anon := range f.AnonFuncs {
		all = append(all, literals(anon)...)
	}
	return all
}

// callsOf returns the indexes of the parameters of f that are called in a particular way, such as repeatedly. For
// each call in the sequence in, run returns the functions that are called in that way. If one of them is a function
// literal, callsOf returns the parameters that the literal calls.
func (p *program) callsOf(f *ssa.Function, in iter.Seq[ssa.CallInstruction], run func(ssa.CallInstruction) []ssa.Value) (found set[int]) {
	if !slices.ContainsFunc(f.Params, isCallable) {
		return nil
	}
	add := func(called ssa.Value) {
		p.trace(traced{value: called}, func(_ *trace, e traced) bool {
			if i := partOf(f, e).Param; i >= 0 && isCallable(f.Params[i]) {
				found.add(i)
			}
			return false
		})
	}
	for call := range in {
		for _, v := range run(call) {
			made, ok := v.(*ssa.MakeClosure)
			if !ok {
				add(v)
				continue
			}
			for call := range calls(made.Fn.(*ssa.Function)) {
				if c := call.Common(); !c.IsInvoke() && c.StaticCallee() == nil {
					add(c.Value)
				}
			}
		}
	}
	return found
}

// isCallable reports whether a parameter is a function or a list of functions.
func isCallable(param *ssa.Parameter) bool {
	t := param.Type().Underlying()
	if list, ok := t.(*types.Slice); ok {
		t = list.Elem().Underlying()
	}
	_, ok := t.(*types.Signature)
	return ok
}

// binding returns the value that the free variable v of a function literal is bound to, or nil if it is unknown.
func (p *program) binding(v *ssa.FreeVar) ssa.Value {
	if made := p.bindings[v.Parent()]; made != nil {
		if i := slices.Index(v.Parent().FreeVars, v); i >= 0 {
			return made.Bindings[i]
		}
	}
	return nil
}

// walks maps standard library functions that call an argument repeatedly to the index of that argument.
var walks = map[string]int{
	"path/filepath.WalkDir": 1, "path/filepath.Walk": 1, "io/fs.WalkDir": 2, "(*sync.Map).Range": 1, "maps.DeleteFunc": 1,
	"slices.ContainsFunc": 1, "slices.DeleteFunc": 1, "slices.IndexFunc": 1, "slices.SortFunc": 1, "slices.SortStableFunc": 1,
}

// repeats reports whether a call repeatedly runs a function argument that asks a question and has a side effect.
func (p *program) repeats(call ssa.CallInstruction) bool {
	return slices.ContainsFunc(p.repeatedCallbacks(call), func(given *ssa.Function) bool {
		return p.behave[given].Asks && p.behave[given].Effects[repeatable] != ""
	})
}

// repeatedCallbacks returns the functions in the program that are arguments of a call and that the call runs
// repeatedly.
func (p *program) repeatedCallbacks(call ssa.CallInstruction) []*ssa.Function {
	c := call.Common()
	fn, obj := p.callee(c)
	did := p.behaviorOf(fn, obj)
	at, walked := 0, false
	if obj != nil {
		at, walked = walks[obj.FullName()]
	}
	var all []*ssa.Function
	for i, arg := range c.Args {
		if !is[*types.Signature](arg.Type()) {
			continue
		}
		given, _ := p.functionOf(arg)
		if given != nil && (isLoop(given) || walked && i == at || slices.Contains(did.Repeats, i)) {
			all = append(all, given)
		}
	}
	return all
}

// isLoop reports whether a function is the body of a loop over an iterator.
func isLoop(f *ssa.Function) bool { return strings.HasPrefix(f.Synthetic, "range-over-func") }

// repeatedParams returns the indexes of the parameters that a function calls in a loop.
func (p *program) repeatedParams(f *ssa.Function) []int {
	return p.callsOf(f, calls(f), func(call ssa.CallInstruction) []ssa.Value {
		c := call.Common()
		switch {
		case !follows(call, call):
			return nil
		case !c.IsInvoke() && c.StaticCallee() == nil:
			return append(onlyFunctions(c.Args), c.Value)
		}
		return onlyFunctions(c.Args)
	})
}

// at returns the position of a call. If an iterator makes the call, it is the position of the loop.
func (p *program) at(call ssa.CallInstruction) token.Pos {
	if call.Pos().IsValid() {
		return call.Pos()
	}
	for _, arg := range call.Common().Args {
		if body, _ := p.functionOf(arg); body != nil && isLoop(body) {
			return body.Pos()
		}
	}
	return call.Parent().Pos()
}

// decisiveParams returns, for each question that a function asks, the indexes of the parameters that determine which
// question is asked. It leaves out questions that also depend on something else.
func (p *program) decisiveParams(f *ssa.Function) [][]int {
	var all [][]int
	add := func(values ...ssa.Value) {
		var about set[int]
		for _, v := range values {
			if !p.dependsOn(f, v, &about) {
				return
			}
		}
		if !slices.ContainsFunc(all, func(other []int) bool { return slices.Equal(other, about) }) {
			all = append(all, about)
		}
	}
	for call := range calls(f) {
		if q := p.questionOf(call); q != nil {
			add(q)
			continue
		}
		c := call.Common()
		for _, about := range p.behaviorOf(p.callee(c)).Same {
			add(argsAt(c, about)...)
		}
	}
	return all
}

// dependsOn finds the indexes of the parameters of f from which a value is computed. It reports whether the value
// depends only on these parameters and on constants.
func (p *program) dependsOn(f *ssa.Function, v ssa.Value, found *set[int]) bool {
	only := true
	t := trace{program: p, own: true}
	t.reached = func(t *trace, e traced) bool {
		switch v := e.value.(type) {
		case *ssa.Const, *ssa.Global, *ssa.Phi:
		case *ssa.Parameter:
			if i := slices.Index(f.Params, v); i >= 0 {
				found.add(i)
			} else { // a literal uses a parameter of its function
				only = only && isQuestion(v.Type())
			}
		case *ssa.Call:
			if _, obj := p.callee(&v.Call); inPackage(obj, sdktypes.Elicit) != "" {
				for _, arg := range v.Call.Args[:aboutArgs(obj, &v.Call)] {
					t.follow(e.of(arg))
				}
				break
			}
			only = false
		default:
			only = false
		}
		return false
	}
	t.follow(traced{value: v})
	return only
}
