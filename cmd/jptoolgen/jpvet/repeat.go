package jpvet

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// walks maps functions of the standard library that call an argument repeatedly to the index of that argument.
var walks = map[string]int{
	"path/filepath.WalkDir": 1, "path/filepath.Walk": 1, "io/fs.WalkDir": 2, "(*sync.Map).Range": 1, "maps.DeleteFunc": 1,
	"slices.ContainsFunc": 1, "slices.DeleteFunc": 1, "slices.IndexFunc": 1, "slices.SortFunc": 1, "slices.SortStableFunc": 1,
}

// repeats reports whether a call repeatedly runs one of its arguments, and that argument is a function that both
// asks a question and has an effect.
func (p *program) repeats(call ssa.CallInstruction) bool {
	return slices.ContainsFunc(p.repeatedBy(call), func(given *ssa.Function) bool {
		return p.behave[given].Asks && p.behave[given].Effects[repeatable] != ""
	})
}

// repeatedBy returns the functions of the program that are arguments of a call and that the call runs
// repeatedly.
func (p *program) repeatedBy(call ssa.CallInstruction) []*ssa.Function {
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

// repeated returns the indexes of the parameters that a function calls in a loop.
func (p *program) repeated(f *ssa.Function) []int {
	return p.callsOf(f, calls(f), func(call ssa.CallInstruction) []ssa.Value {
		c := call.Common()
		switch {
		case !follows(call, call):
			return nil
		case !c.IsInvoke() && c.StaticCallee() == nil:
			return append(functionsAmong(c.Args), c.Value)
		}
		return functionsAmong(c.Args)
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
