package emit

import (
	prose "go/doc/comment"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// elicitor returns the interface that answers the questions of a tool, with one method per question.
func (e *emitter) elicitor(t *model.Tool) *jen.Statement {
	name := model.ElicitorName(t.GoName())
	var methods []jen.Code
	for _, q := range t.Questions.List {
		for _, line := range paragraphs(q.Comment) {
			methods = append(methods, gofile.Comment(line))
		}
		methods = append(methods, jen.Id(q.Field).Params(
			jen.Id("ctx").Qual("context", "Context"),
			jen.Id("r").Qual(sdktypes.Elicit, "Request"),
		).Params(jen.Qual(sdktypes.Elicit, "Response").Types(e.typ(q.Answer)), jen.Error()))
	}
	return gofile.Comment(name + " answers the questions of " + t.Name + " in the same process.").Line().
		Type().Id(name).Interface(methods...)
}

// caller returns the function that calls a tool and passes its questions to an elicitor. The
// function has the parameters of the method.
func (e *emitter) caller(t *model.Tool) *jen.Statement {
	name, by := model.CallerName(t.GoName()), e.local("e")
	params := []jen.Code{
		jen.Id(e.local("ctx")).Qual("context", "Context"),
		jen.Id(e.receiver).Op("*").Id(e.server.Type.Name()),
	}
	none := func() *jen.Statement { return jen.Qual(sdktypes.Handler, "None").Values() }
	arguments, in, opt := jen.Nil(), none(), none()
	if t.Input != nil {
		params = append(params, jen.Id(e.local("in")).Add(e.typ(t.Input.Type)))
		arguments, in = jen.Id(e.local("in")), jen.Id(e.local("in"))
	}
	if t.Options != nil {
		params = append(params, jen.Id(e.local("opt")).Add(e.typ(t.Options.Type)))
		opt = jen.Id(e.local("opt"))
	}
	params = append(params, jen.Id(by).Id(model.ElicitorName(t.GoName())))

	var routes []jen.Code
	for _, q := range t.Questions.List {
		routes = append(routes, jen.Qual(bindPath, "Routed").Call(jen.Lit(q.ID), jen.Id(by).Dot(q.Field)))
	}
	body := []jen.Code{
		jen.Id(e.local("asker")).Op(":=").Qual(bindPath, "Elicitor").Add(hangingArgs(",\n)", arguments, routes...)),
	}
	invoke := jen.Qual(sdktypes.Handler, "Invoke").Types(e.partTypes(t)[3]).Call(jen.Id(e.local("ctx")),
		jen.Id(e.maker(t)).Call(jen.Id(e.receiver)), in, opt, jen.Id(e.local("asker")))
	results := jen.Error()
	if t.Result.Type != nil {
		results = jen.Params(e.typ(t.Result.Type), jen.Error())
		body = append(body, jen.Return(invoke))
	} else {
		body = append(body, jen.List(jen.Id("_"), jen.Err()).Op(":=").Add(invoke), jen.Return(jen.Err()))
	}
	doc := name + " runs " + t.Name + " without a server. " + by + " answers its questions. The error is a *fault.Error."
	return gofile.Comment(paragraphs(doc)...).Line().Func().Id(name).Params(params...).Add(results).Block(body...)
}

// maker returns the name of the function that returns a tool that asks. NewServer and the function that calls the tool
// in the same process call it.
func (e *emitter) maker(t *model.Tool) string {
	return e.function(function{prefix: "make", tool: t}, t.GoName(), func(name string) *jen.Statement {
		doc := name + " returns the " + string(t.Kind) + " " + t.Name + "."
		params := jen.Id(e.receiver).Op("*").Id(e.server.Type.Name())
		return gofile.Comment(doc).Line().Func().Id(name).Params(params).Op("*").Qual(sdktypes.Handler, "Tool").
			Block(jen.Return(e.whole(t)))
	})
}

// paragraphs breaks text into the lines of a comment.
func paragraphs(text string) []string {
	var parser prose.Parser
	printer := prose.Printer{TextWidth: 76}
	return strings.Split(strings.TrimSpace(string(printer.Text(parser.Parse(text)))), "\n")
}
