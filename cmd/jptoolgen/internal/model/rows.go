package model

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// rows reads the format of a table, and finds the list of structs that it shows.
func (b *builder) rows(t *Tool, line directive.Directive) {
	arg, ok := line.Get("rows")
	if !ok || t.Result.Shape == nil && t.Result.Value == nil && t.Result.Form != Done {
		return // there is no such argument, or the signature already has findings
	}
	if b.listed(t, arg.Pos, diag.BadArgument, "rows") != nil {
		t.Result.Table = arg.Value
	}
}

// listed returns the structs in the only list of structs in a result, and sets t's List. If there is not exactly
// one such list, it adds a finding that names the feature that needs it.
func (b *builder) listed(t *Tool, pos token.Pos, code diag.Code, what string) *schema.Object {
	var items []*schema.Object
	add := func(name string, s *schema.Shape) {
		if isTable(s) {
			t.Result.List, items = name, append(items, s.Elem.Object)
		}
	}
	switch shape := t.Result.Shape; {
	case shape == nil:
	case t.Result.Form == Wrapped:
		add("result", shape)
	case shape.Kind == schema.Struct:
		for _, f := range shape.Object.Fields() {
			add(f.Name, f.Shape)
		}
	}
	if len(items) != 1 {
		b.list.Add(pos, code, "%s requires a result with one list of structs; the result of %s has %d", what, t.Method.Name(), len(items)).
			Suggest("return a list of structs or a tool.Page, or delete %s", what)
		return nil
	}
	return items[0]
}

// chosen finds the argument that selects the fields of items, and makes the names of these fields its allowed
// values.
func (b *builder) chosen(t *Tool) {
	if t.Input == nil || t.Result.Value == nil {
		return
	}
	for _, f := range t.Input.Fields() {
		if !sdktypes.Is(f.Var.Type(), sdktypes.Tool, "Fields") {
			continue
		}
		pos := b.near(f.Var, t.Method.Pos())
		if f.Required {
			b.list.Add(pos, diag.BadSignature, "the tool.Fields argument of %s is required, but a caller may want all fields", t.Method.Name()).Suggest("add omitempty to the tag")
		}
		item := b.listed(t, pos, diag.BadSignature, "field "+f.Var.Name())
		if item == nil {
			continue
		}
		names := &schema.Shape{Kind: schema.Enum, Type: types.Typ[types.String]}
		for _, m := range item.Fields() {
			names.Values = append(names.Values, schema.Value{Text: strconv.Quote(m.Name), Name: m.Name})
		}
		if old := f.Shape.Elem; old.Kind == schema.Enum && !slices.Equal(old.Values, names.Values) {
			b.list.Add(pos, diag.BadSignature, "field %s is shared by two tools whose items have different fields", f.Var.Name()).Suggest("use another struct of arguments for %s", t.Method.Name())
			continue
		}
		f.Shape.Elem, t.Result.Chosen = names, true
	}
}

func isTable(s *schema.Shape) bool { return s.Kind == schema.List && s.Elem.Kind == schema.Struct }
