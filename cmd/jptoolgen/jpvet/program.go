package jpvet

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/internal/declared"
)

// A program holds the handwritten functions of a package and the behavior of each.
type program struct {
	pass   *analysis.Pass
	report *reporter
	ssa    *ssa.Package
	module string // the path of the module, or "" if the driver does not report it
	// funcs is in source order. Function literals come after the functions that contain them.
	funcs []*ssa.Function
	calls []ssa.CallInstruction
	// behave and fail hold the behavior and the error codes of each function. globals holds the error codes of
	// variables.
	behave  map[*ssa.Function]*behavior
	fail    map[*ssa.Function]*flow
	globals map[*ssa.Global]*flow
	// given maps function literals that are called repeatedly to the calls that run them.
	given map[*ssa.Function]ssa.CallInstruction
	// bindings maps function literals to the instructions that capture their variables.
	bindings map[*ssa.Function]*ssa.MakeClosure
	// compared holds the codes with which a function compares errors.
	compared map[*ssa.Function]set[string]
	// stores holds the assignments to package variables and struct fields. tables holds the functions that a
	// value may be if it is looked up in a table.
	stores map[any][]*ssa.Store
	tables map[ssa.Value][]ssa.Value
	// implemented holds the methods that implement an interface method.
	implemented map[*types.Func][]*ssa.Function
	// hands caches whether a function returns the error from a question. outcomes caches what happens to such an
	// error.
	hands    map[*ssa.Function]bool
	outcomes map[ssa.CallInstruction]*outcome
	// losses caches which error parameters a function may lose.
	losses map[*ssa.Parameter]loss
	// hasFault caches whether a package can create codes.
	hasFault map[*types.Package]bool
}

// newProgram builds the program of a package. It does not use buildssa from go/analysis, which would run for every
// dependency of the package.
func newProgram(pass *analysis.Pass, report *reporter) *program {
	prog := ssa.NewProgram(pass.Fset, 0)
	for _, imported := range pass.Pkg.Imports() {
		prog.CreatePackage(imported, nil, nil, true)
	}
	p := &program{
		pass: pass, report: report, ssa: prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false),
		behave: map[*ssa.Function]*behavior{}, fail: map[*ssa.Function]*flow{}, globals: map[*ssa.Global]*flow{},
		given: map[*ssa.Function]ssa.CallInstruction{}, bindings: map[*ssa.Function]*ssa.MakeClosure{}, compared: map[*ssa.Function]set[string]{},
		stores: map[any][]*ssa.Store{}, tables: map[ssa.Value][]ssa.Value{}, implemented: map[*types.Func][]*ssa.Function{},
		hands: map[*ssa.Function]bool{}, outcomes: map[ssa.CallInstruction]*outcome{},
		losses: map[*ssa.Parameter]loss{}, hasFault: map[*types.Package]bool{},
	}
	if pass.Module != nil {
		p.module = pass.Module.Path
	}
	p.ssa.Build()
	for _, f := range pass.Files {
		for _, decl := range f.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && handwritten(pass.Fset, decl.Pos()) {
				if obj, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
					p.add(prog.FuncValue(obj))
				}
			}
		}
	}
	for _, anon := range p.ssa.Func("init").AnonFuncs { // the function literals in the values of package variables
		if handwritten(pass.Fset, anon.Pos()) {
			p.add(anon)
		}
	}
	p.calls = slices.Collect(calls(p.funcs...))
	for made := range each[*ssa.MakeClosure](p.funcs...) {
		p.bindings[made.Fn.(*ssa.Function)] = made
	}
	for store := range each[*ssa.Store](append(slices.Clone(p.funcs), p.ssa.Func("init"))...) {
		switch at := store.Addr.(type) {
		case *ssa.Global:
			p.stores[at] = append(p.stores[at], store)
		case *ssa.FieldAddr:
			p.stores[fieldAt(at)] = append(p.stores[fieldAt(at)], store)
		}
	}
	p.behaviors()
	p.failures()
	return p
}

// add adds a function and its function literals.
func (p *program) add(f *ssa.Function) {
	if f == nil {
		return
	}
	for _, f := range literals(f) {
		p.funcs = append(p.funcs, f)
		p.behave[f] = &behavior{Module: p.module}
	}
}

// owns reports whether f is a function in the program.
func (p *program) owns(f *ssa.Function) bool { return p.behave[f] != nil }

// handwritten reports whether pos is in a file that an author wrote and that is not a test.
func handwritten(fset *token.FileSet, pos token.Pos) bool {
	name := fset.PositionFor(pos, false).Filename
	return filepath.Base(name) != declared.Code && !strings.HasSuffix(name, "_test.go")
}

// liveBlocks returns the blocks of a function, except blocks that a constant condition, such as false,
// rules out.
func liveBlocks(f *ssa.Function) []*ssa.BasicBlock {
	if !slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool { return len(reachableBlocks(b)) < len(b.Succs) }) {
		return f.Blocks
	}
	found := blocksReachable(f.Blocks[:1], nil)
	return slices.DeleteFunc(slices.Clone(f.Blocks), func(b *ssa.BasicBlock) bool { return !found[b] && b != f.Recover })
}

// reachableBlocks returns the blocks that may run after b.
func reachableBlocks(b *ssa.BasicBlock) []*ssa.BasicBlock {
	if branch := branchOf(b); branch != nil {
		switch {
		case isBool(branch.Cond, true):
			return b.Succs[:1]
		case isBool(branch.Cond, false):
			return b.Succs[1:]
		}
	}
	return b.Succs
}

// callee returns the function that c calls, if it is known. It is a function in the program, or the object of
// another function.
func (p *program) callee(c *ssa.CallCommon) (*ssa.Function, *types.Func) {
	if f := c.StaticCallee(); f != nil || c.IsInvoke() {
		return p.resolve(f)
	}
	if load, ok := c.Value.(*ssa.UnOp); ok {
		return p.functionOf(load)
	}
	return nil, nil
}

// resolve returns the function behind f: its generic origin, or the method that it binds.
func (p *program) resolve(f *ssa.Function) (*ssa.Function, *types.Func) {
	if f == nil {
		return nil, nil
	}
	if origin := f.Origin(); origin != nil {
		f = origin
	}
	obj, ok := f.Object().(*types.Func)
	if p.owns(f) {
		return f, obj
	}
	if !ok || isAbstract(obj) {
		return nil, nil
	}
	obj = obj.Origin()
	if real := p.ssa.Prog.FuncValue(obj); p.owns(real) {
		return real, obj
	}
	return nil, obj
}

// functionOf returns the function that v refers to, if it is known.
func (p *program) functionOf(v ssa.Value) (*ssa.Function, *types.Func) {
	switch v := v.(type) {
	case *ssa.Function:
		return p.resolve(v)
	case *ssa.MakeClosure:
		return p.resolve(v.Fn.(*ssa.Function))
	case *ssa.UnOp:
		switch held := p.singleValue(v.X).(type) {
		case *ssa.Function, *ssa.MakeClosure:
			return p.functionOf(held)
		}
	case *ssa.ChangeType, *ssa.MakeInterface:
		return p.functionOf(from(v))
	}
	return nil, nil
}

// isAbstract reports whether a function is the method of an interface.
func isAbstract(f *types.Func) bool {
	recv := f.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// abstract returns the interface method that a function value refers to, and the type on which it is called. It returns
// nil for other functions.
func (p *program) abstract(v ssa.Value) (of types.Type, method *types.Func) {
	switch v := v.(type) {
	case *ssa.MakeClosure: // a method value, such as store.Delete
		if of, method = p.abstract(v.Fn); method != nil && len(v.Bindings) == 1 {
			return v.Bindings[0].Type(), method
		}
	case *ssa.Function: // a method expression, such as Store.Delete
		if method, ok := v.Object().(*types.Func); ok && isAbstract(method) {
			return method.Signature().Recv().Type(), method
		}
	case *ssa.UnOp:
		return p.abstract(p.singleValue(v.X))
	case *ssa.ChangeType, *ssa.MakeInterface:
		return p.abstract(from(v))
	}
	return nil, nil
}

// calledMethod is like [program.abstract] for the function that c calls.
func (p *program) calledMethod(c *ssa.CallCommon) (of types.Type, method *types.Func) {
	if c.IsInvoke() {
		return c.Value.Type(), c.Method
	}
	return p.abstract(c.Value)
}

// singleValue returns the value of a local variable that is set once, or nil if the value is not known.
func (p *program) singleValue(variable ssa.Value) (value ssa.Value) {
	if free, ok := variable.(*ssa.FreeVar); ok {
		return p.singleValue(p.binding(free))
	}
	if _, ok := variable.(*ssa.Alloc); !ok {
		return nil
	}
	for _, user := range users[ssa.Instruction](variable) {
		switch user := user.(type) {
		case *ssa.Store:
			if value != nil || user.Addr != variable {
				return nil
			}
			value = user.Val
		case *ssa.MakeClosure:
			if sets(freeVariable(user, variable)) {
				return nil
			}
		case *ssa.UnOp:
		default:
			return nil
		}
	}
	return value
}

// sets reports whether a literal, or a literal in it, may assign to a variable that it captures.
func sets(free *ssa.FreeVar) bool {
	return isUsedBy(free, func(user ssa.Instruction) bool {
		switch user := user.(type) {
		case *ssa.UnOp:
			return false
		case *ssa.MakeClosure:
			return sets(freeVariable(user, free))
		}
		return true
	})
}

// reach returns the functions in the program that a call to f may run: f, the functions that f refers to directly
// or indirectly, and the function literals in all of them.
func (p *program) reach(f *ssa.Function) []*ssa.Function {
	seen := map[*ssa.Function]bool{f: true}
	all := []*ssa.Function{f}
	for i := 0; i < len(all); i++ {
		for instr := range each[ssa.Instruction](all[i]) {
			for _, operand := range instr.Operands(nil) {
				if next, _ := p.functionOf(*operand); p.owns(next) && !seen[next] {
					seen[next] = true
					all = append(all, next)
				}
			}
		}
	}
	return all
}

// inPackage returns the name of a function in the package with the given path. The name of a method includes the
// type of its receiver: "Once", "Confirm.Ask". inPackage returns "" for a function in another package.
func inPackage(f *types.Func, path string) string {
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != path {
		return ""
	}
	if recv := f.Signature().Recv(); recv != nil {
		if named := sdktypes.Named(sdktypes.Deref(recv.Type())); named != nil {
			return named.Obj().Name() + "." + f.Name()
		}
	}
	return f.Name()
}

// inRuntime reports whether f belongs to the runtime.
func inRuntime(f *types.Func) bool {
	if f == nil || f.Pkg() == nil {
		return false
	}
	below, ok := strings.CutPrefix(f.Pkg().Path(), sdktypes.SDK)
	return ok && (runtimePackages[below] || strings.HasPrefix(below, "/gen/"))
}

// runtimePackages are the packages that handlers call, relative to the path of the runtime. Other packages below
// that path, such as fixtures, are ordinary code.
var runtimePackages = map[string]bool{
	"": true, "/access": true, "/client": true, "/content": true, "/elicit": true, "/fault": true,
	"/jp/wire": true, "/jptest": true, "/tool": true,
}
