package model

import (
	"go/types"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// paging checks that a tool has a cursor parameter if and only if it returns a page.
func (b *builder) paging(t *Tool) {
	var cursors []*schema.Field
	for _, o := range []*schema.Object{t.Input, t.Options} {
		if o == nil {
			continue
		}
		for _, f := range o.Fields() {
			switch {
			case o == t.Input && isCursor(f.Shape):
				cursors = append(cursors, f)
			case holdsCursor(f.Shape):
				b.list.Add(b.near(f.Var, t.Method.Pos()), diag.BadSignature, "field %s contains a tool.Cursor, which must be a top-level argument of %s", f.Var.Name(), t.Method.Name()).
					Suggest("make the cursor a field of the arguments")
			}
		}
	}
	switch page := t.Result.Value != nil && isPage(t.Result.Value); {
	case page && len(cursors) == 0:
		b.list.Add(t.Method.Pos(), diag.BadSignature, "%s returns a tool.Page, but takes no tool.Cursor", t.Method.Name()).
			Suggest("add the field Cursor tool.Cursor `json:\"cursor,omitempty\"` to its arguments")
	case len(cursors) > 1:
		b.list.Add(b.near(cursors[1].Var, t.Method.Pos()), diag.BadSignature, "%s takes two cursors", t.Method.Name()).Suggest("delete one")
	case len(cursors) == 1 && !page:
		b.list.Add(b.near(cursors[0].Var, t.Method.Pos()), diag.BadSignature, "%s takes a tool.Cursor, but returns no tool.Page", t.Method.Name()).
			Suggest("return a tool.Page, or make the field a string")
	case page && cursors[0].Required:
		b.list.Add(b.near(cursors[0].Var, t.Method.Pos()), diag.BadSignature, "the cursor of %s is required, but a call for the first page has none", t.Method.Name()).
			Suggest("add omitempty to its tag")
	}
}

func isCursor(s *schema.Shape) bool { return sdktypes.Is(s.Type, sdktypes.Tool, "Cursor") }

// holdsCursor reports whether a value is or contains a cursor.
func holdsCursor(s *schema.Shape) bool {
	switch {
	case s.Elem != nil:
		return holdsCursor(s.Elem)
	case s.Object != nil:
		return slices.ContainsFunc(s.Object.Fields(), func(f *schema.Field) bool { return holdsCursor(f.Shape) })
	}
	return isCursor(s)
}

func isPage(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return sdktypes.Is(t, sdktypes.Tool, "Page")
}
