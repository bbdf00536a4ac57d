package emit

import (
	prose "go/doc/comment"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
)

// elicitors returns for each tool with questions an interface that answers them
// and a function that calls the tool with it.
func (e *emitter) elicitors() []*jen.Statement {
	var all []*jen.Statement
	for _, t := range e.server.Tools {
		if t.Questions != nil {
			all = append(all, e.elicitor(t), e.caller(t))
		}
	}
	return all
}

// elicitor returns the interface, with a method for each question.
func (e *emitter) elicitor(t *model.Tool) *jen.Statement {
	name := model.ElicitorName(t.Method.Name())
	var methods []jen.Code
	for _, q := range t.Questions.List {
		for _, line := range paragraphs(q.Description) {
			methods = append(methods, comment(line))
		}
		methods = append(methods, jen.Id(q.Field).Params(
			jen.Id("ctx").Qual("context", "Context"),
			jen.Id("r").Qual(elicitPath, "Request"),
		).Params(jen.Qual(elicitPath, "Response").Types(e.typ(q.Answer)), jen.Error()))
	}
	return comment(name + " answers what " + t.Name + " asks, in the same process.").Line().
		Type().Id(name).Interface(methods...)
}

// caller returns the function, which takes what the method takes.
func (e *emitter) caller(t *model.Tool) *jen.Statement {
	name, by := model.CallerName(t.Method.Name()), e.local("e")
	params := []jen.Code{
		jen.Id(e.local("ctx")).Qual("context", "Context"),
		jen.Id(e.receiver).Op("*").Id(e.server.Type.Name()),
	}
	arguments := jen.Nil()
	if t.Input != nil {
		params = append(params, jen.Id(e.local("in")).Add(e.typ(t.Input.Type)))
		arguments = jen.Id(e.local("in"))
	}
	if t.Options != nil {
		params = append(params, jen.Id(e.local("opt")).Add(e.typ(t.Options.Type)))
	}
	params = append(params, jen.Id(by).Id(model.ElicitorName(t.Method.Name())))

	var routes []jen.Code
	for _, q := range t.Questions.List {
		routes = append(routes, jen.Qual(bindPath, "Routed").Call(jen.Lit(q.ID), jen.Id(by).Dot(q.Field)))
	}
	body := []jen.Code{
		jen.Id(e.local("asker")).Op(":=").Qual(bindPath, "Elicitor").Add(hanging(",\n)", arguments, routes...)),
	}
	fails := jen.Nil()
	if len(t.Fails) > 0 {
		fails = e.codes(t.Fails)
	}
	invoke := jen.Qual(toolPath, "Invoke").Add(hanging(")", jen.List(
		jen.Id(e.local("ctx")), jen.Lit(t.Name), jen.Id(e.binds(t.Questions)), fails, jen.Id(e.local("asker"))), e.invoked(t)))
	results := jen.Error()
	if t.Result.Type != nil {
		results = jen.Params(e.typ(t.Result.Type), jen.Error())
		body = append(body, jen.Return(invoke))
	} else {
		body = append(body, jen.List(jen.Id("_"), jen.Err()).Op(":=").Add(invoke), jen.Return(jen.Err()))
	}
	doc := name + " runs " + t.Name + " without a server: " + by + " answers its questions. Its error is a *fault.Error."
	return comment(paragraphs(doc)...).Line().Func().Id(name).Params(params...).Add(results).Block(body...)
}

// invoked returns the function that calls the method.
func (e *emitter) invoked(t *model.Tool) *jen.Statement {
	call, result := "_", jen.Qual(toolPath, "None")
	if t.Takes(model.Call) {
		call = e.local("call")
	}
	var given []jen.Code
	for _, role := range t.Params {
		given = append(given, jen.Id(e.local(roleNames()[role])))
	}
	run := jen.Id(e.receiver).Dot(t.Method.Name()).Call(given...)
	if t.Result.Type != nil {
		result = e.typ(t.Result.Type)
	} else {
		run = jen.Qual(toolPath, "None").Values().Op(",").Add(run)
	}
	return jen.Func().Params(
		jen.Id(e.local("ctx")).Qual("context", "Context"),
		jen.Id(call).Op("*").Qual(toolPath, "Call"),
		jen.Id(e.local("ask")).Add(e.typ(t.Questions.Type)),
	).Params(result, jen.Error()).Block(jen.Return(run))
}

// paragraphs returns text as the lines of a comment.
func paragraphs(text string) []string {
	var parser prose.Parser
	printer := prose.Printer{TextWidth: 76}
	return strings.Split(strings.TrimSpace(string(printer.Text(parser.Parse(text)))), "\n")
}
