package jpvet

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/sdk/gen/question"
)

// answers reports whether a call returns an answer and its error, because it asks a question or calls a helper
// that returns both.
func (p *program) answers(call ssa.CallInstruction) bool {
	if p.asks(call) {
		return call.Common().Signature().Results().Len() == 2 // elicit.Together does not return the answers
	}
	return p.behaviorOf(p.callee(call.Common())).Answers
}

// asks reports whether a call asks a question: it calls the Ask method of a question or of an interface, or passes
// the parts that Into makes to elicit.Together.
func (p *program) asks(call ssa.CallInstruction) bool {
	c := call.Common()
	if _, method := p.calledMethod(c); method != nil {
		sig := method.Signature()
		return method.Name() == "Ask" && sig.Variadic() && sig.Params().Len() == 3 && sig.Results().Len() == 2 &&
			sdktypes.Is(sig.Params().At(0).Type(), "context", "Context") && isText(sig.Params().At(1).Type()) && isError(sig.Results().At(1).Type())
	}
	_, obj := p.callee(c)
	return isAsk(obj)
}

// isAsk reports whether obj is the Ask or Into method of a question, or elicit.Together.
func isAsk(obj *types.Func) bool {
	if inPackage(obj, sdktypes.Elicit) == "" {
		return false
	}
	if obj.Signature().Recv() == nil {
		return obj.Name() == "Together"
	}
	return obj.Name() == "Ask" || obj.Name() == "Into"
}

// isPart reports whether a call makes a part for elicit.Together.
func isPart(call ssa.CallInstruction) bool {
	results := call.Common().Signature().Results()
	return results.Len() == 1 && sdktypes.Is(results.At(0).Type(), sdktypes.Elicit, "Part")
}

// returnsAnswer reports whether a function with two results returns an answer as its first result.
func (p *program) returnsAnswer(f *ssa.Function) bool {
	results := f.Signature.Results()
	if results.Len() != 2 || !isError(results.At(1).Type()) {
		return false
	}
	for call := range calls(f) {
		asked, ok := call.(*ssa.Call)
		if !ok || !p.answers(call) {
			continue
		}
		if slices.ContainsFunc(resultUsers(asked, 0), p.isOnlyReturned) {
			return true
		}
	}
	return false
}

// decides reports whether a function asks a question, returns a boolean and an error, and returns false with each
// error.
func (p *program) decides(f *ssa.Function) bool {
	results := f.Signature.Results()
	if results.Len() != 2 || !isBasic(results.At(0).Type(), types.IsBoolean) || !isError(results.At(1).Type()) {
		return false
	}
	asks := func(call ssa.CallInstruction) bool {
		return p.asks(call) || p.behaviorOf(p.callee(call.Common())).Decides
	}
	if !slices.ContainsFunc(slices.Collect(calls(f)), asks) {
		return false
	}
	for ret := range each[*ssa.Return](f) {
		if !isNilConst(ret.Results[1]) && !isBool(ret.Results[0], false) {
			return false
		}
	}
	return true
}

// plain holds packages whose functions only compute a value from their arguments.
var plain = map[string]bool{"fmt": true, "strings": true, "strconv": true, "path": true, "path/filepath": true}

// isOnlyReturned reports whether the result of an instruction is only returned to the caller, together with the
// error, and without a branch, as in return string(v), err.
func (p *program) isOnlyReturned(use ssa.Instruction) bool {
	made, ok := use.(ssa.Value)
	switch use := use.(type) {
	case *ssa.Return:
		return true
	case *ssa.Store: // the value is an argument of a variadic call
		at, element := use.Addr.(*ssa.IndexAddr)
		if !element {
			return false
		}
		return !slices.ContainsFunc(users[*ssa.Slice](at.X), func(list *ssa.Slice) bool { return !p.isOnlyReturned(list) })
	case *ssa.Call:
		_, obj := p.callee(&use.Call)
		// Functions of these packages that write somewhere, such as fmt.Fprintf, return an error.
		builtin, _ := use.Call.Value.(*ssa.Builtin)
		ok = builtin != nil && builtin.Name() == "len" ||
			obj != nil && obj.Pkg() != nil && plain[obj.Pkg().Path()] && !returnsError(obj.Signature())
	case *ssa.ChangeType, *ssa.Convert, *ssa.MakeInterface, *ssa.Field, *ssa.BinOp, *ssa.Slice:
	default:
		return false
	}
	return ok && !isUsedBy(made, func(next ssa.Instruction) bool {
		return next.Block() != use.Block() || !p.isOnlyReturned(next)
	})
}

// unreadErrors finds answers that are used although the question may not have been answered, because the error
// is not checked, or is checked too late. A side effect that runs because the answer is its zero value counts as a use.
func unreadErrors(c *checker, call ssa.CallInstruction) {
	asked, ok := call.(*ssa.Call)
	if !ok || !c.answers(call) && !c.asks(call) && !c.behaviorOf(c.callee(call.Common())).Decides {
		return
	}
	const because = "because the answer is the zero value if the question was not answered"
	if c.answers(call) {
		if len(resultUsers(asked, 0)) == 0 {
			return
		}
		if errorOf(call) == nil {
			c.unchecked[call] = true
			c.report.at(call.Pos(), "the answer is used without checking its error").
				suggest("write if err != nil { return …, err }, " + because)
			return
		}
	}
	u := c.findEarlyUse(call)
	if u.at == nil {
		return
	}
	c.unchecked[call] = true
	const hint = "check the error first, " + because
	place := c.report.place(posOf(u.at))
	if u.effect == "" {
		c.report.at(call.Pos(), "the answer is used at %s before its error is checked", place).suggest(hint)
		return
	}
	const message = "%s runs at %s even if the question was not answered, because its error is checked too late"
	found := c.report.at(call.Pos(), message, u.effect, place).suggest(hint)
	found.see(c.report.start(posOf(u.at)), "the side effect")
}

// unusedAnswers finds answers to a Confirm that are not used, so the handler continues after the user says no. A
// Visit has no other answer than yes. If the error is discarded too, only the lost error is reported.
func unusedAnswers(c *checker, call ssa.CallInstruction) {
	asked, ok := call.(*ssa.Call)
	if !ok {
		return
	}
	unused := false
	fn, obj := c.callee(&asked.Call)
	if isPart(call) && isAsk(obj) {
		answer, ok := asked.Call.Args[1].(*ssa.Alloc)
		unused = ok && isBasic(elemOf(answer.Type()), types.IsBoolean) && !isUsedBy(answer, func(use ssa.Instruction) bool {
			store, ok := use.(*ssa.Store)
			return use != asked && !(ok && store.Addr == answer)
		})
	} else if c.answers(call) {
		unused = isBasic(call.Common().Signature().Results().At(0).Type(), types.IsBoolean) &&
			len(resultUsers(asked, 0)) == 0 && len(resultUsers(asked, 1)) > 0
	}
	asks := []ssa.CallInstruction{call}
	if fn != nil {
		asks = slices.Collect(calls(fn))
	}
	for _, ask := range asks {
		for v := range origins(c.questionOf(ask)) {
			kind := model.KindOf(sdktypes.Name(v.Type(), sdktypes.Elicit))
			unused = unused && kind.Traits().Needs != question.NeedsPage
		}
	}
	if unused {
		c.report.at(call.Pos(), "the answer is not used, so the handler continues even if the user says no").
			suggest("write ok, err := …, and return if !ok")
	}
}

// resultUsers returns the instructions that use one of several results of a call.
func resultUsers(call *ssa.Call, index int) []ssa.Instruction {
	if v := result(call, index); v != nil {
		return users[ssa.Instruction](v)
	}
	return nil
}

func index(instr ssa.Instruction) int { return slices.Index(instr.Block().Instrs, instr) }

// posOf returns the position of an instruction or, if it has none, of an instruction that uses it.
func posOf(instr ssa.Instruction) token.Pos {
	for range 3 {
		v, ok := instr.(ssa.Value)
		if instr.Pos().IsValid() || !ok || v.Referrers() == nil || len(*v.Referrers()) == 0 {
			break
		}
		instr = (*v.Referrers())[0]
	}
	if !instr.Pos().IsValid() {
		return instr.Parent().Pos()
	}
	return instr.Pos()
}

// strayQuestions finds questions that are asked in a goroutine other than the handler's. Only one question may
// be pending at a time, and no question may be asked after the call.
func strayQuestions(c *checker, call ssa.CallInstruction) {
	if c.asksInGoroutine(call) {
		c.report.at(call.Pos(), "a question is asked in a goroutine, where it can overlap another question or outlive the call").
			suggest("ask in the handler and pass the answer to the goroutine")
	}
}

// foreignContexts finds questions that are asked with a context that does not belong to the call.
func foreignContexts(c *checker, call ssa.CallInstruction) {
	const hint = "use the context of the handler"
	fresh := func(obj *types.Func) bool {
		return inPackage(obj, "context") == "Background" || inPackage(obj, "context") == "TODO"
	}
	if !c.callBehavior(call).Asks {
		return
	}
	for _, ctx := range call.Common().Args {
		if !sdktypes.Is(ctx.Type(), "context", "Context") {
			continue
		}
		if c.comesFrom(ctx, fresh, isContext) {
			c.report.at(call.Pos(), "a question is asked with a new context, which does not belong to the call").suggest(hint)
		} else if where := c.lastingOwner(ctx, 0); where != "" {
			c.report.at(call.Pos(), "a question is asked with a context stored in %s, which does not belong to the call", where).suggest(hint)
		}
	}
}

// comesFrom reports whether a value comes from a function for which match returns true. It follows functions in
// the program and functions for which through returns true.
func (p *program) comesFrom(v ssa.Value, match, through func(*types.Func) bool) (found bool) {
	p.trace(traced{value: v}, func(_ *trace, e traced) bool {
		call, ok := e.value.(*ssa.Call)
		if !ok {
			return false
		}
		fn, obj := p.callee(&call.Call)
		found = found || obj != nil && match(obj)
		return fn != nil || obj != nil && through(obj)
	})
	return found
}

// isContext reports whether a function of package context may derive a context from its argument.
func isContext(obj *types.Func) bool { return inPackage(obj, "context") != "" }
