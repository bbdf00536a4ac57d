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

// result reads the results of a method: an error, or a value and an error.
func (b *builder) result(s *Server, t *Tool, results *types.Tuple) {
	n := results.Len()
	if n == 0 || n > 2 || types.TypeString(results.At(n-1).Type(), nil) != "error" {
		pos := t.Method.Pos()
		if n > 0 {
			pos = results.At(n - 1).Pos()
		}
		b.list.Add(pos, diag.BadSignature, "%s must return error, or a result and error", t.Method.Name()).
			Suggest("write (Result, error)")
		return
	}
	if n == 1 {
		if t.Kind != Callable {
			b.list.Add(t.Method.Pos(), diag.BadSignature, "%s returns only an error", t.Method.Name()).Suggest("write (Result, error)")
		}
		return
	}
	v := results.At(0)
	value := v.Type()
	t.Result.Type = value
	switch {
	case t.Part != "":
		b.partResult(t, v)
		return
	case t.Kind != Callable && b.offered(t, v):
		return
	}
	if sdktypes.Is(value, sdktypes.Content, "With") {
		if value = types.Unalias(value).(*types.Named).TypeArgs().At(0); sdktypes.Is(value, sdktypes.Content, "Blocks") {
			b.list.Add(v.Pos(), diag.UnsupportedType, "%s returns content.With[content.Blocks]", t.Method.Name()).
				Suggest("return content.Blocks")
			return
		}
	}
	t.Result.Value = value
	if sdktypes.Is(value, sdktypes.Content, "Blocks") {
		t.Result.Form = Blocks
		return
	}
	site := schema.Site{Pos: v.Pos(), What: "the result of " + t.Method.Name(), Name: t.Method.Name() + "Result"}
	shape := b.out.Shape(value, site)
	if shape == nil {
		return
	}
	t.Result.Shape = shape
	if shape.Kind == schema.String || sdktypes.Is(value, sdktypes.Content, "Untrusted") {
		t.Result.Form, t.Result.Shape = Text, nil
		return
	}
	if base := shape.Base(); base.Kind == schema.Std {
		t.Result.Form, t.Result.Description = Wrapped, "The result."
		if base.As != nil && slices.Contains([]schema.Kind{schema.Struct, schema.Map}, base.As.Kind) {
			t.Result.Form = Object
		}
		return
	}
	switch shape.Kind {
	case schema.Struct:
		t.Result.Form = Structured
	case schema.Map:
		t.Result.Form = Object
	case schema.Pointer:
		if shape.Elem.Kind != schema.Struct {
			b.list.Add(v.Pos(), diag.UnsupportedType, "the result of %s is a pointer to a value that is not a struct", t.Method.Name()).
				Suggest("return the value")
			return
		}
		t.Result.Form, t.Result.Shape = Pointer, shape.Elem
	default:
		t.Result.Form, t.Result.Description = Wrapped, b.wrappedDescription(value)
	}
}

// wrappedDescription returns the description of a wrapped value: the comment on the value's type.
func (b *builder) wrappedDescription(t types.Type) string {
	if named, ok := types.Unalias(t).(*types.Named); ok && b.docs.Ours(named.Obj().Pkg()) {
		if text, _ := b.docs.Doc(named.Obj()); text != "" {
			return text
		}
	}
	return "The result."
}

// rows reads the format of a table, and finds the list of structs that it shows.
func (b *builder) rows(t *Tool, line directive.Directive) {
	arg, ok := line.Get("rows")
	if !ok || t.Result.Shape == nil && t.Result.Value == nil && t.Result.Form != Done {
		return // there is no such argument, or the signature already has findings
	}
	if b.listedStructs(t, arg.Pos, diag.BadArgument, "rows") != nil {
		t.Result.Table = arg.Value
	}
}

// listedStructs returns the element type of the only list of structs in a result, and sets t.Result.List. If the result
// does not have exactly one such list, it adds a finding, in which what is the feature that requires the list.
func (b *builder) listedStructs(t *Tool, pos token.Pos, code diag.Code, what string) *schema.Object {
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

// bindFieldArgument finds the argument that selects the fields of items, and makes the names of these fields its
// allowed values.
func (b *builder) bindFieldArgument(t *Tool) {
	if t.Input == nil || t.Result.Value == nil {
		return
	}
	for _, f := range t.Input.Fields() {
		if !sdktypes.Is(f.Var.Type(), sdktypes.Tool, "Fields") {
			continue
		}
		pos := b.nearestPos(f.Var, t.Method.Pos())
		if f.Required {
			b.list.Add(pos, diag.BadSignature, "the tool.Fields argument of %s is required, but a caller may want all fields", t.Method.Name()).Suggest("add omitempty to the tag")
		}
		item := b.listedStructs(t, pos, diag.BadSignature, "field "+f.Var.Name())
		if item == nil {
			continue
		}
		names := &schema.Shape{Kind: schema.Enum, Type: types.Typ[types.String]}
		for _, m := range item.Fields() {
			names.Values = append(names.Values, schema.Value{Text: strconv.Quote(m.Name), Name: m.Name})
		}
		if old := f.Shape.Elem; old.Kind == schema.Enum && !slices.Equal(old.Values, names.Values) {
			b.list.Add(pos, diag.BadSignature, "field %s is shared by two tools whose items have different fields", f.Var.Name()).Suggest("declare a separate argument struct for %s", t.Method.Name())
			continue
		}
		f.Shape.Elem, t.Result.Chosen = names, true
	}
}

func isTable(s *schema.Shape) bool { return s.Kind == schema.List && s.Elem.Kind == schema.Struct }

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
			case b.holdsCursor(f.Shape):
				b.list.Add(b.nearestPos(f.Var, t.Method.Pos()), diag.BadSignature, "field %s contains a tool.Cursor, which must be a top-level argument of %s", f.Var.Name(), t.Method.Name()).
					Suggest("move the cursor to the top level of the arguments")
			}
		}
	}
	switch page := t.Result.Value != nil && isPage(t.Result.Value); {
	case page && len(cursors) == 0:
		b.list.Add(t.Method.Pos(), diag.BadSignature, "%s returns a tool.Page, but takes no tool.Cursor", t.Method.Name()).
			Suggest("add the field Cursor tool.Cursor `json:\"cursor,omitempty\"` to its arguments")
	case len(cursors) > 1:
		b.list.Add(b.nearestPos(cursors[1].Var, t.Method.Pos()), diag.BadSignature, "%s takes two cursors", t.Method.Name()).Suggest("delete one")
	case len(cursors) == 1 && !page:
		b.list.Add(b.nearestPos(cursors[0].Var, t.Method.Pos()), diag.BadSignature, "%s takes a tool.Cursor, but returns no tool.Page", t.Method.Name()).
			Suggest("return a tool.Page, or make the field a string")
	case page && cursors[0].Required:
		b.list.Add(b.nearestPos(cursors[0].Var, t.Method.Pos()), diag.BadSignature, "the cursor of %s is required, but a request for the first page has no cursor", t.Method.Name()).
			Suggest("add omitempty to its tag")
	}
}

func isCursor(s *schema.Shape) bool { return sdktypes.Is(s.Type, sdktypes.Tool, "Cursor") }

// holdsCursor reports whether a value is or contains a cursor.
func (b *builder) holdsCursor(s *schema.Shape) (found bool) {
	b.parts(s, token.NoPos, func(part *schema.Shape, _ token.Pos) bool {
		found = found || isCursor(part)
		return true
	})
	return found
}

func isPage(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return sdktypes.Is(t, sdktypes.Tool, "Page")
}

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
	var fields []*schema.Field
	if t.Result.Shape != nil && t.Result.Shape.Kind == schema.Struct {
		fields = t.Result.Shape.Object.Fields()
	}
	switch i := slices.IndexFunc(fields, func(f *schema.Field) bool { return f.Name == stateAfter }); {
	case i < 0:
		b.list.Add(t.Method.Pos(), diag.NoStateAfter, "%s declares mutates=true, but returns no %s", t.Method.Name(), stateAfter).
			Suggest("return a struct with a field tagged `json:\"%s\"`", stateAfter)
	case !fields[i].Required:
		b.list.Add(b.nearestPos(fields[i].Var, t.Method.Pos()), diag.NoStateAfter, "field %s may be missing from the result of %s, which declares mutates=true", fields[i].Var.Name(), t.Method.Name()).
			Suggest("make it a value without omitempty or omitzero")
	}
}
