package jpvet

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// codes returns the error codes that v may carry on any path through its function. Fields of structs are
// followed only if the function creates the struct. at is the position where v is used.
func (p *program) codes(v ssa.Value, at token.Pos) *flow {
	t := tracer{at: at, out: newFlow()}
	t.trace = &trace{program: p, own: true, values: true, enter: t.enter}
	t.follow(traced{value: v})
	return t.out
}

// A tracer collects the codes of one error.
type tracer struct {
	*trace
	at  token.Pos
	out *flow
}

// addUncoded records an error without a code.
func (t *tracer) addUncoded(e traced, pos token.Pos, what string) {
	if !pos.IsValid() {
		pos = t.at
	}
	if !e.quiet {
		t.out.addUncoded(pos, what)
	}
}

// enter adds the codes of a value. It reports whether to follow the value to those from which it is made.
func (t *tracer) enter(e *traced) (follow bool) {
	variable, ok := e.value.(*ssa.Alloc)
	e.quiet = e.quiet || t.isExamined(e.value) || ok && reset(variable)
	if e.code = e.code || sdktypes.Is(e.value.Type(), sdktypes.Fault, "Code"); e.code {
		return t.code(e.value)
	}
	switch v := e.value.(type) {
	case *ssa.Const, *ssa.Phi, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.TypeAssert, *ssa.Slice:
		return true
	case *ssa.Parameter:
		if carries(v.Type()) {
			t.out.Params.add(slices.Index(v.Parent().Params, v))
		}
	case *ssa.Function, *ssa.MakeClosure:
		t.function(v)
	case *ssa.Call:
		t.call(*e, v)
	case *ssa.Extract:
		switch from := v.Tuple.(type) {
		case *ssa.Call:
			if carries(v.Type()) { // another result of a call says nothing about its error
				t.call(*e, from)
			}
		case *ssa.TypeAssert:
			return carries(v.Type())
		default:
			t.unknown(v)
		}
	case *ssa.MakeInterface:
		if isPlain(v.X.Type()) {
			t.addUncoded(*e, v.Pos(), types.TypeString(v.X.Type(), func(p *types.Package) string { return p.Name() }))
		}
		return true
	case *ssa.UnOp:
		t.load(*e, v)
	case *ssa.Alloc:
		return t.cell(*e, v)
	case *ssa.FreeVar:
		t.out.Unknown = t.out.Unknown || t.binding(v) == nil
		return true
	default:
		t.unknown(v)
	}
	return false
}

// unknown records a value that cannot be followed.
func (t *tracer) unknown(v ssa.Value) {
	if carries(v.Type()) {
		t.out.Unknown = true
	}
}

// function adds the codes of the errors that a function value returns.
func (t *tracer) function(v ssa.Value) {
	if flow := t.flowOf(t.functionOf(v)); flow != nil {
		t.out.carry(flow, nil)
		for param := range v.Type().Underlying().(*types.Signature).Params().Variables() {
			t.out.Unknown = t.out.Unknown || sdktypes.Is(param.Type(), sdktypes.Fault, "Code")
		}
	} else {
		t.unknown(v)
	}
}

// load adds the codes that a variable may hold.
func (t *tracer) load(e traced, v *ssa.UnOp) {
	if v.Op != token.MUL {
		t.unknown(v)
		return
	}
	switch addr := v.X.(type) {
	case *ssa.Global:
		t.global(e, addr)
	case *ssa.Alloc, *ssa.FreeVar:
		t.follow(e.of(addr))
	case *ssa.FieldAddr:
		// If this function creates the struct, the field holds only values that the function stores in it.
		if base, ok := addr.X.(*ssa.Alloc); ok {
			t.follow(e.of(base))
		}
		t.unknown(v)
	case *ssa.IndexAddr:
		t.follow(e.of(addr.X))
		t.unknown(v)
	default:
		t.unknown(v)
	}
}

func (t *tracer) global(e traced, g *ssa.Global) {
	obj, ok := g.Object().(*types.Var)
	if !ok || !carries(obj.Type()) {
		return
	}
	held, own := t.globals[g]
	if !own {
		held = new(flow)
		if !t.pass.ImportObjectFact(obj, held) {
			if t.knowsFaults(obj.Pkg()) {
				t.out.Unknown = true
			} else if !hasMappedErrors(obj.Pkg()) {
				t.addUncoded(e, token.NoPos, obj.Pkg().Name()+"."+obj.Name())
			}
			return
		}
	}
	t.out.carry(held, nil)
	t.out.Params.add(held.Params...)
	if len(held.plain) > 0 || held.Plain {
		t.addUncoded(e, token.NoPos, obj.Name())
	}
}

// cell adds the codes that calls may store in a variable, or in its fields if it is a fault. It reports whether to
// follow the values that are stored elsewhere.
func (t *tracer) cell(e traced, v *ssa.Alloc) (follow bool) {
	held := sdktypes.Deref(v.Type())
	if sdktypes.Is(held, sdktypes.Fault, "Error") { // the cause of a fault does not affect its code
		for _, at := range users[*ssa.FieldAddr](v) {
			if isFaultCode(at) {
				t.all(e, storedIn(at))
			}
		}
		t.all(e, storedIn(v))
		return false
	}
	// A call that receives the address of a variable may store any value in it.
	t.out.Unknown = t.out.Unknown || carries(held) && len(users[ssa.CallInstruction](v)) > 0
	for _, user := range users[*ssa.MakeInterface](v) {
		for _, call := range users[*ssa.Call](user) {
			// errors.As stores an error from the chain of its argument. Other functions are not followed.
			if _, obj := t.callee(&call.Call); inPackage(obj, "errors") == "As" {
				t.follow(e.of(call.Call.Args[0]))
			}
		}
	}
	return true
}

// all adds the codes of several values.
func (t *tracer) all(e traced, values []ssa.Value) {
	for _, v := range values {
		t.follow(e.of(v))
	}
}

// fieldOf returns the index of an exported field of t, which is a struct or a pointer to a struct.
func fieldOf(t types.Type, name string) int {
	_, index, _ := types.LookupFieldOrMethod(t, false, nil, name)
	return index[0]
}

// code adds the codes that a value of type fault.Code may have. It reports whether to follow the value.
func (t *tracer) code(v ssa.Value) (follow bool) {
	if code, ok := stringOf(v); ok {
		t.out.code(code)
		return false
	}
	switch v := v.(type) {
	case *ssa.Phi, *ssa.ChangeType:
		return true
	case *ssa.Parameter:
		t.out.Params.add(slices.Index(v.Parent().Params, v))
	default:
		t.out.Unknown = true
	}
	return false
}

// isPlain reports whether t is an error type that neither has a code nor wraps an error.
func isPlain(t types.Type) bool {
	if !types.Implements(t, errorInterface()) {
		return false
	}
	named := sdktypes.Named(sdktypes.Deref(t))
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() == sdktypes.Fault || hasMappedErrors(named.Obj().Pkg()) {
		return false
	}
	methods := types.NewMethodSet(types.NewPointer(named))
	return !slices.ContainsFunc([]string{"Unwrap", "Is", "As"}, func(name string) bool {
		return methods.Lookup(named.Obj().Pkg(), name) != nil
	})
}

// isExamined reports whether the program examines which error v is.
func (p *program) isExamined(v ssa.Value) bool {
	return isError(v.Type()) && isUsedBy(v, func(use ssa.Instruction) bool { return p.examines(use, v) })
}

func (p *program) examines(use ssa.Instruction, v ssa.Value) bool {
	switch use := use.(type) {
	case *ssa.TypeAssert:
		return true
	case *ssa.BinOp:
		return !isNilConst(use.X) && !isNilConst(use.Y)
	case *ssa.ChangeInterface:
		return isUsedBy(use, func(next ssa.Instruction) bool { return p.examines(next, use) })
	case *ssa.Store: // the value is stored in a variable
		variable, ok := use.Addr.(*ssa.Alloc)
		return ok && use.Val == v && slices.ContainsFunc(users[*ssa.UnOp](variable), func(load *ssa.UnOp) bool {
			return isUsedBy(load, func(next ssa.Instruction) bool {
				_, stored := next.(*ssa.Store)
				return !stored && p.examines(next, load)
			})
		})
	case *ssa.Call:
		_, obj := p.callee(&use.Call)
		if examinesError(obj) {
			return use.Call.Args[0] == v
		}
		return inPackage(obj, sdktypes.Fault) == "CodeOf" || isBasic(use.Type(), types.IsBoolean)
	}
	return false
}

// reset reports whether a function literal assigns to a variable, such as a deferred literal that wraps the
// error.
func reset(variable ssa.Value) bool {
	return slices.ContainsFunc(users[*ssa.MakeClosure](variable), func(made *ssa.MakeClosure) bool {
		return !isLoop(made.Fn.(*ssa.Function)) && sets(freeVariable(made, variable))
	})
}
