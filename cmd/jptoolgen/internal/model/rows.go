package model

import (
	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// rows reads the format of a table, and finds the list of structs that it shows.
func (b *builder) rows(t *Tool, line directive.Directive) {
	arg, ok := line.Get("rows")
	if !ok || t.Result.Shape == nil && t.Result.Value == nil && t.Result.Form != Done {
		return // not given, or the signature has findings
	}
	var lists []string
	switch shape := t.Result.Shape; {
	case shape == nil:
	case t.Result.Form == Wrapped && isTable(shape):
		lists = append(lists, "result")
	case shape.Kind == schema.Struct:
		for _, f := range shape.Object.Fields() {
			if isTable(f.Shape) {
				lists = append(lists, f.Name)
			}
		}
	}
	if len(lists) != 1 {
		b.list.Add(arg.Pos, diag.BadArgument, "rows needs a result with one list of structs; that of %s has %d", t.Method.Name(), len(lists)).
			Suggest("return a list of structs or a tool.Page, or delete rows")
		return
	}
	t.Result.Table, t.Result.List = arg.Value, lists[0]
}

func isTable(s *schema.Shape) bool { return s.Kind == schema.List && s.Elem.Kind == schema.Struct }
