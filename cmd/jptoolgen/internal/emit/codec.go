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
	return e.codecOf(decodePath, "decode", o, e.local(variable))
}

// encoderName returns the name of the function that encodes an object.
func (e *emitter) encoderName(o *schema.Object) string {
	return e.codecOf(encodePath, "encode", o, e.local("v"))
}

// codecOf returns the name of the function in which a package decodes or encodes the fields of an object.
func (e *emitter) codecOf(pkg, prefix string, o *schema.Object, variable string) string {
	return e.function(function{prefix: prefix, object: o}, o.Name, func(name string) *jen.Statement {
		e.guarded.object(o)
		object, value := jen.Op("*").Qual(pkg, "Object"), jen.Op("*").Add(e.typ(o.Type))
		body := e.fields(pkg, o, variable)
		if len(body) > 0 {
			object, value = jen.Id(e.local("o")).Add(object), jen.Id(variable).Add(value)
		}
		return jen.Func().Id(name).Params(object, value).Block(body...)
	})
}

// fields returns one line for each field of an object.
func (e *emitter) fields(pkg string, o *schema.Object, variable string) []jen.Code {
	var body []jen.Code
	object := jen.Id(e.local("o"))
	for _, m := range o.Members {
		field, address := e.access(m, variable)
		if m.Embedded != nil {
			params := jen.Params(jen.Add(object).Op("*").Qual(pkg, "Object"), jen.Id(variable).Op("*").Add(e.typ(m.Embedded.Type)))
			e.guarded.object(m.Embedded)
			call := []jen.Code{object, field, jen.Func().Add(params).Block(e.fields(pkg, m.Embedded, variable)...)}
			if pkg == decodePath {
				call[1] = address
				for _, f := range m.Embedded.Fields() {
					call = append(call, jen.Lit(f.Name))
				}
			}
			body = append(body, jen.Qual(pkg, "Embed").Call(call...))
			continue
		}
		name, call := "Field", []jen.Code{jen.Lit(m.Field.Name), address, e.coder(pkg, m.Field.Shape)}
		if pkg == decodePath {
			call = append(call, rules(m.Field)...)
		} else if omit := e.omitCondition(m.Field, field); omit != nil {
			name, call = "Omit", append([]jen.Code{omit}, call...)
		}
		body = append(body, jen.Qual(pkg, name).Call(append([]jen.Code{object}, call...)...))
	}
	return body
}

// access returns the expressions for a member of a variable and for its address.
func (e *emitter) access(m schema.Member, variable string) (field, address *jen.Statement) {
	if m.Path != "" {
		field = jen.Id(variable).Dot(m.Path)
		return field, jen.Op("&").Add(field)
	}
	var typ *jen.Statement
	if m.Embedded != nil {
		typ = jen.Op("*").Add(e.typ(m.Embedded.Type))
	} else {
		typ = e.typ(m.Field.Var.Type())
	}
	path := []jen.Code{jen.Id(variable)}
	for _, name := range m.Hidden {
		path = append(path, jen.Lit(name))
	}
	address = jen.Qual(decodePath, "Hidden").Types(typ).Call(path...)
	return jen.Parens(jen.Op("*").Add(address)), address
}

// coder returns the function in a package that decodes or encodes a shape.
func (e *emitter) coder(pkg string, s *schema.Shape) *jen.Statement {
	e.guarded.shape(s)
	object := func(o *schema.Object) *jen.Statement {
		if pkg == decodePath {
			return jen.Id(e.decodes(o, "in"))
		}
		return jen.Id(e.encoderName(o))
	}
	name := kinds[s.Kind]
	switch s.Kind {
	case schema.Pointer:
		if s.Present && pkg == decodePath {
			name = "New"
		}
		return jen.Qual(pkg, name).Types(e.typ(types.Unalias(s.Type).(*types.Pointer).Elem())).Call(e.coder(pkg, s.Elem))
	case schema.Nullable, schema.List:
		return jen.Qual(pkg, name).Types(e.typ(s.Type)).Call(e.coder(pkg, s.Elem))
	case schema.Map:
		return jen.Qual(pkg, name).Types(e.typ(s.Type)).Call(jen.Qual(pkg, keys[s.Key]), e.coder(pkg, s.Elem))
	case schema.Sum:
		var cases []jen.Code
		for _, c := range s.Cases {
			call := []jen.Code{object(c.Shape.Object)}
			if pkg == decodePath {
				call = append([]jen.Code{jen.Lit(c.Member), jen.Lit(c.Value)}, call...)
			}
			cases = append(cases, jen.Qual(pkg, "When").Types(e.typ(s.Type), e.typ(c.Shape.Type)).Call(call...))
		}
		return jen.Qual(pkg, "Sum").Call(cases...)
	case schema.Struct:
		return jen.Qual(pkg, "Struct").Call(object(s.Object))
	case schema.Enum, schema.IntEnum:
		return jen.Qual(pkg, name).Call(e.values(s)...)
	case schema.Flags:
		var names []jen.Code
		for _, v := range s.Elem.Values {
			names = append(names, jen.Lit(v.Name))
		}
		return jen.Qual(pkg, name).Call(append([]jen.Code{jen.Index().String().Values(names...)}, e.values(s)...)...)
	case schema.Int, schema.Uint:
		if s.Quoted || s.Exact && pkg == encodePath {
			name = "Big" + name
		}
	case schema.String, schema.Bool, schema.Float:
		if s.Quoted && s.Kind == schema.String && pkg == decodePath {
			return jen.Qual(pkg, "QuotedString")
		}
		if s.Quoted && pkg == encodePath {
			return jen.Qual(pkg, "Quoted").Types(e.typ(s.Type)).Call(jen.Qual(pkg, name))
		}
	case schema.Array:
		text, value, typ := e.local("v"), e.local("dst"), jen.Qual(pkg, "Value")
		if pkg == encodePath {
			text, value, typ = e.local("w"), e.local("v"), jen.Op("*").Qual(pkg, "Writer")
		}
		return jen.Func().Params(jen.Id(text).Add(typ), jen.Id(value).Op("*").Add(e.typ(s.Type))).Block(
			jen.Qual(pkg, "Array").Call(jen.Id(text), jen.Id(value).Index(jen.Op(":")), e.coder(pkg, s.Elem)))
	}
	if s.Set == schema.OpenSet {
		return jen.Qual(pkg, "Open").Call(append([]jen.Code{jen.Qual(pkg, name).Types(e.typ(s.Type))}, e.values(s)...)...)
	}
	return jen.Qual(pkg, name)
}

// values returns the constants of a shape. It writes the value of a constant that other platforms do not have.
func (e *emitter) values(s *schema.Shape) (values []jen.Code) {
	for _, v := range s.Values {
		switch {
		case v.Const != nil:
			values = append(values, e.constant(v.Const, s.Type))
		case v.Value == nil:
			values = append(values, jen.Lit(v.Name))
		default:
			values = append(values, e.typ(s.Type).Call(verbatim(v.Value.ExactString())))
		}
	}
	return values
}

// kinds holds the names of the functions in packages decode and encode, keyed by the kind of the shape.
var kinds = map[schema.Kind]string{
	schema.Bool: "Bool", schema.String: "String", schema.Int: "Int", schema.Uint: "Uint", schema.Float: "Float",
	schema.Bytes: "Bytes", schema.Time: "Time", schema.Duration: "Duration", schema.Enum: "Enum", schema.IntEnum: "IntEnum", schema.Flags: "Flags",
	schema.Text: "Text", schema.JSON: "JSON", schema.Std: "Std", schema.Raw: "Raw", schema.Any: "Any",
	schema.Pointer: "Pointer", schema.Nullable: "Nullable", schema.List: "List", schema.Map: "Map",
}

// keys holds the names of the functions for map keys, keyed by the kind of the map key.
var keys = map[schema.Key]string{
	schema.StringKey: "StringKey", schema.IntKey: "IntKey", schema.UintKey: "UintKey", schema.TextKey: "TextKey",
}
