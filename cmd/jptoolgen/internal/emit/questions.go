package emit

import (
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// binds returns the name of the function that creates the questions of a tool.
func (e *emitter) binds(q *model.Questions) string {
	return e.function(function{prefix: "bind", questions: q}, q.Name, func(name string) *jen.Statement {
		e.guarded.structType(q.Type)
		var fields []jen.Code
		for _, question := range q.List {
			fields = append(fields, jen.Id(question.Field).Op(":").Add(e.question(question)))
		}
		set := jen.Id(e.local("set")).Op("*").Qual(questionPath, "Set")
		return jen.Func().Id(name).Params(set).Add(e.typ(q.Type)).Block(jen.Return(e.typ(q.Type).Add(lines(fields...))))
	})
}

// question returns the expression that creates a question.
func (e *emitter) question(q *model.Question) *jen.Statement {
	construct := jen.Qual(bindPath, schema.Title(string(q.Kind)))
	spec := e.spec(q.Spec)
	if q.Exclusive != "" {
		spec = append(spec, jen.Id("Exclusive").Op(":").Lit(string(q.Exclusive)))
	}
	if q.Subjects {
		spec = append(spec, jen.Id("Subjects").Op(":").True())
	}
	given := []jen.Code{jen.Id(e.local("set"))}
	switch {
	case q.Object != nil:
		var fields []jen.Code
		for _, f := range q.Fields {
			fields = append(fields, jen.Values(e.field(f)...))
		}
		spec = append(spec, jen.Id("Fields").Op(":").Index().Qual(questionPath, "Spec").Add(lines(fields...)))
		given = append(given, jen.Qual(questionPath, "Spec").Values(spec...), jen.Qual(decodePath, "Exactly").Call(jen.Id(e.decodes(q.Object, "in"))))
		return construct.Call(given...)
	case len(q.Values) > 0:
		one := q.Answer
		if list, several := one.(*types.Slice); several {
			one = list.Elem()
		}
		construct = construct.Types(e.typ(one))
		spec = append(spec, e.options(q.Values))
	}
	return construct.Call(append(given, jen.Qual(questionPath, "Spec").Values(spec...))...)
}

// field returns the declaration of a form field.
func (e *emitter) field(f model.Spec) []jen.Code {
	parts := append(e.spec(f), jen.Id("Kind").Op(":").Qual(questionPath, "Kind"+schema.Title(string(f.Kind))))
	if len(f.Values) > 0 {
		parts = append(parts, e.options(f.Values))
	}
	if f.Integer {
		parts = append(parts, jen.Id("Integer").Op(":").True())
	}
	if f.Optional {
		parts = append(parts, jen.Id("Optional").Op(":").True())
	}
	return parts
}

// options returns the values of a choice.
func (e *emitter) options(values []schema.Value) *jen.Statement {
	var all []jen.Code
	for _, v := range values {
		e.guarded.constant(v.Const)
		option := []jen.Code{jen.Id("Value").Op(":").String().Parens(e.constant(v.Const, v.Const.Type()))}
		if v.Description != "" {
			option = append(option, jen.Id("Description").Op(":").Add(text(v.Description)))
		}
		all = append(all, jen.Values(option...))
	}
	return jen.Id("Options").Op(":").Index().Qual(questionPath, "Option").Add(lines(all...))
}

// spec returns the declaration of a question or field, without its kind.
func (e *emitter) spec(s model.Spec) []jen.Code {
	var fields []jen.Code
	c := s.Constraints
	set := func(name, value string, code *jen.Statement) {
		if value != "" {
			fields = append(fields, jen.Id(name).Op(":").Add(code))
		}
	}
	set("ID", s.ID, jen.Lit(s.ID))
	set("Description", s.Description, text(s.Description))
	set("Default", c.Default, text(c.Default))
	set("MinLength", c.MinLength, verbatim(c.MinLength))
	set("MaxLength", c.MaxLength, verbatim(c.MaxLength))
	set("Pattern", c.Pattern, text(c.Pattern))
	set("Format", c.Format, jen.Lit(c.Format))
	set("MinItems", c.MinItems, verbatim(c.MinItems))
	set("MaxItems", c.MaxItems, verbatim(c.MaxItems))
	set("Minimum", c.Minimum, jen.New(jen.Float64().Call(verbatim(c.Minimum))))
	set("Maximum", c.Maximum, jen.New(jen.Float64().Call(verbatim(c.Maximum))))
	return fields
}
