package model

import (
	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// stateAfter is the member of a result that holds the state after a change.
const stateAfter = "state_after"

// mutates checks that a tool with mutates=true returns the new state.
func (b *builder) mutates(t *Tool, line directive.Directive) {
	if !t.Mutates {
		return
	}
	arg, _ := line.Get("mutates")
	if t.Annotations.ReadOnly != nil && *t.Annotations.ReadOnly {
		b.list.Add(arg.Pos, diag.BadArgument, "a tool cannot declare both readonly=true and mutates=true").Suggest("delete one")
	}
	if t.Result.Type == nil && t.Result.Form != Done {
		return // the signature already has findings
	}
	var after *schema.Field
	if t.Result.Shape != nil && t.Result.Shape.Kind == schema.Struct {
		for _, f := range t.Result.Shape.Object.Fields() {
			if f.Name == stateAfter {
				after = f
			}
		}
	}
	switch {
	case after == nil:
		b.list.Add(t.Method.Pos(), diag.NoStateAfter, "%s declares mutates=true, but returns no %s", t.Method.Name(), stateAfter).
			Suggest("return a struct with a field tagged `json:\"%s\"`", stateAfter)
	case !after.Required:
		b.list.Add(b.near(after.Var, t.Method.Pos()), diag.NoStateAfter, "field %s may be missing from the result of %s, which declares mutates=true", after.Var.Name(), t.Method.Name()).
			Suggest("make it a value without omitempty or omitzero")
	}
}
