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
	for _, f := range c.program.funcs {
		var asks, effects []ssa.CallInstruction
		var names []string
		for call := range calls(f) {
			if _, deferred := call.(*ssa.Defer); deferred {
				continue // the effect cleans up after this run
			}
			did := c.program.does(call)
			if did.Asks {
				asks = append(asks, call)
			}
			if did.Effect != "" {
				effects, names = append(effects, call), append(names, c.program.named(call, did.Effect))
			}
		}
		for i, effect := range effects {
			for _, ask := range asks {
				if !follows(ask, effect) && (ask != effect || !c.program.repeats(effect)) {
					continue
				}
				asked := c.program.at(ask)
				found := c.report.at(c.program.at(effect), "%s runs before the question at %s, and again after its answer", names[i], c.report.place(asked))
				if ask == effect {
					found.Message = names[i] + " and a question alternate here, so it runs again after each answer"
				}
				found.suggest("move it after the last question, or into tool.Once")
				found.see(c.report.start(asked), "the question")
				break
			}
		}
	}
}

// follows reports whether an instruction may run after another one.
func follows(later, earlier ssa.Instruction) bool {
	return later.Block() == earlier.Block() && index(later) > index(earlier) || ahead(earlier.Block())[later.Block()]
}

// places searches a function and the functions that it calls. It reports each call to a function outside of the
// program whose behavior did describes. The finding's message begins with the description.
func (c *checker) places(fn *ssa.Function, did func(*behavior) string, text, hint string) {
	p, seen := c.program, map[*ssa.Function]bool{}
	var visit func(*ssa.Function)
	visit = func(fn *ssa.Function) {
		if seen[fn] || did(p.behave[fn]) == "" {
			return
		}
		seen[fn] = true
		for call := range calls(fn) {
			all := p.does(call)
			if did(&all) == "" {
				continue
			}
			foreign := p.foreign(call)
			if what := did(&foreign); what != "" {
				c.report.at(p.at(call), "%s %s", p.named(call, what), text).suggest("%s", hint)
			}
			for _, next := range p.ownRun(call) {
				visit(next)
			}
		}
	}
	visit(fn)
}

// named adds the name of the called function to the description of what a call does.
func (p *program) named(call ssa.CallInstruction, what string) string {
	_, obj := p.callee(call.Common())
	if obj == nil || short(obj) == what || obj.FullName() == "(*net/http.Client).Do" {
		return what
	}
	return obj.Name() + ", which calls " + what + ","
}

func changesOf(b *behavior) string { return b.Changes }

func networkUse(b *behavior) string { return b.Network }

// readOnlyEffects finds effects of tools that declare readonly=true.
func readOnlyEffects(c *checker, t *model.Tool, fn *ssa.Function) {
	if says := t.Annotations.ReadOnly; says != nil && *says {
		c.places(fn, changesOf, "has an effect, but tool "+t.Name+" declares readonly=true", "write readonly=false, or add //jp:allow with a reason")
	}
}

// closedWorlds finds network access by tools that declare openworld=false.
func closedWorlds(c *checker, t *model.Tool, fn *ssa.Function) {
	if says := t.Annotations.OpenWorld; says != nil && !*says {
		c.places(fn, networkUse, "uses the network, but tool "+t.Name+" declares openworld=false", "write openworld=true, or add //jp:allow with a reason")
	}
}

// formatEffects finds effects in the Format methods of inputs, which run before the user approves a call.
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
	const hint = "move it into the tool"
	if fn := c.program.ssa.Prog.FuncValue(method); c.program.owns(fn) {
		text := "in a Format method runs before a call to tool " + t.Name + " is approved"
		c.places(fn, changesOf, text, hint)
		c.places(fn, networkUse, text, hint)
	} else if did := c.program.behaviorOf(nil, method); did.Changes+did.Network != "" {
		c.report.at(t.Method.Pos(), "the Format method of the input of tool %s has an effect (%s) and runs before a call is approved",
			t.Name, cmp.Or(did.Changes, did.Network)).suggest(hint)
	}
}
