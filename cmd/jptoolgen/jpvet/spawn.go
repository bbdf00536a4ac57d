package jpvet

import (
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
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
		return p.does(call).Asks
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

// spawned returns the indexes of the parameters that a function runs in another goroutine.
func (p *program) spawned(f *ssa.Function) []int {
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

// callsOf returns the indexes of the parameters of f that are called when the functions are called that run
// returns for one of the calls.
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
