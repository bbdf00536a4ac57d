package emit

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// offers returns what the server offers, as words.
func (e *emitter) offers() string {
	var words []string
	for _, kind := range model.Kinds {
		if slices.ContainsFunc(e.server.Tools, func(t *model.Tool) bool { return t.Kind == kind }) {
			words = append(words, string(kind)+"s")
		}
	}
	if last := len(words) - 1; last > 0 {
		return strings.Join(words[:last], ", ") + " and " + words[last]
	}
	return strings.Join(words, "")
}

// whole returns the expression that constructs a tool, a resource or a prompt, with its other methods.
func (e *emitter) whole(t *model.Tool) *jen.Statement {
	made := e.construct(t)
	for _, p := range t.Parts {
		switch p.Part {
		case model.List:
			made = made.Dot("Listed").Call(e.construct(p))
		case model.Complete:
			made = made.Dot("Completed").Call(jen.Lit(p.Argument), e.construct(p))
		case model.Watch:
			made = made.Dot("Watched").Call(e.watcher(p))
		}
	}
	return made
}

// watcher returns the expression that constructs what reports changes.
func (e *emitter) watcher(p *model.Tool) *jen.Statement {
	name := "Watch"
	changes := jen.Qual("iter", "Seq").Types(e.typ(p.Request))
	if p.Channel {
		name, changes = "WatchChannel", jen.Op("<-").Chan().Add(e.typ(p.Request))
	}
	run := jen.Id(e.receiver)
	if p.Path != "" {
		run.Dot(p.Path)
	}
	run.Dot(p.Method.Name()).Call(jen.Id("ctx"))
	if !p.Fallible {
		run = jen.List(run, jen.Nil())
	}
	return jen.Qual(sdktypes.Handler, name).Call(e.variables(p.For), jen.Func().Params(jen.Id("ctx").Qual("context", "Context")).
		Params(changes, jen.Error()).Block(jen.Return(run)))
}

// variables returns the function that encodes the variables of a resource.
func (e *emitter) variables(t *model.Tool) *jen.Statement {
	if t.Variables == nil {
		return jen.Func().Params(jen.Op("*").Qual(encodePath, "Object"), jen.Op("*").Struct()).Block()
	}
	return jen.Id(e.encoderName(t.Variables))
}

// offered returns the expression that renders a result that tools do not have, or nil.
func (e *emitter) offered(t *model.Tool) *jen.Statement {
	by := func(name string) *jen.Statement { return jen.Qual(sdktypes.Handler, name) }
	value := t.Result.Value
	switch t.Result.Form {
	case model.Bytes:
		return by("Bytes").Types(e.typ(value))
	case model.Content:
		return by("Content")
	case model.Contents:
		return by("Contents")
	case model.Messages:
		return by("Messages")
	case model.Values:
		return by("Values").Types(e.typ(value))
	case model.Completions:
		return by("Completions")
	case model.Listing:
		return by("Listing").Call(e.variables(t.For))
	case model.Directory:
		files := jen.Id(e.local("v"))
		switch {
		case sdktypes.Is(value, "io/fs", "FS"):
			return by("Directory")
		case sdktypes.Is(sdktypes.Deref(value), sdktypes.Access, "FS"):
			files = files.Dot("FS").Call()
		}
		return jen.Func().Params(jen.Id(e.local("v")).Add(e.typ(value))).Params(by("Result"), jen.Error()).
			Block(jen.Return(by("Directory").Call(files)))
	}
	return nil
}

// methodGuards returns the guards of the methods of a tool, a resource or a prompt.
func (e *emitter) methodGuards(t *model.Tool) []*jen.Statement {
	all := []*jen.Statement{e.methodGuard(t)}
	seen := []*types.Func{t.Method}
	for _, p := range t.Parts {
		if !slices.Contains(seen, p.Method) {
			seen = append(seen, p.Method)
			all = append(all, e.methodGuard(p))
		}
	}
	return all
}

// uri returns the function that returns the URI of a resource.
func (e *emitter) uri(t *model.Tool) *jen.Statement {
	name := model.URIName(t.GoName())
	f := gofile.Comment(name + " returns the URI of resource " + t.Name + ".").Line().Func().Id(name)
	if t.Template == nil || t.Variables == nil {
		return f.Params().String().Block(jen.Return(text(t.URI)))
	}
	members := map[string]schema.Member{}
	for _, m := range t.Variables.Members {
		if m.Field != nil {
			members[m.Field.Name] = m
		}
	}
	var params, values, sets []jen.Code
	in, simple := e.local("in"), true
	used := e.usedBy(t)
	used[in] = true
	for _, variable := range t.Template.Variables() {
		m := members[variable]
		param := e.parameter(variable, used)
		params = append(params, jen.Id(param).Add(e.typ(m.Field.Var.Type())))
		values = append(values, jen.Id(m.Path).Op(":").Id(param))
		field, _ := e.access(m, in)
		sets = append(sets, field.Op("=").Id(param))
		simple = simple && m.Path != "" && !strings.Contains(m.Path, ".")
	}
	typ := e.typ(t.Variables.Type)
	uri := func(v jen.Code) *jen.Statement {
		return jen.Return(jen.Qual(sdktypes.Handler, "URI").Call(text(t.URI), e.variables(t), v))
	}
	if simple {
		return f.Params(params...).String().Block(uri(typ.Values(values...)))
	}
	body := append([]jen.Code{jen.Id(in).Op(":=").New(typ)}, sets...)
	return f.Params(params...).String().Block(append(body, uri(jen.Op("*").Id(in)))...)
}

// usedBy returns the names that the function for the URI of a resource refers to. They depend only on the source of the
// server, so that the names of its parameters do too.
func (e *emitter) usedBy(t *model.Tool) map[string]bool {
	used := maps.Clone(e.server.Taken)
	used["handler"], used["jphandler"], used["decode"], used[e.encoderName(t.Variables)] = true, true, true, true
	packages := func(p *types.Package) string {
		used[p.Name()], used["jp"+p.Name()] = true, true
		return ""
	}
	types.TypeString(t.Variables.Type, packages)
	for _, f := range t.Variables.Fields() {
		types.TypeString(f.Var.Type(), packages)
	}
	return used
}

// parameter returns the name of a parameter for a variable of a URI, which hides nothing that the function uses.
func (e *emitter) parameter(variable string, used map[string]bool) string {
	name := ""
	for i, word := range strings.FieldsFunc(variable, func(r rune) bool { return r == '_' || r == '.' || r == '-' || r == '%' }) {
		if i > 0 {
			word = schema.Title(word)
		}
		name += word
	}
	if token.IsKeyword(name) || types.Universe.Lookup(name) != nil || used[name] {
		name += "_"
	}
	if !token.IsIdentifier(name) || name == "_" {
		name = "v"
	}
	wanted := name
	for n := 2; used[name]; n++ {
		name = wanted + strconv.Itoa(n)
	}
	used[name] = true
	return name
}
