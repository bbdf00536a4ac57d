package emit

import (
	"go/constant"
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// typ returns the expression for a type in the generated file.
func (e *emitter) typ(t types.Type) *jen.Statement {
	switch t := t.(type) {
	case *types.Basic:
		return jen.Id(t.Name())
	case *types.Alias:
		if schema.IsHiddenName(t.Obj(), e.server.Package) {
			return e.typ(types.Unalias(t))
		}
		return e.instantiate(e.object(t.Obj()), t.TypeArgs())
	case *types.Named:
		return e.instantiate(e.object(t.Obj()), t.TypeArgs())
	case *types.Pointer:
		return jen.Op("*").Add(e.typ(t.Elem()))
	case *types.Slice:
		return jen.Index().Add(e.typ(t.Elem()))
	case *types.Array:
		return jen.Index(jen.Lit(int(t.Len()))).Add(e.typ(t.Elem()))
	case *types.Map:
		return jen.Map(e.typ(t.Key())).Add(e.typ(t.Elem()))
	case *types.Chan:
		return e.channel(t)
	case *types.Signature:
		return jen.Func().Add(e.signature(t))
	case *types.Struct:
		return e.structure(t)
	case *types.Interface:
		return e.contractOf(t)
	}
	return verbatim(types.TypeString(t, types.RelativeTo(e.server.Package)))
}

// canSpell reports whether the generated file can refer to a type.
func (e *emitter) canSpell(t types.Type) bool { return !schema.IsHidden(t, e.server.Package) }

// constant returns the expression for a constant of type t: its name, or its value if the generated file cannot refer
// to the constant.
func (e *emitter) constant(c *types.Const, t types.Type) *jen.Statement {
	if schema.IsHiddenName(c, e.server.Package) {
		return e.typ(t).Call(literal(c))
	}
	return e.object(c)
}

// literal returns the value of a string or integer constant.
func literal(c *types.Const) *jen.Statement {
	if c.Val().Kind() == constant.String {
		return jen.Lit(constant.StringVal(c.Val()))
	}
	return verbatim(c.Val().ExactString())
}

// object returns the expression that refers to a declaration of a package.
func (e *emitter) object(obj types.Object) *jen.Statement {
	if obj.Pkg() == nil {
		return jen.Id(obj.Name())
	}
	return jen.Qual(obj.Pkg().Path(), obj.Name())
}

func (e *emitter) instantiate(generic *jen.Statement, args *types.TypeList) *jen.Statement {
	if args.Len() == 0 {
		return generic
	}
	var list []jen.Code
	for arg := range args.Types() {
		list = append(list, e.typ(arg))
	}
	return generic.Types(list...)
}

func (e *emitter) channel(t *types.Chan) *jen.Statement {
	switch t.Dir() {
	case types.SendOnly:
		return jen.Chan().Op("<-").Add(e.typ(t.Elem()))
	case types.RecvOnly:
		return jen.Op("<-").Chan().Add(e.typ(t.Elem()))
	}
	return jen.Chan().Params(e.typ(t.Elem()))
}

// signature returns the parameters and results of a function. first holds parameters to add at
// the beginning.
func (e *emitter) signature(t *types.Signature, first ...jen.Code) *jen.Statement {
	s := jen.Params(append(first, e.tuple(t.Params(), t.Variadic())...)...)
	switch t.Results().Len() {
	case 0:
		return s
	case 1:
		return s.Add(e.typ(t.Results().At(0).Type()))
	}
	return s.Params(e.tuple(t.Results(), false)...)
}

func (e *emitter) tuple(t *types.Tuple, variadic bool) []jen.Code {
	var list []jen.Code
	for v := range t.Variables() {
		list = append(list, e.typ(v.Type()))
	}
	if variadic {
		last := t.At(t.Len() - 1).Type().(*types.Slice)
		list[len(list)-1] = jen.Op("...").Add(e.typ(last.Elem()))
	}
	return list
}

// structure returns a struct type literal, including tags.
func (e *emitter) structure(t *types.Struct) *jen.Statement {
	var fields []jen.Code
	for i := range t.NumFields() {
		f := t.Field(i)
		field := e.typ(f.Type())
		if !f.Embedded() {
			field = jen.Id(f.Name()).Add(field)
		}
		if text := t.Tag(i); text != "" {
			field.Add(tag(text))
		}
		fields = append(fields, field)
	}
	return jen.Struct(fields...)
}

func (e *emitter) contractOf(t *types.Interface) *jen.Statement {
	if t.Empty() {
		return jen.Id("any")
	}
	var parts []jen.Code
	for m := range t.ExplicitMethods() {
		parts = append(parts, jen.Id(m.Name()).Add(e.signature(m.Signature())))
	}
	for embedded := range t.EmbeddedTypes() {
		parts = append(parts, e.typ(embedded))
	}
	return jen.Interface(parts...)
}
