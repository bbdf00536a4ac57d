package jpvet

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// derived holds packages whose functions compute a value only from their arguments. This includes package time
// without its clock.
var derived = map[string]bool{
	"bytes": true, "cmp": true, "encoding/base32": true, "encoding/base64": true, "encoding/hex": true, "encoding/json": true, "fmt": true,
	"maps": true, "math": true, "math/rand": true, "math/rand/v2": true, "net/url": true, "path": true, "path/filepath": true, "slices": true, "strconv": true, "strings": true,
	"time": true, sdktypes.Elicit: true, sdktypes.SDK + "/content": true,
}

// variable describes what makes the result of a function in another package differ between runs. It returns "" if
// the result is stable.
func variable(f *types.Func) string {
	path, name := f.Pkg().Path(), f.FullName()
	last := path[strings.LastIndexByte(path, '/')+1:]
	if len(last) > 1 && last[0] == 'v' && last[1] <= '9' {
		path = path[:len(path)-len(last)-1]
		last = path[strings.LastIndexByte(path, '/')+1:]
	}
	switch {
	case name == "time.Now", name == "time.Since", name == "time.Until":
		return "the time (" + name + ")"
	case name == "os.Getpid", name == "os.Getppid":
		return "the process (" + name + ")"
	case name == "os.CreateTemp", name == "os.MkdirTemp":
		return "the name of a temporary file (" + name + ")"
	case name == "(*"+sdktypes.Tool+".Call).ID":
		return "the id of the run (tool.Call.ID)"
	case path == "sync/atomic" && strings.HasPrefix(f.Name(), "Add"):
		return "a counter (" + short(f) + ")"
	case path == "math/rand" && !strings.HasPrefix(f.Name(), "New"), path == "crypto/rand",
		slices.Contains([]string{"uuid", "ulid", "xid", "ksuid", "shortuuid", "nanoid"}, last):
		return "a random value (" + short(f) + ")"
	}
	return ""
}

// sinks returns the values that determine the question that a call asks: the question itself, its text, and the
// values that it accepts.
func (p *program) sinks(call ssa.CallInstruction) []traced {
	c := call.Common()
	var all []traced
	if q := p.questionOf(call); q != nil {
		all = append(all, traced{value: q})
		for _, arg := range c.Args {
			variable := is[*types.Pointer](arg.Type()) // a question stores its answer through a pointer
			if arg != q && !variable && !sdktypes.Is(arg.Type(), "context", "Context") {
				all = append(all, traced{value: arg})
			}
		}
		return all
	}
	for _, word := range p.behaviorOf(p.callee(c)).Words {
		if e := word.in(c); e.value != nil {
			all = append(all, e)
		}
	}
	return all
}

// words returns the parts of parameters of a function that become parts of questions.
func (p *program) words(f *ssa.Function) []part {
	var all []part
	for call := range calls(f) {
		for _, sink := range p.sinks(call) {
			p.unstable(sink, call, func(e traced) {
				if word := partOf(f, e); word.Param >= 0 && !slices.ContainsFunc(all, word.is) {
					all = append(all, word)
				}
			})
		}
	}
	return all
}

// unstable describes what makes a value differ between runs, or returns "" if no cause is known. If parameter is
// not nil, it is called for each parameter from which the value is made.
func (p *program) unstable(e traced, sink ssa.CallInstruction, parameter func(traced)) (why string) {
	found := func(reason string) { why = cmp.Or(why, reason) }
	p.trace(e, func(t *trace, e traced) bool {
		switch v := e.value.(type) {
		case *ssa.Parameter:
			if parameter != nil {
				parameter(e)
			}
		case *ssa.Global:
			if v.Pkg.Pkg.Path() == "crypto/rand" {
				found("a random value (rand.Reader)")
			}
		case *ssa.Next:
			if of := v.Iter.(*ssa.Range).X; is[*types.Map](of.Type()) && (e.order == listed || e.order == single && sink != nil && sameLoop(v, sink)) {
				found("the order of a map")
			}
		case *ssa.Phi:
			if cond := p.chosenBy(v); cond != nil {
				t.follow(e.whole(cond).withOrder(sum))
			}
		case *ssa.Call:
			return p.unstableCall(e, v, found)
		}
		return false
	})
	return why
}

// sameLoop reports whether a question is asked in the same loop in which next iterates.
func sameLoop(next *ssa.Next, sink ssa.CallInstruction) bool {
	return next.Parent() == sink.Parent() && blocksAfter(next.Block())[sink.Block()] && blocksAfter(sink.Block())[next.Block()]
}

// unstableCall checks the result of a call, and reports whether to follow its arguments.
func (p *program) unstableCall(e traced, call *ssa.Call, found func(string)) bool {
	c := &call.Call
	fn, obj := p.callee(c)
	if fn != nil {
		return true
	}
	if isClock(c) {
		found("the time (a clock)")
	}
	if obj == nil || obj.Pkg() == nil || inPackage(obj, sdktypes.Tool) == "Once" || p.questionOf(call) != nil {
		return false
	}
	switch name := inPackage(obj, "maps"); {
	case (name == "Keys" || name == "Values" || name == "All") && e.order != sum:
		found("the order of a map")
	case strings.HasPrefix(inPackage(obj, "slices"), "Sorted"):
		return false
	case obj.FullName() == "(*sync.Map).Range":
		found("the order of a map")
	}
	if why := variable(obj); why != "" {
		made := false // whether the value is made from a seed that may be constant
		if recv := obj.Signature().Recv(); recv != nil && len(c.Args) > 0 {
			_, made = c.Args[0].(*ssa.Call)
		}
		if !made {
			found(why)
			return false
		}
	}
	if obj.Pkg().Path() == "fmt" && len(c.Args) > 0 {
		if format, ok := stringOf(c.Args[0]); ok && strings.Contains(format, "%p") {
			found("an address (%p)")
		}
	}
	var fact behavior
	if p.pass.ImportObjectFact(obj, &fact) && fact.Unstable != "" {
		found(fact.Unstable)
	}
	return derived[obj.Pkg().Path()] || obj.FullName() == "(*os.File).Name"
}

// isClock reports whether a call reads the time from a replaceable clock: an interface method Now, or a function
// in a field of that name.
func isClock(c *ssa.CallCommon) bool {
	results := c.Signature().Results()
	if results.Len() != 1 || !sdktypes.Is(results.At(0).Type(), "time", "Time") {
		return false
	}
	if c.IsInvoke() {
		return c.Method.Name() == "Now"
	}
	field := fieldRead(c.Value)
	return field != nil && strings.EqualFold(field.Name(), "now")
}

// chosenBy returns the condition that selects one of several constants for a variable, or nil if no condition
// selects one.
func (p *program) chosenBy(phi *ssa.Phi) ssa.Value {
	if slices.ContainsFunc(phi.Edges, func(v ssa.Value) bool { _, constant := v.(*ssa.Const); return !constant && phiOf(v) == nil }) {
		return nil
	}
	if branch := branchOf(phi.Block().Idom()); branch != nil {
		return branch.Cond
	}
	return nil
}

// returnsUnstable describes what makes the results of a function differ between runs.
func (p *program) returnsUnstable(f *ssa.Function) string {
	for ret := range each[*ssa.Return](f) {
		for _, v := range ret.Results {
			if why := p.unstable(traced{value: v}, nil, nil); why != "" {
				return why // the value is not an error, because errors are not followed
			}
		}
	}
	return ""
}
