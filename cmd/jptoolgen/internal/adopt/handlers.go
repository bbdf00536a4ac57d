package adopt

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/gotypes"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/registered"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// adapters is the source of the functions through which methods call the handlers of the adopted package.
//
//go:embed adapters.txt
var adapters string

// A field describes a field of the server type. The field holds a value whose method is an original handler,
// that is, a handler that the adopted package registers.
type field struct {
	name string
	typ  types.Type
}

// A body holds the result type and the statements of a method that calls an original handler.
type body struct {
	out        *jen.Statement
	statements []jen.Code
	receiver   bool // the statements use the receiver
}

// body returns the body of a method that calls the original handler of a tool. It returns nil and adds a note if
// the handler cannot be called.
func (s *source) body(t manifest.Tool, in, out *jen.Statement) *body {
	if s.from == nil {
		return nil
	}
	h, ok := s.from.Handlers[t.Name]
	if !ok {
		return nil
	}
	if h.Recv != nil && s.goType(h.Recv) == nil {
		h.Reason = "it is a method of a type that this package cannot refer to"
	}
	if h.Reason != "" {
		s.note("%s: the handler is not called, because %s", s.from.Place(h.Pos), h.Reason)
		return nil
	}
	if h.Session.IsValid() {
		s.note("%s: the handler uses its request's session, which is not available to tool methods; declare questions to ask the user, and report progress with Call.Progress", s.from.Place(h.Session))
	}
	b := &body{out: out}
	function := s.function(h, b)
	kind := "adoptedRaw"
	switch {
	case h.SDK == registered.MCPGo:
		kind = "adoptedMCPGo"
	case h.Typed:
		kind = "adoptedTyped"
	}
	if h.Wrap != nil {
		function = s.qual(h.Wrap.Pkg(), h.Wrap.Name()).Call(function)
	}
	var adapter *jen.Statement
	switch {
	case len(t.Output) == 0:
		b.out = jen.Qual(sdktypes.Content, "Blocks")
		adapter = s.adapter("adoptedBlocks")
	case h.Plain:
		adapter = s.adapter("adoptedResult").Types(out)
	default:
		b.out = jen.Qual(sdktypes.Content, "With").Types(out)
		adapter = s.adapter("adoptedWith").Types(out)
	}
	arguments := jen.Id("in")
	if in == nil {
		arguments = jen.Struct().Values()
	}
	b.statements = []jen.Code{jen.Return(adapter.Call(s.adapter(kind).Call(function).Call(jen.Id("ctx"), jen.Lit(t.Name), arguments)))}
	return b
}

// function returns the expression for an original handler.
func (s *source) function(h registered.Handler, b *body) *jen.Statement {
	switch {
	case h.Literal != nil:
		return s.copyLiteral(h.Literal)
	case h.Recv == nil:
		return s.qual(h.Func.Pkg(), h.Func.Name())
	}
	b.receiver = true
	for _, f := range s.fields {
		if types.Identical(f.typ, h.Recv) {
			return jen.Id("s").Dot(f.name).Dot(h.Func.Name())
		}
	}
	name := "Former"
	if named := sdktypes.Named(sdktypes.Deref(h.Recv)); named != nil {
		name = gotypes.GoName(named.Obj().Name())
	}
	for _, f := range s.fields {
		if f.name == name {
			name += "2"
		}
	}
	s.fields = append(s.fields, field{name, h.Recv})
	return jen.Id("s").Dot(name).Dot(h.Func.Name())
}

// qual returns the qualified name of an identifier in a package.
func (s *source) qual(pkg *types.Package, name string) *jen.Statement {
	s.file.ImportName(pkg.Path(), pkg.Name())
	return jen.Qual(pkg.Path(), name)
}

// goType returns the expression for the type of a field, or nil if the package cannot refer to it.
func (s *source) goType(t types.Type) *jen.Statement {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		if inner := s.goType(t.Elem()); inner != nil {
			return jen.Op("*").Add(inner)
		}
	case *types.Named:
		object := t.Obj()
		if object.Pkg() != nil && object.Parent() == object.Pkg().Scope() && t.TypeArgs().Len() == 0 {
			return s.qual(object.Pkg(), object.Name())
		}
	}
	return nil
}

// adapter returns the name of an adapter and marks it as used.
func (s *source) adapter(name string) *jen.Statement {
	s.used[name] = true
	return jen.Id(name)
}

// qualified matches names from other packages in the source of the adapters.
var qualified = lazyregexp.New(`\b(context|json|content|fault|mcp|mcpgo)\.([A-Z]\w*)`)

// newFile returns an empty file for the package.
func (s *source) newFile() *jen.File {
	file := jen.NewFile("main")
	if s.from != nil {
		file = jen.NewFilePathName(s.from.Package.Types.Path(), s.from.Package.Types.Name())
	}
	for _, path := range []string{sdktypes.Fault, sdktypes.Content, sdktypes.Tool, registered.GoSDK, registered.MCPGo} {
		file.ImportName(path, path[strings.LastIndexByte(path, '/')+1:])
	}
	return file
}

// serve returns the expression that creates the server.
func (s *source) serve() string {
	var fields []string
	for _, f := range s.fields {
		fields = append(fields, f.name+": ...")
	}
	server := fmt.Sprintf("NewServer(&%s{%s})", s.typ, strings.Join(fields, ", "))
	if s.from.Package.Types.Name() == "main" {
		return "sdk.Main(" + server + ")"
	}
	return server
}

// serverType returns the file that declares the server's type. The file belongs to the package with the original
// handlers.
func (s *source) serverType(doc, directives []string) ([]byte, error) {
	s.file = s.newFile()
	s.file.Comment("//go:generate go tool jptoolgen")
	s.file.Line()
	s.file.Add(gofile.Comment(doc...))
	for _, line := range directives {
		s.file.Comment(line)
	}
	var fields []jen.Code
	for _, f := range s.fields {
		fields = append(fields, jen.Id(f.name).Add(s.goType(f.typ)))
	}
	s.file.Type().Id(s.typ).Struct(fields...)
	return gofile.Text(s.file)
}

// adapterFile returns the file with the adapters that methods use, and the adapters that they call.
func (s *source) adapterFile() ([]byte, error) {
	paths := map[string]string{"context": "context", "json": "encoding/json", "content": sdktypes.Content, "fault": sdktypes.Fault, "mcp": registered.GoSDK, "mcpgo": registered.MCPGo}
	parts := strings.Split(adapters, "\n---\n")
	text := ""
	for i := len(parts) - 1; i >= 0; i-- { // an adapter uses only adapters declared before it
		name, code, _ := strings.Cut(strings.TrimSpace(parts[i]), "\n")
		if s.used[name] || strings.Contains(text, name) {
			text = code + "\n\n" + text
		}
	}
	file, code := s.newFile(), jen.Null()
	for text != "" {
		at := qualified().FindStringSubmatchIndex(text)
		if at == nil {
			code.Op(text)
			break
		}
		code.Op(text[:at[0]]).Qual(paths[text[at[2]:at[3]]], text[at[4]:at[5]])
		text = text[at[1]:]
	}
	file.Add(code)
	return gofile.Text(file)
}

// copyLiteral returns a copy of a function literal in the source.
func (s *source) copyLiteral(literal *ast.FuncLit) *jen.Statement {
	pkg := s.from.Package
	start := pkg.Fset.PositionFor(literal.Pos(), false)
	data, err := os.ReadFile(start.Filename)
	end := start.Offset + int(literal.End()-literal.Pos())
	if err != nil || end > len(data) {
		return jen.Nil() // the file changed since it was read; the Go compiler reports the nil
	}
	code, from := jen.Null(), start.Offset
	for n := range ast.Preorder(literal) {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		name, _ := selector.X.(*ast.Ident)
		if imported, ok := pkg.Info.Uses[name].(*types.PkgName); ok {
			at := pkg.Fset.PositionFor(selector.Pos(), false).Offset
			code.Op(string(data[from:at])).Add(s.qual(imported.Imported(), selector.Sel.Name))
			from = pkg.Fset.PositionFor(selector.End(), false).Offset
		}
	}
	return code.Op(string(data[from:end]))
}
