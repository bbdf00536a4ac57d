package jpvet

import "golang.org/x/tools/go/ssa"

// earlyEffects finds effects after which a question may be asked. On wires that run a handler again with the
// answer, such effects are repeated.
func earlyEffects(c *checker) {
	for _, f := range c.program.funcs {
		var asks, effects []ssa.CallInstruction
		var names []string
		for call := range calls(f) {
			if _, deferred := call.(*ssa.Defer); deferred {
				continue // it cleans up after this run
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
