package jpvet

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// emptyPicks finds picks that are asked without values to pick from, or with values that cannot be picked: an
// empty value, or a value that is offered twice.
func emptyPicks(c *checker, call ssa.CallInstruction) {
	c.findIncomplete(call, "Pick", "the question has no values to pick from", "pass distinct values to Among or Offer", func(method string, given ssa.Value) string {
		if method == "Among" || isNilConst(given) {
			return offers(given)
		}
		return ""
	})
}

// visitsWithoutURL finds visits that are asked without the page to open.
func visitsWithoutURL(c *checker, call ssa.CallInstruction) {
	c.findIncomplete(call, "Visit", "the question has no URL", "call At with its URL", func(_ string, url ssa.Value) string {
		if text, constant := stringOf(url); constant && text == "" {
			return "the question has an empty URL"
		}
		return ""
	})
}

// findIncomplete finds a question of the given kind that is asked without the information that methods
// of its type add. wrong describes what is wrong with the argument of such a method, or returns ""
// if it finds nothing wrong.
func (c *checker) findIncomplete(call ssa.CallInstruction, kind, lacking, hint string, wrong func(method string, given ssa.Value) string) {
	report := func(what string) {
		if what != "" {
			c.report.at(c.at(call), "%s", what).suggest("%s", hint)
		}
	}
	for v := range origins(c.questionOf(call)) {
		switch v := v.(type) {
		case *ssa.Call:
			_, obj := c.callee(&v.Call)
			name := inPackage(obj, sdktypes.Elicit)
			if method, own := strings.CutPrefix(name, kind+"."); own && (method == "Among" || method == "Offer" || method == "At") {
				report(wrong(method, v.Call.Args[1]))
				return
			}
			if name == "" {
				return
			}
		case *ssa.FieldAddr: // a declared question has no such information yet
			if sdktypes.Is(fieldAt(v).Type(), sdktypes.Elicit, kind) && c.declares(v.X.Type()) {
				report(lacking)
				return
			}
		}
	}
}

// declares reports whether t is a pointer to the questions struct of one of the package's tools.
func (c *checker) declares(t types.Type) bool {
	return c.server != nil && slices.ContainsFunc(c.server.Tools, func(tool *model.Tool) bool {
		return tool.Questions != nil && types.Identical(tool.Questions.Type, sdktypes.Deref(t))
	})
}

// offers describes what is wrong with a list of values, or returns "" if it finds nothing wrong.
func offers(list ssa.Value) string {
	if isNilConst(list) {
		return "the question has no values to pick from"
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
			return "the question offers an empty value"
		case constant && texts[text]:
			return "the question offers " + strconv.Quote(text) + " twice"
		case seen[v]:
			return "the question offers the same value twice"
		}
		seen[v], texts[text] = true, constant || texts[text]
	}
	return ""
}
