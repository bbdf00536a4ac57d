package clientgen

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/gotypes"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// resource adds the method that reads a resource, and those that list and complete the resources of a template.
func (g *generator) resource(r manifest.Resource) error {
	name := g.types.Names.Fresh(gotypes.GoName(r.Name))
	in, err := g.value(name+"Vars", "holds the variables of the URIs of "+name+".", r.Variables())
	if err != nil {
		return err
	}
	uri := r.URI + r.URITemplate
	out, zero := contentOf(r.MIMEType)
	read := []jen.Code{jen.Var().Id("out").Add(out)}
	params := []jen.Code{context()}
	address := jen.Lit(r.URI)
	if r.URITemplate != "" {
		var vars jen.Code = jen.Nil()
		if in != nil {
			params = append(params, jen.Id("in").Add(in))
			vars = jen.Id("in")
		}
		read = []jen.Code{
			jen.List(jen.Id("uri"), jen.Err()).Op(":=").Qual(sdktypes.Client, "URI").Call(jen.Lit(uri), vars),
			jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(zero, jen.Err())),
			jen.Var().Id("out").Add(out),
			jen.Err().Op("=").Id("c").Dot("Read").Call(jen.Id("ctx"), jen.Id("uri"), jen.Op("&").Id("out")),
		}
	} else {
		read = append(read, jen.Err().Op(":=").Id("c").Dot("Read").Call(jen.Id("ctx"), address, jen.Op("&").Id("out")))
	}
	g.method(name, described("reads "+uri, r.Description), params, out, append(read, jen.Return(jen.Id("out"), jen.Err()))...)
	if r.Lists {
		page := jen.Qual(sdktypes.Tool, "Page").Types(jen.Qual(sdktypes.Content, "Link"))
		g.method(g.types.Names.Fresh(name+"List"),
			"returns a page of the resources of "+name+". The first page has the cursor \"\", and a page may be empty.",
			[]jen.Code{context(), jen.Id("cursor").Qual(sdktypes.Tool, "Cursor")}, page,
			jen.Return(jen.Id("c").Dot("Resources").Call(jen.Id("ctx"), jen.Lit(uri), jen.Id("cursor"))))
	}
	g.completions(name, "CompleteResource", uri, r.Completes)
	return nil
}

// prompt adds the method that gets a prompt, and those that complete its arguments.
func (g *generator) prompt(p manifest.Prompt) error {
	name := g.types.Names.Fresh(gotypes.GoName(p.Name))
	in, err := g.value(name+"Arguments", "holds the arguments of "+name+".", p.AsTool().Input)
	if err != nil {
		return err
	}
	params, arguments := []jen.Code{context()}, jen.Nil()
	if in != nil {
		params, arguments = append(params, jen.Id("in").Add(in)), jen.Id("in")
	}
	g.method(name, described("gets the prompt "+p.Name, p.Description), params, jen.Qual(sdktypes.Content, "Messages"),
		jen.Return(jen.Id("c").Dot("Prompt").Call(jen.Id("ctx"), jen.Lit(p.Name), arguments)))
	g.completions(name, "CompletePrompt", p.Name, p.Completes)
	return nil
}

// value returns the type of an object of variables or arguments, or nil if it has no properties.
func (g *generator) value(name, doc string, schema manifest.Schema) (*jen.Statement, error) {
	if schema == nil {
		return nil, nil
	}
	g.types.Unset = !g.server.Listed
	defer func() { g.types.Unset = false }()
	return g.types.Value(name, doc, schema)
}

// completions adds a method for each variable or argument that the server completes.
func (g *generator) completions(name, how, owner string, completed []string) {
	for _, argument := range completed {
		params := []jen.Code{context(), jen.Id("value").String(), jen.Id("given").Map(jen.String()).String()}
		g.method(g.types.Names.Fresh("Complete"+name+gotypes.GoName(argument)),
			"returns values of "+argument+" that begin with value. The map has the other values.", params, jen.Qual(sdktypes.Tool, "Completions"),
			jen.Return(jen.Id("c").Dot(how).Call(
				jen.Id("ctx"), jen.Lit(owner), jen.Lit(argument), jen.Id("value"), jen.Id("given"))))
	}
}

// method adds a method of the client. doc follows its name.
func (g *generator) method(name, doc string, params []jen.Code, out jen.Code, body ...jen.Code) {
	g.types.Flush(g.file)
	g.file.Add(gofile.Comment(gotypes.Wrapped(name + " " + doc)...))
	g.file.Func().Params(jen.Id("c").Op("*").Id("Client")).Id(name).Params(params...).Params(out, jen.Error()).Block(body...)
	g.file.Line()
}

// described returns a sentence with a description, if there is one.
func described(what, description string) string {
	if description == "" {
		return what + "."
	}
	return what + ": " + description
}

func context() jen.Code { return jen.Id("ctx").Qual("context", "Context") }

// contentOf returns the type of the content of a resource, and its zero value. Only the MIME type tells what it is.
func contentOf(mime string) (out, zero *jen.Statement) {
	base, _, _ := strings.Cut(mime, ";")
	switch {
	case base == "application/json" || strings.HasSuffix(base, "+json"):
		return jen.Qual("encoding/json", "RawMessage"), jen.Nil()
	case strings.HasPrefix(base, "text/"):
		return jen.String(), jen.Lit("")
	}
	return jen.Index().Qual(sdktypes.Content, "Resource"), jen.Nil()
}
