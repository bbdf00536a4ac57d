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
	t := tracer{program: p, at: at, seen: map[ssa.Value]bool{}, out: newFlow()}
	t.value(v)
	return t.out
}

// A tracer follows one value backwards.
type tracer struct {
	*program
	at   token.Pos
	seen map[ssa.Value]bool
	out  *flow
	// quiet is greater than 0 while the program examines or replaces the traced error. During this
	// time, missing codes are not recorded.
	quiet int
}

// addUncoded records an error without a code.
func (t *tracer) addUncoded(pos token.Pos, what string) {
	if !pos.IsValid() {
		pos = t.at
	}
	if t.quiet == 0 {
		t.out.addUncoded(pos, what)
	}
}

func (t *tracer) value(v ssa.Value) {
	if v == nil || t.seen[v] {
		return
	}
	t.seen[v] = true
	if variable, ok := v.(*ssa.Alloc); t.isExamined(v) || ok && reset(variable) {
		t.quiet++
		defer func() { t.quiet-- }()
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Builtin:
	case *ssa.Parameter:
		if carries(v.Type()) {
			t.out.Params.add(slices.Index(v.Parent().Params, v))
		}
	case *ssa.Function, *ssa.MakeClosure:
		t.function(v)
	case *ssa.Call:
		t.call(v)
	case *ssa.Extract:
		switch v.Tuple.(type) {
		case *ssa.Call, *ssa.TypeAssert:
			if carries(v.Type()) { // another result of a call says nothing about its error
				t.value(v.Tuple)
			}
		default:
			t.unknown(v)
		}
	case *ssa.Phi:
		t.all(v.Edges)
	case *ssa.MakeInterface:
		if isPlain(v.X.Type()) {
			t.addUncoded(v.Pos(), types.TypeString(v.X.Type(), func(p *types.Package) string { return p.Name() }))
		}
		t.value(v.X)
	case *ssa.ChangeInterface, *ssa.ChangeType, *ssa.TypeAssert, *ssa.Slice:
		t.value(from(v))
	case *ssa.UnOp:
		if v.Op == token.MUL {
			t.load(v)
		} else {
			t.unknown(v)
		}
	case *ssa.Alloc:
		t.cell(v)
	case *ssa.FreeVar:
		variable := t.binding(v)
		t.out.Unknown = t.out.Unknown || variable == nil
		t.value(variable)
	default:
		t.unknown(v)
	}
}

func (t *tracer) all(values []ssa.Value) {
	for _, v := range values {
		t.value(v)
	}
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
func (t *tracer) load(v *ssa.UnOp) {
	switch addr := v.X.(type) {
	case *ssa.Global:
		t.global(addr)
	case *ssa.Alloc, *ssa.FreeVar:
		t.value(addr)
	case *ssa.FieldAddr:
		// If this function creates the struct, the field holds only values that the function stores in it.
		if base, ok := addr.X.(*ssa.Alloc); ok {
			t.value(base)
		}
		t.unknown(v)
	case *ssa.IndexAddr:
		t.value(addr.X)
		t.unknown(v)
	default:
		t.unknown(v)
	}
}

func (t *tracer) global(g *ssa.Global) {
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
				t.addUncoded(token.NoPos, obj.Pkg().Name()+"."+obj.Name())
			}
			return
		}
	}
	t.out.carry(held, nil)
	t.out.Params.add(held.Params...)
	if len(held.plain) > 0 || held.Plain {
		t.addUncoded(token.NoPos, obj.Name())
	}
}

// cell adds the codes of all values that are stored in a variable or in one of its fields: by its function, by
// the literals that capture it, and by calls that receive its address.
func (t *tracer) cell(v ssa.Value) {
	for _, user := range users[ssa.Instruction](v) {
		switch user := user.(type) {
		case *ssa.Store:
			if user.Addr == v {
				t.value(user.Val)
			}
		case *ssa.FieldAddr:
			t.field(user)
		case *ssa.IndexAddr:
			t.all(storedIn(user))
		case *ssa.MakeClosure:
			t.all(storedIn(freeVariable(user, v)))
		case ssa.CallInstruction:
			// A call that receives the address of a variable may store any value in it. Faults are an exception,
			// because their methods have pointer receivers.
			if held := sdktypes.Deref(v.Type()); carries(held) && !sdktypes.Is(held, sdktypes.Fault, "Error") {
				t.out.Unknown = true
			}
		case *ssa.MakeInterface:
			for _, call := range users[*ssa.Call](user) {
				// errors.As stores an error from the chain of its argument. Other functions are not followed.
				if _, obj := t.callee(&call.Call); inPackage(obj, "errors") == "As" {
					t.value(call.Call.Args[0])
				}
			}
		}
	}
}

// field adds the codes of the values that are stored in a field of a struct that is created here: a code, or a
// wrapped error.
func (t *tracer) field(addr *ssa.FieldAddr) {
	for _, v := range storedIn(addr) {
		switch {
		case isFaultCode(addr):
			t.constants(v)
		case !sdktypes.Is(sdktypes.Deref(addr.X.Type()), sdktypes.Fault, "Error") && carries(v.Type()):
			// The cause of a fault does not affect its code.
			t.value(v)
		}
	}
}

// fieldOf returns the index of an exported field of t, which is a struct or a pointer to a struct.
func fieldOf(t types.Type, name string) int {
	_, index, _ := types.LookupFieldOrMethod(t, false, nil, name)
	return index[0]
}

// constantCodes returns the codes that a value of type fault.Code may have.
func (p *program) constantCodes(v ssa.Value) *flow {
	t := tracer{program: p, seen: map[ssa.Value]bool{}, out: newFlow()}
	t.constants(v)
	return t.out
}

// constants adds the codes that a value of type fault.Code may have.
func (t *tracer) constants(v ssa.Value) {
	if t.seen[v] {
		return
	}
	t.seen[v] = true
	if code, ok := stringOf(v); ok {
		t.out.code(code)
		return
	}
	switch v := v.(type) {
	case *ssa.Phi:
		for _, edge := range v.Edges {
			t.constants(edge)
		}
	case *ssa.ChangeType:
		t.constants(v.X)
	case *ssa.Parameter:
		t.out.Params.add(slices.Index(v.Parent().Params, v))
	default:
		t.out.Unknown = true
	}
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
