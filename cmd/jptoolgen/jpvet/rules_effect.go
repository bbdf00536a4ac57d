package jpvet

import (
	"cmp"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
)

// earlyEffects finds effects after which a question may be asked. Where a protocol runs the handler again with
// the answer, such effects are repeated.
func earlyEffects(c *checker) {
	for _, f := range c.funcs {
		var asks, effects []ssa.CallInstruction
		for call := range calls(f) {
			did := c.callBehavior(call)
			if did.Asks {
				asks = append(asks, call)
			}
			if did.Effects[repeatable] != "" {
				effects = append(effects, call)
			}
		}
		for _, effect := range effects {
			for _, ask := range asks {
				if !asksAfter(ask, effect) && (ask != effect || !c.repeats(effect)) {
					continue
				}
				asked, name := c.at(ask), c.withCallee(effect, c.callBehavior(effect).Effects[repeatable])
				found := c.report.at(c.at(effect), "%s runs before the question at %s, and again after its answer", name, c.report.place(asked))
				if ask == effect {
					found.Message = name + " runs between questions here, so its side effect is repeated after each answer"
				}
				found.suggest("move it after the last question, or into tool.Once")
				found.see(c.report.start(asked), "the question")
				break
			}
		}
	}
}

// asksAfter reports whether a question may be asked after an effect. A deferred question is asked after all effects of
// its function.
func asksAfter(ask, effect ssa.CallInstruction) bool {
	_, deferred := ask.(*ssa.Defer)
	return follows(ask, effect) || deferred && follows(effect, ask)
}

// follows reports whether an instruction may run after another one.
func follows(later, earlier ssa.Instruction) bool {
	return later.Block() == earlier.Block() && index(later) > index(earlier) || blocksAfter(earlier.Block())[later.Block()]
}

// places searches a function and the functions that it calls. It reports each call to a function outside of the
// program that has a side effect of the given kind. The message begins with the name of that function.
func (c *checker) places(fn *ssa.Function, kind int, text, hint string) {
	seen := map[*ssa.Function]bool{}
	var visit func(*ssa.Function)
	visit = func(fn *ssa.Function) {
		if seen[fn] || c.behave[fn].Effects[kind] == "" {
			return
		}
		seen[fn] = true
		for call := range calls(fn) {
			if c.callBehavior(call).Effects[kind] == "" {
				continue
			}
			if what := c.foreignBehavior(call).Effects[kind]; what != "" {
				c.report.at(c.at(call), "%s %s", c.withCallee(call, what), text).suggest("%s", hint)
			}
			for _, next := range c.ownRun(call) {
				visit(next)
			}
		}
	}
	visit(fn)
}

// withCallee adds the name of the called function to the description of the effect of a call.
func (p *program) withCallee(call ssa.CallInstruction, what string) string {
	_, obj := p.callee(call.Common())
	if obj == nil || short(obj) == what || obj.FullName() == "(*net/http.Client).Do" {
		return what
	}
	return obj.Name() + ", which calls " + what + ","
}

// readOnlyEffects finds effects of tools that declare readonly=true.
func readOnlyEffects(c *checker, t *model.Tool, fn *ssa.Function) {
	if says := t.Annotations.ReadOnly; says != nil && *says {
		c.places(fn, change, "has a side effect, but "+t.String()+" declares readonly=true", "write readonly=false, or add //jp:allow with a reason")
	}
}

// taskEffects finds effects outside tool.Once in tools whose calls become tasks. If the process ends during a task,
// another one runs the handler again.
func taskEffects(c *checker, t *model.Tool, fn *ssa.Function) {
	if t.Task.Mode != "" {
		c.places(fn, resumed, "may run again if the server stops during a task of "+t.String(),
			"run it in tool.Once, whose result is stored with the task")
	}
}

// closedWorlds finds network access by tools that declare openworld=false.
func closedWorlds(c *checker, t *model.Tool, fn *ssa.Function) {
	if says := t.Annotations.OpenWorld; says != nil && !*says {
		c.places(fn, network, "uses the network, but "+t.String()+" declares openworld=false", "write openworld=true, or add //jp:allow with a reason")
	}
}

// formatEffects finds side effects in the Format methods of inputs. These methods run before the user approves a call.
func formatEffects(c *checker, t *model.Tool, _ *ssa.Function) {
	if t.Input == nil {
		return
	}
	selection := types.NewMethodSet(types.NewPointer(t.Input.Type)).Lookup(c.pass.Pkg, "Format")
	if selection == nil {
		return
	}
	method, ok := selection.Obj().(*types.Func)
	if !ok || method.Signature().Params().Len() > 0 {
		return
	}
	const hint = "move the operation into the method of the tool"
	if fn := c.ssa.Prog.FuncValue(method); c.owns(fn) {
		text := "in a Format method runs before the user approves a call to " + t.String()
		c.places(fn, change, text, hint)
		c.places(fn, network, text, hint)
	} else if did := c.behaviorOf(nil, method); did.Effects[change]+did.Effects[network] != "" {
		c.report.at(t.Method.Pos(), "the Format method of the input of %s has a side effect (%s) and runs before the user approves a call",
			t, cmp.Or(did.Effects[change], did.Effects[network])).suggest(hint)
	}
}
