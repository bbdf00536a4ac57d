package emit

import (
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// codecs returns the functions that decode and encode fields and that bind questions, in the order in which the
// tools need them.
func (e *emitter) codecs() []*jen.Statement {
	var all []*jen.Statement
	for len(e.queue) > 0 {
		emit := e.queue[0]
		e.queue = e.queue[1:]
		all = append(all, emit())
	}
	return all
}

// decodes returns the name of the function that decodes an object into a variable.
func (e *emitter) decodes(o *schema.Object, variable string) string {
	return e.function(function{prefix: "decode", object: o}, o.Name, func(name string) *jen.Statement {
		return e.codecOf(o, name, decodePath, e.local(variable), e.decodeFields)
	})
}

// encodes returns the name of the function that encodes an object.
func (e *emitter) encodes(o *schema.Object) string {
	return e.function(function{prefix: "encode", object: o}, o.Name, func(name string) *jen.Statement {
		return e.codecOf(o, name, encodePath, e.local("v"), e.encodeFields)
	})
}

// codecOf returns a function for the fields of an object.
func (e *emitter) codecOf(o *schema.Object, name, pkg, variable string, fields func(*schema.Object, string) []jen.Code) *jen.Statement {
	e.guarded.object(o)
	object, value := jen.Op("*").Qual(pkg, "Object"), jen.Op("*").Add(e.typ(o.Type))
	body := fields(o, variable)
	if len(body) > 0 {
		object, value = jen.Id(e.local("o")).Add(object), jen.Id(variable).Add(value)
	}
	return jen.Func().Id(name).Params(object, value).Block(body...)
}

// leaf returns the name of the function, in packages decode and encode, for a kind without parameters.
func leaf(k schema.Kind) string {
	return map[schema.Kind]string{
		schema.Bool: "Bool", schema.String: "String", schema.Int: "Int", schema.Uint: "Uint", schema.Float: "Float",
		schema.Bytes: "Bytes", schema.Time: "Time", schema.Duration: "Duration",
		schema.Text: "Text", schema.JSON: "JSON", schema.Raw: "Raw", schema.Any: "Any",
	}[k]
}

func keyFunc(k schema.Key) string {
	return map[schema.Key]string{
		schema.StringKey: "StringKey", schema.IntKey: "IntKey", schema.UintKey: "UintKey", schema.TextKey: "TextKey",
	}[k]
}

// enum returns the code for a type with declared constants.
func (e *emitter) enum(pkg string, s *schema.Shape) *jen.Statement {
	name := "Enum"
	if s.Kind == schema.IntEnum {
		name = "IntEnum"
	}
	var values []jen.Code
	for _, v := range s.Values {
		if v.Const == nil {
			values = append(values, jen.Lit(v.Name))
			continue
		}
		values = append(values, e.object(v.Const))
	}
	return jen.Qual(pkg, name).Call(values...)
}

// wrapper returns the code for composite kinds that have the same form in both directions, or nil for other
// kinds.
func (e *emitter) wrapper(pkg string, s *schema.Shape, inner func(*schema.Shape) *jen.Statement) *jen.Statement {
	switch s.Kind {
	case schema.Pointer:
		return jen.Qual(pkg, "Pointer").Types(e.typ(types.Unalias(s.Type).(*types.Pointer).Elem())).Call(inner(s.Elem))
	case schema.Nullable:
		return jen.Qual(pkg, "Nullable").Types(e.typ(s.Type)).Call(inner(s.Elem))
	case schema.List:
		return jen.Qual(pkg, "List").Types(e.typ(s.Type)).Call(inner(s.Elem))
	case schema.Sum:
		var cases []jen.Code
		for _, c := range s.Cases {
			types := []jen.Code{e.typ(s.Type), e.typ(c.Shape.Type)}
			if pkg == encodePath {
				cases = append(cases, jen.Qual(pkg, "When").Types(types...).Call(jen.Id(e.encodes(c.Shape.Object))))
			} else {
				cases = append(cases, jen.Qual(pkg, "When").Types(types...).Call(jen.Lit(c.Member), jen.Lit(c.Value), jen.Id(e.decodes(c.Shape.Object, "in"))))
			}
		}
		return jen.Qual(pkg, "Sum").Call(cases...)
	case schema.Map:
		return jen.Qual(pkg, "Map").Types(e.typ(s.Type)).Call(jen.Qual(pkg, keyFunc(s.Key)), inner(s.Elem))
	}
	return nil
}
