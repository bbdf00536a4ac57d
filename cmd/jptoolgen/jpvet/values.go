package jpvet

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// from returns the first operand of an instruction, such as the struct whose field is read, or the value
// whose type is converted.
func from(v ssa.Value) ssa.Value { return *v.(ssa.Instruction).Operands(nil)[0] }

// storedIn returns the values that are stored at an address in its function.
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

// baseOf returns the variable that contains an address, and the fields that lead to it, the innermost first.
func baseOf(addr ssa.Value) (variable ssa.Value, fields []*ssa.FieldAddr) {
	for {
		at, ok := addr.(*ssa.FieldAddr)
		if !ok {
			return addr, fields
		}
		addr, fields = at.X, append(fields, at)
	}
}

// deref returns the element type of a pointer type, and any other type unchanged.
func deref(t types.Type) types.Type {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		return ptr.Elem()
	}
	return t
}

// elemOf returns the element type of a pointer, a list, a channel or a map, nil for other types.
func elemOf(t types.Type) types.Type {
	if of, ok := t.Underlying().(interface{ Elem() types.Type }); ok {
		return of.Elem()
	}
	return nil
}

// argsAt returns the arguments of a call at indexes.
func argsAt(c *ssa.CallCommon, indexes []int) []ssa.Value {
	var all []ssa.Value
	for _, i := range indexes {
		if i < len(c.Args) {
			all = append(all, c.Args[i])
		}
	}
	return all
}
