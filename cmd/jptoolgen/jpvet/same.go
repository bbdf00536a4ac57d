package jpvet

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// same returns, for each question that a function asks, the indexes of the parameters that determine which
// question is asked. It leaves out questions that also depend on something else.
func (p *program) same(f *ssa.Function) [][]int {
	var all [][]int
	add := func(values ...ssa.Value) {
		var about set[int]
		for _, v := range values {
			if !p.dependsOn(v, &about, map[ssa.Value]bool{}) {
				return
			}
		}
		if !slices.ContainsFunc(all, func(other []int) bool { return slices.Equal(other, about) }) {
			all = append(all, about)
		}
	}
	for call := range calls(f) {
		if q := p.questionOf(call); q != nil {
			add(q)
			continue
		}
		c := call.Common()
		for _, about := range p.behaviorOf(p.callee(c)).Same {
			add(argsAt(c, about)...)
		}
	}
	return all
}

// dependsOn finds the indexes of the parameters from which a value is computed. It reports whether the value depends only on
// these parameters and on constants.
func (p *program) dependsOn(v ssa.Value, found *set[int], seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	all := func(values ...ssa.Value) bool {
		return !slices.ContainsFunc(values, func(v ssa.Value) bool { return !p.dependsOn(v, found, seen) })
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global:
		return true
	case *ssa.Parameter:
		found.add(slices.Index(v.Parent().Params, v))
		return true
	case *ssa.FreeVar:
		return isQuestion(v.Type())
	case *ssa.UnOp, *ssa.FieldAddr, *ssa.Field, *ssa.ChangeType, *ssa.Convert:
		return all(from(v))
	case *ssa.BinOp:
		return v.Op == token.ADD && all(v.X, v.Y)
	case *ssa.Phi:
		return all(v.Edges...)
	case *ssa.Alloc:
		return all(storedIn(v)...) && !slices.ContainsFunc(users[*ssa.FieldAddr](v), func(field *ssa.FieldAddr) bool {
			return !all(storedIn(field)...)
		})
	case *ssa.Call:
		_, obj := p.callee(&v.Call)
		if inPackage(obj, sdktypes.Elicit) != "" {
			return all(v.Call.Args[:aboutArgs(obj, &v.Call)]...)
		}
	}
	return false
}
