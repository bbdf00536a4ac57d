package model

import (
	"go/types"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
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
		return
	}
	v := results.At(0)
	value := v.Type()
	t.Result.Type = value
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
	b.typed(s, shape, v.Pos())
	t.Result.Shape = shape
	if shape.Kind == schema.String || sdktypes.Is(value, sdktypes.Content, "Untrusted") {
		t.Result.Form, t.Result.Shape = Text, nil
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
		t.Result.Form, t.Result.Description = Wrapped, b.wrapped(value)
	}
}

// wrapped returns the description of a wrapped value, which is the comment of the value's type.
func (b *builder) wrapped(t types.Type) string {
	if named, ok := types.Unalias(t).(*types.Named); ok && b.docs.Ours(named.Obj().Pkg()) {
		if text, _ := b.docs.Doc(named.Obj()); text != "" {
			return text
		}
	}
	return "The result."
}
