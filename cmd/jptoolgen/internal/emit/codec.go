package emit

import (
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// codecs returns the functions that decode and encode fields and those that bind
// questions, in the order in which the tools came to need them.
func (e *emitter) codecs() []*jen.Statement {
	var all []*jen.Statement
	for len(e.queue) > 0 {
		f := e.queue[0]
		e.queue = e.queue[1:]
		if f.object == nil {
			continue
		}
		all = append(all, e.codecOf(f))
	}
	for _, q := range e.binders() {
		all = append(all, q)
	}
	return all
}

// codecOf returns the function for an object.
func (e *emitter) codecOf(f function) *jen.Statement {
	e.guarded.structType(f.object.Type)
	pkg, body := decodePath, e.decodeFields
	if f.use.prefix == "encode" {
		pkg, body = encodePath, e.encodeFields
	}
	variable := e.local(f.use.variable)
	if len(f.object.Members) == 0 {
		return jen.Func().Id(e.functions[f]).Params(jen.Op("*").Qual(pkg, "Object"), jen.Op("*").Add(e.typ(f.object.Type))).Block()
	}
	return jen.Func().Id(e.functions[f]).Params(jen.Id(e.local("o")).Op("*").Qual(pkg, "Object"), jen.Id(variable).Op("*").Add(e.typ(f.object.Type))).
		Block(body(f.object, variable)...)
}

// leaf are the functions of packages decode and encode for the kinds that need
// nothing but a name.
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

// wrapper returns the code for the kinds that are made of others and look alike
// both ways; nil for the rest.
func (e *emitter) wrapper(pkg string, s *schema.Shape, inner func(*schema.Shape) *jen.Statement) *jen.Statement {
	switch s.Kind {
	case schema.Pointer:
		return jen.Qual(pkg, "Pointer").Types(e.typ(types.Unalias(s.Type).(*types.Pointer).Elem())).Call(inner(s.Elem))
	case schema.List:
		return jen.Qual(pkg, "List").Types(e.typ(s.Type)).Call(inner(s.Elem))
	case schema.Map:
		return jen.Qual(pkg, "Map").Types(e.typ(s.Type)).Call(jen.Qual(pkg, keyFunc(s.Key)), inner(s.Elem))
	}
	return nil
}
