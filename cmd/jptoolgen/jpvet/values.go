package jpvet

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// from returns the value that an instruction takes another one from, such as a struct a
// field of which is read, or a value whose type is changed: its first operand.
func from(v ssa.Value) ssa.Value { return *v.(ssa.Instruction).Operands(nil)[0] }

// storedIn returns what is stored at an address in the function that has it.
func storedIn(addr ssa.Value) []ssa.Value {
	if addr.Referrers() == nil {
		return nil
	}
	var all []ssa.Value
	for _, user := range *addr.Referrers() {
		if store, ok := user.(*ssa.Store); ok && store.Addr == addr {
			all = append(all, store.Val)
		}
	}
	return all
}

// baseOf returns the variable in which an address is, and the fields of it that lead
// there, the last one first.
func baseOf(addr ssa.Value) (variable ssa.Value, fields []*ssa.FieldAddr) {
	for {
		at, ok := addr.(*ssa.FieldAddr)
		if !ok {
			return addr, fields
		}
		addr, fields = at.X, append(fields, at)
	}
}

// deref returns what a pointer type points at, and another type itself.
func deref(t types.Type) types.Type {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		return ptr.Elem()
	}
	return t
}

// elemOf returns the type of what a pointer, a list, a channel or a map holds, nil for
// another type.
func elemOf(t types.Type) types.Type {
	if of, ok := t.Underlying().(interface{ Elem() types.Type }); ok {
		return of.Elem()
	}
	return nil
}

// argsAt returns the arguments of a call that have the indexes.
func argsAt(c *ssa.CallCommon, indexes []int) []ssa.Value {
	var all []ssa.Value
	for _, i := range indexes {
		if i < len(c.Args) {
			all = append(all, c.Args[i])
		}
	}
	return all
}
