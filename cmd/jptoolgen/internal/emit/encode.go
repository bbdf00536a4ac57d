package emit

import (
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// encodeFields returns one line for each field of an object.
func (e *emitter) encodeFields(o *schema.Object, variable string) []jen.Code {
	var body []jen.Code
	object := jen.Id(e.local("o"))
	for _, m := range o.Members {
		field := jen.Id(variable).Dot(m.Path)
		if m.Embedded != nil {
			params := jen.Params(jen.Add(object).Op("*").Qual(encodePath, "Object"), jen.Id(variable).Op("*").Add(e.typ(m.Embedded.Type)))
			e.guarded.object(m.Embedded)
			body = append(body, jen.Qual(encodePath, "Embed").Call(object, field, jen.Func().Add(params).Block(e.encodeFields(m.Embedded, variable)...)))
			continue
		}
		f := m.Field
		write := []jen.Code{jen.Lit(f.Name), jen.Op("&").Add(field), e.encoder(f.Shape)}
		if omit := e.omitted(f, field); omit != nil {
			body = append(body, jen.Qual(encodePath, "Omit").Call(append([]jen.Code{object, omit}, write...)...))
			continue
		}
		body = append(body, jen.Qual(encodePath, "Field").Call(append([]jen.Code{object}, write...)...))
	}
	return body
}

// encoder returns the function that encodes a shape.
func (e *emitter) encoder(s *schema.Shape) *jen.Statement {
	e.guarded.shape(s)
	if w := e.wrapper(encodePath, s, e.encoder); w != nil {
		return w
	}
	switch s.Kind {
	case schema.Struct:
		return jen.Qual(encodePath, "Struct").Call(jen.Id(e.encodes(s.Object)))
	case schema.Enum, schema.IntEnum:
		return e.enum(encodePath, s)
	case schema.Int, schema.Uint:
		if s.Exact {
			return jen.Qual(encodePath, "Big"+leaf(s.Kind))
		}
	case schema.Array:
		w, v := e.local("w"), e.local("v")
		return jen.Func().Params(jen.Id(w).Op("*").Qual(encodePath, "Writer"), jen.Id(v).Op("*").Add(e.typ(s.Type))).Block(
			jen.Qual(encodePath, "Array").Call(jen.Id(w), jen.Id(v).Index(jen.Op(":")), e.encoder(s.Elem)))
	}
	return jen.Qual(encodePath, leaf(s.Kind))
}

// omitted returns the condition under which encoding/json omits a field, or nil if it never does.
func (e *emitter) omitted(f *schema.Field, field *jen.Statement) *jen.Statement {
	t := f.Var.Type()
	switch f.Omit {
	case schema.WhenEmpty:
		return empty(t, field)
	case schema.WhenZero:
		return e.zero(t, field)
	case schema.WhenNil:
		return field.Clone().Op("==").Nil()
	}
	return nil
}

// empty returns the condition for omitempty.
func empty(t types.Type, field *jen.Statement) *jen.Statement {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicZero(u, field)
	case *types.Pointer, *types.Interface:
		return field.Clone().Op("==").Nil()
	case *types.Slice, *types.Map:
		return jen.Len(field.Clone()).Op("==").Lit(0)
	case *types.Array:
		if u.Len() == 0 {
			return jen.True()
		}
	}
	return nil
}

// zero returns the condition for omitzero.
func (e *emitter) zero(t types.Type, field *jen.Statement) *jen.Statement {
	if schema.HasIsZero(t) {
		if _, pointer := t.Underlying().(*types.Pointer); pointer {
			return field.Clone().Op("==").Nil().Op("||").Add(field.Clone()).Dot("IsZero").Call()
		}
		return field.Clone().Dot("IsZero").Call()
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return basicZero(u, field)
	case *types.Pointer, *types.Interface, *types.Slice, *types.Map:
		return field.Clone().Op("==").Nil()
	}
	return field.Clone().Op("==").Parens(e.typ(t).Values())
}

func basicZero(b *types.Basic, field *jen.Statement) *jen.Statement {
	switch {
	case b.Info()&types.IsBoolean != 0:
		return jen.Op("!").Add(field.Clone())
	case b.Info()&types.IsString != 0:
		return field.Clone().Op("==").Lit("")
	}
	return field.Clone().Op("==").Lit(0)
}
