package jpvet

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// call adds the codes of the error that a call returns.
func (t *tracer) call(e traced, call *ssa.Call) {
	c := &call.Call
	if _, ok := c.Value.(*ssa.Builtin); ok { // append is the only built-in function that can return errors
		t.arguments(e, c)
		return
	}
	if !returnsError(c.Signature()) {
		return
	}
	fn, obj := t.callee(c)
	if fn == nil && obj == nil {
		t.dynamic(e, c)
		return
	}
	switch inPackage(obj, sdktypes.Fault) {
	case "New":
		t.follow(e.of(c.Args[0]))
		return
	case "Wrap":
		t.follow(e.of(c.Args[1]))
		return
	case "From":
		t.follow(e.of(c.Args[0]))
		return
	}
	if inPackage(obj, sdktypes.Tool) == "Once" {
		t.follow(e.of(c.Args[2]))
		return
	}
	if inRuntime(obj) {
		// Ask fails with codes that every call may have. For errors such as denied access to a file, the codes
		// are known only at run time.
		name := inPackage(obj, sdktypes.Tool)
		t.out.Unknown = t.out.Unknown || inPackage(obj, sdktypes.Elicit) == "" && (name == "" || name == "Call.Files")
		return
	}
	flow := t.flowOf(fn, obj)
	if flow == nil {
		t.addUnknownCall(e, call, obj)
		return
	}
	t.out.carry(flow, t.compared[call.Parent()])
	if !e.quiet {
		for pos, what := range flow.plain {
			t.out.addUncoded(pos, what)
		}
	}
	if flow.Plain {
		t.addUncoded(e, call.Pos(), short(obj))
	}
	for _, i := range flow.Params {
		switch {
		case i >= len(c.Args):
		case sdktypes.Is(c.Args[i].Type(), sdktypes.Fault, "Code"):
			given := t.codes(c.Args[i], token.NoPos)
			t.out.carry(given, t.compared[call.Parent()])
			t.out.Params.add(given.Params...)
		case flow.Judges:
			quiet := e
			quiet.quiet = true
			t.follow(quiet.of(c.Args[i]))
		default:
			t.follow(e.of(c.Args[i]))
		}
	}
}

// addUnknownCall adds the codes of the error that an unknown function returns. These are only the codes of the errors
// and functions that are its arguments.
func (t *tracer) addUnknownCall(e traced, call *ssa.Call, obj *types.Func) {
	c := &call.Call
	switch name := obj.FullName(); {
	case name == "errors.New", name == "fmt.Errorf" && !wraps(c):
		t.addUncoded(e, call.Pos(), name)
		return
	case t.knowsFaults(obj.Pkg()):
		t.out.Unknown = true
	case !hasMappedErrors(obj.Pkg()) && name != "fmt.Errorf" && !takesErrors(c):
		t.addUncoded(e, call.Pos(), short(obj))
	}
	t.arguments(e, c)
}

// wraps reports whether a call to fmt.Errorf may wrap an error.
func wraps(c *ssa.CallCommon) bool {
	format, known := stringOf(c.Args[0])
	return !known || strings.Contains(format, "%w")
}

// takesErrors reports whether an argument of a call is an error or a function that returns one.
func takesErrors(c *ssa.CallCommon) bool {
	if c.Signature().Recv() != nil && len(c.Args) > 0 && isErrorGroup(c.Args[0].Type()) {
		return true
	}
	return slices.ContainsFunc(c.Args, func(arg ssa.Value) bool { return carries(arg.Type()) })
}

// hasMappedErrors reports whether the runtime assigns codes to the errors of a package, such as errors from file
// operations and from a context that is done.
func hasMappedErrors(pkg *types.Package) bool {
	return slices.Contains([]string{
		"os", "io/fs", "path/filepath", "syscall", "context", "golang.org/x/sys/unix", "golang.org/x/sys/windows",
	}, pkg.Path())
}

// dynamic adds the codes of a call through a function value. If the value is a parameter, the caller knows
// the codes.
func (t *tracer) dynamic(e traced, c *ssa.CallCommon) {
	fn, _ := t.functionOf(c.Value)
	_, param := c.Value.(*ssa.Parameter)
	switch {
	case c.IsInvoke() && inPackage(c.Method, "context") != "":
		// the errors have codes that every call may have
	case !c.IsInvoke() && (fn != nil || param):
		t.follow(e.of(c.Value))
	default:
		t.out.Unknown = true
	}
}

// arguments adds the codes of the arguments of a function. The function itself has no codes, but may wrap errors
// and call functions.
func (t *tracer) arguments(e traced, c *ssa.CallCommon) {
	for _, arg := range c.Args {
		if is[*types.Slice](arg.Type()) || carries(arg.Type()) {
			t.follow(e.of(arg))
		}
	}
	if c.Signature().Recv() != nil && len(c.Args) > 0 && isErrorGroup(c.Args[0].Type()) {
		t.addGroup(e, c)
	}
}

// isErrorGroup reports whether a type, such as errgroup.Group, has a method that takes functions that return errors.
// Another method may return these errors later.
func isErrorGroup(of types.Type) bool {
	takes := func(t types.Type) bool { return is[*types.Signature](t) && carries(t) }
	for method := range types.NewMethodSet(of).Methods() {
		if method.Obj().Exported() && lastIndex(method.Type().(*types.Signature).Params(), takes) >= 0 {
			return true
		}
	}
	return false
}

// addGroup adds the codes of all functions that this function passes to the receiver of a call. If the receiver
// may have received other functions, its codes are unknown.
func (t *tracer) addGroup(e traced, c *ssa.CallCommon) {
	recv := c.Args[0]
	switch recv.(type) {
	case *ssa.Alloc, *ssa.Extract, *ssa.Call:
	default:
		t.out.Unknown = true
		return
	}
	for _, user := range users[ssa.Instruction](recv) {
		call, ok := user.(ssa.CallInstruction)
		if !ok {
			t.out.Unknown = true
			continue
		}
		for i, arg := range call.Common().Args {
			if arg == recv && i > 0 {
				t.out.Unknown = true
			} else if arg != recv && carries(arg.Type()) {
				t.follow(e.of(arg))
			}
		}
	}
}

func returnsError(sig *types.Signature) bool { return lastIndex(sig.Results(), carries) >= 0 }

// flowOf returns the codes of a function's error, or nil if they are not known.
func (p *program) flowOf(fn *ssa.Function, obj *types.Func) *flow {
	if fn != nil {
		return p.fail[fn]
	}
	var fact flow
	if obj == nil || !p.pass.ImportObjectFact(obj, &fact) {
		return nil
	}
	return &fact
}

// knowsFaults reports whether a package can create codes, because it imports package fault.
func (p *program) knowsFaults(pkg *types.Package) bool {
	known, done := p.hasFault[pkg]
	if pkg != nil && !done {
		known = pkg.Path() == sdktypes.Fault || slices.ContainsFunc(pkg.Imports(), p.knowsFaults)
		p.hasFault[pkg] = known
	}
	return known
}
