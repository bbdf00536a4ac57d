package jpvet

import (
	"cmp"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
)

// places calls report for each call in a function, or in the functions that it calls, whose behavior comes from
// functions outside of the program, with a description of that behavior.
func (p *program) places(fn *ssa.Function, did func(*behavior) string, report func(call ssa.CallInstruction, what string)) {
	seen := map[*ssa.Function]bool{}
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
				report(call, p.named(call, what))
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

// readOnlyEffects finds effects of tools that say readonly=true.
func readOnlyEffects(c *checker) {
	c.tools(func(t *model.Tool, fn *ssa.Function) {
		if says := t.Annotations.ReadOnly; says != nil && *says {
			c.program.places(fn, changesOf, func(call ssa.CallInstruction, what string) {
				c.report.at(c.program.at(call), "%s has an effect, but tool %s says readonly=true", what, t.Name).
					suggest("write readonly=false, or add //jp:allow with a reason")
			})
		}
	})
}

// closedWorlds finds network access of tools that say openworld=false.
func closedWorlds(c *checker) {
	c.tools(func(t *model.Tool, fn *ssa.Function) {
		if says := t.Annotations.OpenWorld; says != nil && !*says {
			c.program.places(fn, networkUse, func(call ssa.CallInstruction, what string) {
				c.report.at(c.program.at(call), "%s uses the network, but tool %s says openworld=false", what, t.Name).
					suggest("write openworld=true, or add //jp:allow with a reason")
			})
		}
	})
}

// formatEffects finds effects in the Format methods of inputs, which run before the user approves a call.
func formatEffects(c *checker) {
	c.tools(func(t *model.Tool, _ *ssa.Function) {
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
		fn := c.program.ssa.Prog.FuncValue(method)
		if fn == nil || !c.program.own[fn] {
			if did := c.program.behaviorOf(nil, method); did != nil && did.Changes+did.Network != "" {
				c.report.at(t.Method.Pos(), "the Format method of the input of tool %s has an effect (%s) and runs before the call is approved",
					t.Name, cmp.Or(did.Changes, did.Network)).suggest("move it into the tool")
			}
			return
		}
		for _, did := range []func(*behavior) string{changesOf, networkUse} {
			c.program.places(fn, did, func(call ssa.CallInstruction, what string) {
				c.report.at(c.program.at(call), "%s in a Format method runs before the call of tool %s is approved", what, t.Name).
					suggest("move it into the tool")
			})
		}
	})
}
