package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
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
	spec := e.spec(q)
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

func (e *emitter) spec(q *model.Question) *jen.Statement {
	var fields []jen.Code
	set := func(name, value string, code *jen.Statement) {
		if value != "" {
			fields = append(fields, jen.Id(name).Op(":").Add(code))
		}
	}
	c := q.Constraints
	set("ID", q.ID, jen.Lit(q.ID))
	set("Description", q.Description, text(q.Description))
	set("Default", c.Default, text(c.Default))
	set("MinLength", c.MinLength, exactly(c.MinLength))
	set("MaxLength", c.MaxLength, exactly(c.MaxLength))
	set("Pattern", c.Pattern, text(c.Pattern))
	set("Minimum", c.Minimum, jen.New(jen.Float64().Call(exactly(c.Minimum))))
	set("Maximum", c.Maximum, jen.New(jen.Float64().Call(exactly(c.Maximum))))
	return jen.Qual(elicitPath, "Spec").Values(fields...)
}
