package jpvet

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

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
	if c.Value == nil {
		return true
	}
	switch c.Value.String() {
	case `""`, "0", "false":
		return true
	}
	return false
}
