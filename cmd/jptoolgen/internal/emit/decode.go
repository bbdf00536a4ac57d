package emit

import (
	"math"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// decodeFields returns one line for each field of an object.
func (e *emitter) decodeFields(o *schema.Object, variable string) []jen.Code {
	var body []jen.Code
	object := jen.Id(e.local("o"))
	for _, m := range o.Members {
		field := jen.Op("&").Id(variable).Dot(m.Path)
		if m.Embedded != nil {
			params := jen.Params(jen.Add(object).Op("*").Qual(decodePath, "Object"), jen.Id(variable).Op("*").Add(e.typ(m.Embedded.Type)))
			e.guarded.object(m.Embedded)
			call := []jen.Code{object, field, jen.Func().Add(params).Block(e.decodeFields(m.Embedded, variable)...)}
			for _, f := range m.Embedded.Fields() {
				call = append(call, jen.Lit(f.Name))
			}
			body = append(body, jen.Qual(decodePath, "Embed").Call(call...))
			continue
		}
		call := append([]jen.Code{object, jen.Lit(m.Field.Name), field, e.decoder(m.Field.Shape)}, rules(m.Field)...)
		body = append(body, jen.Qual(decodePath, "Field").Call(call...))
	}
	return body
}

// decoder returns the function that decodes a shape.
func (e *emitter) decoder(s *schema.Shape) *jen.Statement {
	e.guarded.shape(s)
	if w := e.wrapper(decodePath, s, e.decoder); w != nil {
		return w
	}
	switch s.Kind {
	case schema.Struct:
		return jen.Qual(decodePath, "Struct").Call(jen.Id(e.decodes(s.Object, "in")))
	case schema.Enum, schema.IntEnum:
		return e.enum(decodePath, s)
	case schema.Array:
		v, dst := e.local("v"), e.local("dst")
		return jen.Func().Params(jen.Id(v).Qual(decodePath, "Value"), jen.Id(dst).Op("*").Add(e.typ(s.Type))).Block(
			jen.Qual(decodePath, "Array").Call(jen.Id(v), jen.Id(dst).Index(jen.Op(":")), e.decoder(s.Elem)))
	}
	return jen.Qual(decodePath, leaf(s.Kind))
}

// rules returns the constraints of a field. Their names are the same as in its schema.
func rules(f *schema.Field) []jen.Code {
	c := f.Constraints
	var all []jen.Code
	rule := func(name string, args ...jen.Code) { all = append(all, jen.Qual(decodePath, name).Call(args...)) }
	if f.Required {
		all = append(all, jen.Qual(decodePath, "Required"))
	}
	if c.Default != "" {
		rule("Default", text(c.Default))
	}
	if c.Pattern != "" {
		rule("Pattern", text(c.Pattern))
	}
	if f.Shape.Base().Custom != nil && f.Shape.Base().Custom.Pattern != "" {
		rule("Pattern", text(f.Shape.Base().Custom.Pattern))
	}
	if kind := f.Shape.Base().Kind; len(c.Examples) > 0 && (c.Pattern != "" || kind == schema.Text || kind == schema.JSON) {
		rule("Example", text(c.Examples[0]))
	}
	for _, n := range []struct{ name, value string }{
		{"MinLength", c.MinLength}, {"MaxLength", c.MaxLength},
		{"Minimum", c.Minimum}, {"ExclusiveMinimum", c.ExclusiveMinimum},
		{"Maximum", c.Maximum}, {"ExclusiveMaximum", c.ExclusiveMaximum}, {"MultipleOf", c.MultipleOf},
		{"MinItems", c.MinItems}, {"MaxItems", c.MaxItems},
		{"MinProperties", c.MinProperties}, {"MaxProperties", c.MaxProperties},
	} {
		if n.value != "" {
			rule(n.name, number(n.value))
		}
	}
	if c.Single {
		all = append(all, jen.Qual(decodePath, "Single"))
	}
	if c.UniqueItems {
		all = append(all, jen.Qual(decodePath, "UniqueItems"))
	}
	return all
}

// number returns a constant that is valid on every platform, even where int is 32 bits wide.
func number(value string) *jen.Statement {
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case err == nil && (n > math.MaxInt32 || n < math.MinInt32):
		return jen.Int64().Call(exactly(value))
	case err == nil:
		return exactly(value)
	case !strings.ContainsAny(value, ".eE-"):
		if _, err := strconv.ParseUint(value, 10, 64); err == nil {
			return jen.Uint64().Call(exactly(value))
		}
		return exactly(value + ".0")
	}
	return exactly(value)
}
