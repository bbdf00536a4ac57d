package jpvet

import (
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
)

// emptyPicks finds picks that are asked without the values to pick from, or with values
// that cannot be picked: an empty one, or one that is offered twice.
func emptyPicks(c *checker) {
	for _, call := range c.program.calls {
		q := c.program.questionOf(call)
		if q == nil {
			continue
		}
		if what := c.picksFrom(q); what != "" {
			c.report.at(c.program.at(call), "the question %s", what).suggest("pass distinct values to Among")
		}
	}
}

// picksFrom says what is wrong with the values that a pick offers, "" for nothing known
// or another kind of question.
func (c *checker) picksFrom(q ssa.Value) string {
	for range maxDepth {
		switch v := q.(type) {
		case *ssa.Field:
			q = v.X
		case *ssa.Call:
			_, obj := c.program.callee(&v.Call)
			args := v.Call.Args
			switch name := inPackage(obj, elicitPath); {
			case name == "", len(args) == 0, !isQuestion(args[0].Type()):
				return ""
			case name == "Pick.Among":
				return offers(args[1])
			}
			q = args[0]
		case *ssa.UnOp:
			return c.declaredPick(v)
		default:
			return ""
		}
	}
	return ""
}

// declaredPick judges a pick that is read from a field: one of the questions that a tool
// declares has no values yet.
func (c *checker) declaredPick(v *ssa.UnOp) string {
	_, fields := baseOf(v.X)
	for _, at := range fields {
		if isNamed(fieldAt(at).Type(), elicitPath, "Pick") && c.declares(at.X.Type()) {
			return "has no values to pick from"
		}
	}
	return ""
}

// declares reports whether t is a pointer to the questions of a tool of the package.
func (c *checker) declares(t types.Type) bool {
	return c.source.server != nil && slices.ContainsFunc(c.source.server.Tools, func(of *model.Tool) bool {
		return of.Questions != nil && types.Identical(of.Questions.Type, deref(t))
	})
}

// offers says what is wrong with a list of values.
func offers(list ssa.Value) string {
	if isNilConst(list) {
		return "has no values to pick from"
	}
	slice, ok := list.(*ssa.Slice)
	if !ok {
		return ""
	}
	if _, made := slice.X.(*ssa.Alloc); !made {
		return ""
	}
	seen := map[ssa.Value]bool{}
	texts := map[string]bool{}
	for _, v := range functionsIn(list) {
		text, constant := stringOf(v)
		switch {
		case constant && text == "":
			return "offers an empty value"
		case constant && texts[text]:
			return "offers " + strconv.Quote(text) + " twice"
		case seen[v]:
			return "offers the same value twice"
		}
		seen[v], texts[text] = true, constant || texts[text]
	}
	return ""
}
