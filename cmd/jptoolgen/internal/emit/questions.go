package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// binds returns the name of the function that binds questions to their ids.
func (e *emitter) binds(q *model.Questions) string {
	return e.function(function{prefix: "bind", questions: q}, q.Name, func(name string) *jen.Statement {
		e.guarded.structType(q.Type)
		var fields []jen.Code
		for _, question := range q.List {
			fields = append(fields, jen.Id(question.Field).Op(":").Add(e.question(question)))
		}
		return jen.Func().Id(name).Params().Add(e.typ(q.Type)).Block(jen.Return(e.typ(q.Type).Add(lines(fields...))))
	})
}

// question returns the construction of one question.
func (e *emitter) question(q *model.Question) *jen.Statement {
	kind := q.Kind.String()
	construct := jen.Qual(elicitPath, "New"+strings.ToUpper(kind[:1])+kind[1:])
	spec := e.spec(q.ID, q.Description, q.Constraints)
	if q.Object != nil {
		return construct.Add(args(e.form(q, spec)...))
	}
	if len(q.Values) == 0 {
		return construct.Call(spec)
	}
	values := []jen.Code{spec}
	for _, v := range q.Values {
		e.guarded.constant(v.Const)
		values = append(values, jen.Qual(elicitPath, "Value").Call(e.object(v.Const), text(v.Description)))
	}
	return construct.Add(args(values...))
}

// form returns the arguments of a form: its fields, and how its answer is read.
func (e *emitter) form(q *model.Question, spec *jen.Statement) []jen.Code {
	all := []jen.Code{spec, jen.Qual(decodePath, "Exactly").Call(jen.Id(e.decodes(q.Object, "in")))}
	for _, f := range q.Fields {
		kind := f.Kind.String()
		parts := []jen.Code{
			jen.Id("Spec").Op(":").Add(e.spec(f.Name, f.Description, f.Constraints)),
			jen.Id("Kind").Op(":").Qual(elicitPath, "Kind"+strings.ToUpper(kind[:1])+kind[1:]),
		}
		if len(f.Values) > 0 {
			parts = append(parts, jen.Id("Options").Op(":").Index().Qual(elicitPath, "Option").Add(lines(e.answers(f.Values)...)))
		}
		if f.Integer {
			parts = append(parts, jen.Id("Integer").Op(":").True())
		}
		if f.Optional {
			parts = append(parts, jen.Id("Optional").Op(":").True())
		}
		all = append(all, jen.Qual(elicitPath, "Field").Values(parts...))
	}
	return all
}

// answers returns the values of a choice within a form.
func (e *emitter) answers(values []schema.Value) []jen.Code {
	var all []jen.Code
	for _, v := range values {
		e.guarded.constant(v.Const)
		option := []jen.Code{jen.Id("Value").Op(":").String().Parens(e.object(v.Const))}
		if v.Description != "" {
			option = append(option, jen.Id("Description").Op(":").Add(text(v.Description)))
		}
		all = append(all, jen.Values(option...))
	}
	return all
}

func (e *emitter) spec(id, description string, c schema.Constraints) *jen.Statement {
	var fields []jen.Code
	set := func(name, value string, code *jen.Statement) {
		if value != "" {
			fields = append(fields, jen.Id(name).Op(":").Add(code))
		}
	}
	set("ID", id, jen.Lit(id))
	set("Description", description, text(description))
	set("Default", c.Default, text(c.Default))
	set("MinLength", c.MinLength, exactly(c.MinLength))
	set("MaxLength", c.MaxLength, exactly(c.MaxLength))
	set("Pattern", c.Pattern, text(c.Pattern))
	set("Minimum", c.Minimum, jen.New(jen.Float64().Call(exactly(c.Minimum))))
	set("Maximum", c.Maximum, jen.New(jen.Float64().Call(exactly(c.Maximum))))
	return jen.Qual(elicitPath, "Spec").Values(fields...)
}
