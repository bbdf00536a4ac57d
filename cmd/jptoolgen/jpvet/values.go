package jpvet

import (
	"go/constant"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// from returns the first operand of an instruction, such as the struct whose field is read, or the value
// whose type is converted.
func from(v ssa.Value) ssa.Value { return *v.(ssa.Instruction).Operands(nil)[0] }

// each returns the reachable instructions of type T in functions, in order.
func each[T ssa.Instruction](in ...*ssa.Function) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, f := range in {
			for _, b := range liveBlocks(f) {
				for _, instr := range b.Instrs {
					if instr, ok := instr.(T); ok && !yield(instr) {
						return
					}
				}
			}
		}
	}
}

// calls returns the calls in functions, including calls in go and defer statements.
func calls(in ...*ssa.Function) iter.Seq[ssa.CallInstruction] {
	return each[ssa.CallInstruction](in...)
}

// users returns the instructions of type T that use a value.
func users[T ssa.Instruction](v ssa.Value) []T {
	var all []T
	if v.Referrers() == nil { // constants and package-level names do not record their uses
		return nil
	}
	for _, user := range *v.Referrers() {
		if user, ok := user.(T); ok {
			all = append(all, user)
		}
	}
	return all
}

// isUsedBy reports whether a value is used by an instruction for which match returns true.
func isUsedBy(v ssa.Value, match func(ssa.Instruction) bool) bool {
	return slices.ContainsFunc(users[ssa.Instruction](v), match)
}

// storedIn returns the values that are stored at an address in its function.
func storedIn(addr ssa.Value) []ssa.Value {
	var all []ssa.Value
	for _, store := range users[*ssa.Store](addr) {
		if store.Addr == addr {
			all = append(all, store.Val)
		}
	}
	return all
}

// freeVariable returns the free variable through which a function literal uses a variable.
func freeVariable(made *ssa.MakeClosure, variable ssa.Value) *ssa.FreeVar {
	return made.Fn.(*ssa.Function).FreeVars[slices.Index(made.Bindings, variable)]
}

// branchOf returns the branch at the end of a block, or nil if the block ends without a branch.
func branchOf(b *ssa.BasicBlock) *ssa.If {
	branch, _ := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	return branch
}

// is reports whether the underlying type of t is a T.
func is[T types.Type](t types.Type) bool {
	_, ok := t.Underlying().(T)
	return ok
}

// fieldRead returns the field that v reads or whose address is v, or nil if v does neither.
func fieldRead(v ssa.Value) *types.Var {
	switch v := v.(type) {
	case *ssa.Field:
		return v.X.Type().Underlying().(*types.Struct).Field(v.Field)
	case *ssa.FieldAddr:
		return fieldAt(v)
	case *ssa.UnOp:
		return fieldRead(v.X)
	}
	return nil
}

// origins returns a question and the values from which it is made: questions on which a method such as For is
// called, and the structs that contain them.
func origins(q ssa.Value) iter.Seq[ssa.Value] {
	return func(yield func(ssa.Value) bool) {
		for q != nil && yield(q) {
			switch v := q.(type) {
			case *ssa.Field, *ssa.FieldAddr, *ssa.UnOp:
				q = from(v)
			case *ssa.Call:
				if len(v.Call.Args) == 0 || !isQuestion(v.Call.Args[0].Type()) {
					return
				}
				q = v.Call.Args[0]
			default:
				return
			}
		}
	}
}

// baseOf returns the variable that contains an address, and the fields that lead to it, innermost first.
func baseOf(addr ssa.Value) (variable ssa.Value, fields []*ssa.FieldAddr) {
	for at, ok := addr.(*ssa.FieldAddr); ok; at, ok = addr.(*ssa.FieldAddr) {
		addr, fields = at.X, append(fields, at)
	}
	return addr, fields
}

// elemOf returns the element type of a pointer, a list, a channel or a map, or nil for other types.
func elemOf(t types.Type) types.Type {
	if of, ok := t.Underlying().(interface{ Elem() types.Type }); ok {
		return of.Elem()
	}
	return nil
}

// typesIn returns a type and the types of its elements and fields.
func typesIn(t types.Type) []types.Type {
	seen := map[types.Type]bool{}
	var all []types.Type
	add := func(t types.Type) {
		if !seen[t] {
			seen[t] = true
			all = append(all, t)
		}
	}
	add(t)
	for i := 0; i < len(all); i++ {
		if of := elemOf(all[i]); of != nil {
			add(of)
		} else if st, ok := all[i].Underlying().(*types.Struct); ok {
			for field := range st.Fields() {
				add(field.Type())
			}
		}
	}
	return all
}

// argsAt returns the arguments of a call at the given indexes.
func argsAt(c *ssa.CallCommon, indexes []int) []ssa.Value {
	var all []ssa.Value
	for _, i := range indexes {
		if i < len(c.Args) {
			all = append(all, c.Args[i])
		}
	}
	return all
}

// isBasic reports whether the underlying type of t is a basic type of the given kind.
func isBasic(t types.Type, kind types.BasicInfo) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&kind != 0
}

func isText(t types.Type) bool { return isBasic(t, types.IsString) }

// isBool reports whether v is the constant true, or the constant false if value is false.
func isBool(v ssa.Value, value bool) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value) == value
}

// stringOf returns the value of a constant string.
func stringOf(v ssa.Value) (string, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c.Value), true
}

// isNilConst reports whether v is the constant nil.
func isNilConst(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// isZero reports whether a constant is the zero value of its type.
func isZero(c *ssa.Const) bool {
	return c.Value == nil || slices.Contains([]string{`""`, "0", "false"}, c.Value.String())
}
