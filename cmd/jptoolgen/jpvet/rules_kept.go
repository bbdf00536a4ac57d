package jpvet

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// keptQuestions finds questions that outlive their call: in a package variable, in the server, or in a map, a
// list or a channel of either.
func keptQuestions(c *checker) {
	const hint = "take the questions as a parameter, because each call has its own"
	scope := c.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok && handwritten(c.pass.Fset, v.Pos()) && holdsQuestion(v.Type()) {
			c.report.at(v.Pos(), "variable %s holds a question, which belongs to a single call", name).suggest(hint)
		}
	}
	for instr := range each[ssa.Instruction](c.funcs...) {
		if where := c.storageOf(instr); where != "" {
			c.report.at(posOf(instr), "a question is stored in %s, which outlives the call", where).suggest(hint)
		}
	}
	for _, call := range c.calls {
		if where := c.lastingOwner(c.questionOf(call), 0); where != "" && where != lastingVariable {
			c.report.at(c.at(call), "the question asked here is stored in %s, which outlives the call", where).suggest(hint)
		}
	}
}

const lastingVariable = "a package variable"

// holdsQuestion reports whether a value of type t may hold a question.
func holdsQuestion(t types.Type) bool { return slices.ContainsFunc(typesIn(t), isQuestion) }

// carriesQuestion reports whether a value is a question or holds one, as an interface or a function literal may.
func carriesQuestion(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return carriesQuestion(v.X)
	case *ssa.MakeClosure:
		return slices.ContainsFunc(v.Bindings, carriesQuestion)
	}
	return holdsQuestion(v.Type())
}

// storageOf returns where an instruction stores a question that outlives the call, or "" if it does not.
func (c *checker) storageOf(instr ssa.Instruction) string {
	var into ssa.Value
	var stored []ssa.Value
	switch instr := instr.(type) {
	case *ssa.Store:
		into, stored = instr.Addr, []ssa.Value{instr.Val}
	case *ssa.MapUpdate:
		into, stored = instr.Map, []ssa.Value{instr.Value}
	case *ssa.Send:
		into, stored = instr.Chan, []ssa.Value{instr.X}
	case *ssa.Select:
		for _, state := range instr.States {
			if state.Send != nil && carriesQuestion(state.Send) {
				return c.lastingOwner(state.Chan, 0)
			}
		}
	case *ssa.Call: // a method such as sync.Map.Store
		args := instr.Call.Args
		fn, obj := c.callee(&instr.Call)
		if fn != nil {
			return c.storageIn(fn, args)
		}
		if obj != nil && !inRuntime(obj) && obj.Signature().Recv() != nil && len(args) > 1 {
			into, stored = args[0], args[1:]
		}
	}
	if slices.ContainsFunc(stored, carriesQuestion) {
		return c.lastingOwner(into, 0)
	}
	return ""
}

// storageIn returns where a function stores a question in one of its arguments, if that argument outlives the call.
func (c *checker) storageIn(fn *ssa.Function, args []ssa.Value) string {
	for store := range each[*ssa.Store](fn) {
		if !carriesQuestion(store.Val) {
			continue
		}
		addr, fields := baseOf(store.Addr)
		if param, ok := addr.(*ssa.Parameter); ok && len(fields) > 0 && !c.isServer(param.Type()) {
			if i := slices.Index(fn.Params, param); i >= 0 && i < len(args) {
				if where := c.lastingOwner(args[i], 0); where != "" {
					return where
				}
			}
		}
	}
	return ""
}

// lastingOwner returns the owner of v if it outlives a call, or "" if no such owner is known.
func (c *checker) lastingOwner(v ssa.Value, depth int) string {
	if depth > maxDepth {
		return ""
	}
	switch v := v.(type) {
	case *ssa.Global:
		return lastingVariable
	case *ssa.Parameter:
		if c.isServer(v.Type()) {
			return "the server"
		}
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Lookup, *ssa.Extract, *ssa.TypeAssert:
		return c.lastingOwner(from(v), depth+1)
	case *ssa.UnOp:
		if v.Op == token.MUL || v.Op == token.ARROW {
			return c.lastingOwner(v.X, depth+1)
		}
	case *ssa.Alloc, *ssa.FreeVar:
		if held := c.singleValue(v); held != nil {
			return c.lastingOwner(held, depth+1)
		}
	case *ssa.Call: // For returns a question about a subject
		if _, obj := c.callee(&v.Call); inPackage(obj, sdktypes.Elicit) != "" && len(v.Call.Args) > 0 {
			return c.lastingOwner(v.Call.Args[0], depth+1)
		}
	}
	return ""
}

// isServer reports whether t is the server of the package, or a pointer to it.
func (c *checker) isServer(t types.Type) bool {
	return c.server != nil && types.Identical(sdktypes.Deref(t), c.server.Type.Type())
}

// replacedQuestions finds questions that replace a declared question, and questions that no tool declares.
func replacedQuestions(c *checker) {
	for store := range each[*ssa.Store](c.funcs...) {
		if c.replaces(store) {
			field := fieldAt(store.Addr.(*ssa.FieldAddr))
			c.report.at(posOf(store), "question %s is replaced by another value", field.Name()).
				suggest("ask the declared question, and store the other value in a local variable")
		}
	}
	for _, call := range c.calls {
		q := c.questionOf(call)
		if q != nil && c.isBlank(q) {
			c.report.at(c.at(call), "the question asked here is not declared by a tool").suggest("ask a field of the tool's questions parameter")
		}
		if q != nil || !c.callBehavior(call).Asks {
			continue
		}
		for _, arg := range call.Common().Args {
			if isQuestion(arg.Type()) && c.isBlank(arg) {
				c.report.at(c.at(call), "the questions passed to this function are not declared by a tool").suggest("pass the tool's questions parameter")
			}
		}
	}
}

// replaces reports whether a store assigns another question to a field of the questions that a function
// received. A question with a subject or a preamble is still the same question.
func (c *checker) replaces(store *ssa.Store) bool {
	at, ok := store.Addr.(*ssa.FieldAddr)
	if !ok || !isQuestion(fieldAt(at).Type()) || !c.declares(at.X.Type()) || !c.holdsParameter(at.X) || c.lastingOwner(at.X, 0) != "" {
		return false
	}
	for v := range origins(store.Val) {
		switch v := v.(type) {
		case *ssa.Call:
			if _, obj := c.callee(&v.Call); inPackage(obj, sdktypes.Elicit) == "" {
				return true
			}
		case *ssa.FieldAddr:
			if v.X == at.X && v.Field == at.Field {
				return false
			}
		}
	}
	return true
}

// holdsParameter reports whether a variable holds the questions that a function received.
func (c *checker) holdsParameter(addr ssa.Value) bool {
	switch addr := addr.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.FreeVar:
		variable := c.binding(addr)
		return variable != nil && c.holdsParameter(variable)
	case *ssa.Alloc:
		return slices.ContainsFunc(storedIn(addr), func(v ssa.Value) bool {
			_, param := v.(*ssa.Parameter)
			return param
		})
	}
	return false
}

// isBlank reports whether a question may be the zero value of its type: it is created here, and nothing is stored in it.
func (p *program) isBlank(q ssa.Value) bool {
	blank, set := false, false
	t := &trace{program: p, own: true}
	t.enter = func(e *traced) (follow bool) {
		switch v := e.value.(type) {
		case *ssa.Const:
		case *ssa.Phi:
			blank = blank || slices.ContainsFunc(v.Edges, isConstant)
			return true
		case *ssa.Field, *ssa.UnOp, *ssa.Alloc:
			return true
		case *ssa.Call: // For returns a question about a subject
			_, obj := p.callee(&v.Call)
			if inPackage(obj, sdktypes.Elicit) == "" || len(v.Call.Args) == 0 || !isQuestion(v.Call.Args[0].Type()) {
				set = true
				break
			}
			t.follow(e.whole(v.Call.Args[0]))
		default:
			set = true
		}
		return false
	}
	t.follow(traced{value: q})
	return blank || !set && !t.shared
}

// declares reports whether t is a pointer to the questions struct of one of the package's tools.
func (c *checker) declares(t types.Type) bool {
	return c.server != nil && slices.ContainsFunc(c.server.Tools, func(tool *model.Tool) bool {
		return tool.Questions != nil && types.Identical(tool.Questions.Type, sdktypes.Deref(t))
	})
}
