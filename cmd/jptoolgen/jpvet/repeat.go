package jpvet

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// walks are functions of the standard library that call what they are given again and
// again, and which argument that is.
var walks = map[string]int{
	"path/filepath.WalkDir": 1, "path/filepath.Walk": 1, "io/fs.WalkDir": 2, "(*sync.Map).Range": 1, "maps.DeleteFunc": 1,
	"slices.ContainsFunc": 1, "slices.DeleteFunc": 1, "slices.IndexFunc": 1, "slices.SortFunc": 1, "slices.SortStableFunc": 1,
}

// repeats reports whether a call runs one function that it is given again and again,
// which both asks and has an effect.
func (p *program) repeats(call ssa.CallInstruction) bool {
	for _, given := range p.repeatedBy(call) {
		if p.behave[given].Asks && p.behave[given].Effect != "" {
			return true
		}
	}
	return false
}

// repeatedBy returns the functions of the program that a call is given and runs again
// and again.
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
		if _, isFunc := arg.Type().Underlying().(*types.Signature); !isFunc {
			continue
		}
		given, _ := p.functionOf(arg)
		if given != nil && (isLoop(given) || walked && i == at || did != nil && slices.Contains(did.Repeats, i)) {
			all = append(all, given)
		}
	}
	return all
}

// isLoop reports whether a function is the body of a loop over an iterator.
func isLoop(f *ssa.Function) bool { return strings.HasPrefix(f.Synthetic, "range-over-func") }

// repeated returns the indexes of the parameters that a function calls in a loop.
func (p *program) repeated(f *ssa.Function) []int {
	if !slices.ContainsFunc(f.Params, isCallable) {
		return nil
	}
	found := map[*ssa.Parameter]bool{}
	for call := range calls(f) {
		if !follows(call, call) {
			continue
		}
		c := call.Common()
		if !c.IsInvoke() && c.StaticCallee() == nil {
			p.called(c.Value, found)
		}
		for _, arg := range functionsAmong(c.Args) {
			p.called(arg, found)
		}
	}
	return indexes(f, found)
}

// at returns where a call stands, and for that of an iterator where the loop does.
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
