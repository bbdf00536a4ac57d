package emit

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// packages returns declarations that use every package of the runtime. Because all files then have the same
// imports, branches that add tools can be merged.
func (e *emitter) packages() *jen.Statement {
	return gofile.Comment("These declarations use all packages that the code of a tool may need.").Line().Var().Defs(
		jen.Id("_").Op("=").Qual(bindPath, "Confirm"),
		jen.Id("_").Qual(decodePath, "Object"),
		jen.Id("_").Qual(sdktypes.Elicit, "Confirm"),
		jen.Id("_").Qual(encodePath, "Object"),
		jen.Id("_").Qual(sdktypes.Fault, "Code"),
		jen.Id("_").Qual(questionPath, "Spec"),
		jen.Id("_").Qual("time", "Duration"),
	)
}

// tools returns NewServer and the code of each tool. The code includes the types that no earlier tool uses.
func (e *emitter) tools() (constructor *jen.Statement, sections []*jen.Statement) {
	var tools []jen.Code
	byName := slices.SortedFunc(slices.Values(e.server.Tools), func(x, y *model.Tool) int { return strings.Compare(x.Name, y.Name) })
	for _, t := range byName {
		tools = append(tools, e.tool(t))
		sections = append(sections, gofile.Comment(schema.Title(string(t.Kind))+" "+t.Name+":"))
		if t.HasURI() {
			sections = append(sections, e.uri(t))
		}
		if t.InProcess(e.server) {
			sections = append(sections, e.elicitor(t), e.caller(t))
		}
		codecs := e.codecs() // codecs also determines the types to guard
		sections = append(sections, e.methodGuards(t)...)
		sections = append(sections, e.guards()...)
		sections = append(sections, codecs...)
	}
	return e.constructor(tools), sections
}

func (e *emitter) constructor(tools []jen.Code) *jen.Statement {
	s := e.server
	return gofile.Comment(fmt.Sprintf(model.Constructor+" returns the server %q, with the methods of %s as its %s.", s.Name, e.receiver, e.offers())).Line().
		Func().Id(model.Constructor).Params(jen.Id(e.receiver).Op("*").Id(s.Type.Name())).Op("*").Qual(sdktypes.SDK, "Server").Block(
		jen.Return(e.withSkills(jen.Qual(sdktypes.SDK, "NewServer").Add(hangingArgs(",\n)", jen.Op("&").Id(e.contract), tools...)))),
	)
}

// tool returns the expression for a tool in NewServer.
func (e *emitter) tool(t *model.Tool) *jen.Statement {
	if t.InProcess(e.server) {
		return jen.Id(e.maker(t)).Call(jen.Id(e.receiver))
	}
	return e.whole(t)
}

// construct returns the expression that constructs a tool.
func (e *emitter) construct(t *model.Tool) *jen.Statement {
	return jen.Qual(sdktypes.Handler, "New").Add(hangingArgs(")", jen.Lit(t.Name), e.codec(t), e.handler(t)))
}

// partTypes returns the types of the arguments, questions, options and result of a tool.
func (e *emitter) partTypes(t *model.Tool) [4]*jen.Statement {
	none := func() *jen.Statement { return jen.Qual(sdktypes.Handler, "None") }
	parts := [4]*jen.Statement{none(), none(), none(), none()}
	if t.Request != nil {
		parts[0] = e.typ(t.Request)
	} else if t.Input != nil {
		parts[0] = e.typ(t.Input.Type)
	}
	if t.Questions != nil {
		parts[1] = e.typ(t.Questions.Type)
	}
	if t.Options != nil {
		parts[2] = e.typ(t.Options.Type)
	}
	if t.Result.Type != nil {
		parts[3] = e.typ(t.Result.Type)
	}
	return parts
}

func (e *emitter) codec(t *model.Tool) *jen.Statement {
	var fields []jen.Code
	set := func(name string, value *jen.Statement) { fields = append(fields, jen.Id(name).Op(":").Add(value)) }
	whole := t.Whole() // its codes and its time limit apply to all of its methods
	if t.Kind != model.Callable {
		set("Kind", jen.Qual(sdktypes.Handler, schema.Title(string(t.Kind))))
	}
	if t.Input != nil || t.Exact != nil || t.Closed {
		set("Input", e.arguments(t))
	}
	if t.Questions != nil {
		set("Questions", jen.Id(e.binds(t.Questions)))
	}
	if t.Options != nil {
		set("Options", jen.Id(e.decodes(t.Options, "opt")))
	}
	set("Result", e.result(t))
	if len(whole.Fails) > 0 {
		set("Fails", e.fails(whole.Fails))
	}
	if t.ExactResult != nil {
		set("Output", e.exactConstant(t.ExactResult, t, "ResultSchema"))
	}
	if t.Result.Chosen {
		set("List", jen.Lit(t.Result.List))
	}
	if whole.Timeout > 0 {
		set("Timeout", duration(whole.Timeout))
	}
	parts := e.partTypes(t)
	return jen.Qual(sdktypes.Handler, "Codec").Types(parts[0], parts[1], parts[2], parts[3]).Add(lines(fields...))
}

// arguments returns the function that decodes the arguments of a tool.
func (e *emitter) arguments(t *model.Tool) *jen.Statement {
	fields := jen.Func().Params(jen.Op("*").Qual(decodePath, "Object"), jen.Op("*").Qual(sdktypes.Handler, "None")).Block()
	if t.Input != nil {
		fields = jen.Id(e.decodes(t.Input, "in"))
	}
	switch {
	case t.Part == model.Complete:
		return jen.Qual(sdktypes.Handler, "Completing").Call(fields)
	case t.Closed:
		return jen.Qual(decodePath, "Closed").Call(fields)
	case t.Exact == nil:
		return fields
	}
	return jen.Qual(decodePath, "Exact").Call(e.exactConstant(t.Exact, t, "Schema"), fields)
}

// exactConstant returns the constant that holds a schema to publish unchanged.
func (e *emitter) exactConstant(schema manifest.Schema, t *model.Tool, suffix string) *jen.Statement {
	name := e.schemas[string(schema)]
	if name == "" {
		name = e.name(strings.ToLower(t.Method.Name()[:1]) + t.Method.Name()[1:] + suffix)
		e.schemas[string(schema)] = name
		e.queue = append(e.queue, func() *jen.Statement {
			return gofile.Comment(name + " is published unchanged.").Line().Const().Id(name).Op("=").Add(text(string(schema)))
		})
	}
	return jen.Id(name)
}

// fails returns a list of error codes.
func (e *emitter) fails(names []string) *jen.Statement {
	var all []jen.Code
	for _, name := range names {
		all = append(all, jen.Lit(name))
	}
	return jen.Index().Qual(sdktypes.Fault, "Code").Values(all...)
}

// duration returns d as a person would write it.
func duration(d time.Duration) *jen.Statement {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"}} {
		if d%u.unit == 0 {
			return jen.Lit(int(d/u.unit)).Op("*").Qual("time", u.name)
		}
	}
	return jen.Lit(int(d)).Op("*").Qual("time", "Nanosecond")
}

// result returns the expression that renders the method's result.
func (e *emitter) result(t *model.Tool) *jen.Statement {
	r := t.Result
	render := e.offered(t)
	if render == nil {
		render = e.value(r, e.server.Envelope && t.Kind == model.Callable)
	}
	if r.Table != "" {
		render = jen.Qual(sdktypes.Handler, "Table").Call(jen.Lit(r.Table), jen.Lit(r.List), render)
	}
	if r.Type != nil && !types.Identical(r.Type, r.Value) {
		render = jen.Qual(sdktypes.Handler, "With").Call(render)
	}
	return render
}

// value returns the expression that renders the value of a result.
func (e *emitter) value(r model.Result, envelope bool) *jen.Statement {
	by := func(name string) *jen.Statement { return jen.Qual(sdktypes.Handler, name) }
	switch r.Form {
	case model.Text:
		if envelope {
			return by("WrappedText").Types(e.typ(r.Value))
		}
		return by("Text").Types(e.typ(r.Value))
	case model.Blocks:
		return by("Blocks")
	case model.Structured:
		return by("Structured").Call(jen.Id(e.encoderName(r.Shape.Object)))
	case model.Pointer:
		return by("Pointer").Call(jen.Id(e.encoderName(r.Shape.Object)))
	case model.Object:
		return by("Object").Call(e.coder(encodePath, r.Shape))
	case model.Wrapped:
		wrapped := by("Wrapped")
		if r.Shape.Kind != schema.List && r.Shape.Kind != schema.Array {
			wrapped.Types(e.typ(r.Value)) // Go cannot infer the type from a generic encoder
		}
		return wrapped.Call(e.coder(encodePath, r.Shape))
	}
	return by("Done")
}

// handler returns the function that calls the method.
func (e *emitter) handler(t *model.Tool) *jen.Statement {
	parts := e.partTypes(t)
	call := "_"
	if t.Takes(model.Call) {
		call = "call"
	}
	params := []jen.Code{
		jen.Id("ctx").Qual("context", "Context"),
		jen.Id(call).Op("*").Qual(sdktypes.Tool, "Call"),
	}
	names := [3]string{"_", "_", "_"}
	for i, role := range []model.Role{model.Input, model.Asking, model.Options} {
		if t.Takes(role) {
			names[i] = role.Variable()
		}
	}
	for i, name := range names {
		if name == "_" && i < 2 && names[i+1] == "_" {
			params = append(params, jen.Id(name)) // the next parameter states its type
			continue
		}
		params = append(params, jen.Id(name).Add(parts[i]))
	}
	var given []jen.Code
	for _, role := range t.Params {
		given = append(given, jen.Id(role.Variable()))
	}
	run := jen.Id(e.receiver)
	if t.Path != "" {
		run.Dot(t.Path)
	}
	run = run.Dot(t.Method.Name()).Call(given...)
	if t.Result.Type == nil {
		run = jen.Qual(sdktypes.Handler, "None").Values().Op(",").Add(run)
	}
	return jen.Func().Params(params...).Params(parts[3], jen.Error()).Block(jen.Return(run))
}
