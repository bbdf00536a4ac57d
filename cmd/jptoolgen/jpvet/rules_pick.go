package jpvet

import (
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
)

// emptyPicks finds picks that are asked without values to pick from, or with values that cannot be picked: an
// empty value, or one that is offered twice.
func emptyPicks(c *checker) {
	for _, call := range c.program.calls {
		q := c.program.questionOf(call)
		if q == nil {
			continue
		}
		if what := c.picksFrom(q); what != "" {
			c.report.at(c.program.at(call), "the question %s", what).suggest("pass distinct values to Among or Offer")
		}
	}
}

// picksFrom describes what is wrong with the values that a pick offers. It returns "" if nothing is known to be
// wrong, and for other kinds of questions.
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
			case name == "Pick.Offer" && isNilConst(args[1]):
				return "has no values to pick from"
			case name == "Pick.Offer":
				return ""
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

// declaredPick checks a pick that is read from a field. A pick among the declared questions of a tool has no
// values yet.
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

// offers describes what is wrong with a list of values, "" if nothing is.
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
