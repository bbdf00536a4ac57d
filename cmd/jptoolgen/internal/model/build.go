package model

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// builder builds the server of one package.
type builder struct {
	pkg       *Package
	list      *diag.List
	docs      *docs
	in, out   *schema.Analyzer
	exact     *schema.Analyzer // analyzes arguments with an exact schema
	foreign   *schema.Foreign
	questions typeutil.Map // keyed by type; the values are *Questions
	bodies    map[*types.Func]*ast.BlockStmt
	reads     map[*types.Var][]inspector.Cursor // the expressions that read a question, keyed by its field or variable
	// rest is the result of [builder.others].
	rest     *types.Package
	restFset *token.FileSet
	// conventionsAt is the position of the conventions argument.
	conventionsAt token.Pos
}

// Build returns the server of a package, or nil if the package has no server. It adds findings to list. If there
// are findings, the server can only be used to look for more of them.
func Build(pkg *Package, list *diag.List) *Server {
	CheckImports(pkg.Types.Path(), pkg.Files, list)
	b := &builder{pkg: pkg, list: list}
	b.docs = newDocs(pkg, list)
	b.foreign = schema.NewForeign()
	b.in = schema.NewAnalyzer(pkg.Types, b.docs, list, b.foreign, schema.In)
	b.out = schema.NewAnalyzer(pkg.Types, b.docs, list, b.foreign, schema.Out)
	b.exact = schema.NewAnalyzer(pkg.Types, b.docs, list, b.foreign, schema.In)
	b.exact.Exact = true

	var server *Server
	var others []*types.TypeName
	for _, t := range schema.DeclarationsOf[*types.TypeName](list, pkg.Types) {
		if !b.handwritten(t) {
			continue
		}
		b.checkSchema(t)
		line, ok := b.docs.directive(t, "server")
		switch {
		case !ok:
			b.checkEnums(t)
			others = append(others, t)
		case server != nil:
			list.Add(line.Pos, diag.DuplicateName, "a package can have only one server: %s conflicts with %s, at %s",
				t.Name(), server.Type.Name(), list.Place(server.Pos)).Suggest("move it to a separate package")
		default:
			server = b.server(t, line)
		}
	}
	for _, t := range others {
		if server == nil || !slices.ContainsFunc(server.Tools, func(tool *Tool) bool { return tool.Of == t }) {
			b.checkOrphans(t, server)
		}
	}
	b.allow()
	return server
}

// server reads the //jp:server line of a type and its methods.
func (b *builder) server(t *types.TypeName, line directive.Directive) *Server {
	s := &Server{
		Server: manifest.Server{Name: strings.ToLower(t.Name()), Clients: manifest.JP, Unknown: manifest.Reject},
		Dir:    b.pkg.Dir, Package: b.pkg.Types, Type: t, Pos: t.Pos(), Ours: b.pkg.Ours,
	}
	before := b.list.Len()
	file := b.fileOf(t)
	s.Constraint = constraintOf(file, b.pkg.Fset.PositionFor(file.Package, false).Filename)
	b.docs.constraint = s.Constraint
	at := t.Pos()
	for _, a := range line.Args {
		switch a.Name {
		case "name":
			s.Name, at = a.Value, a.ValuePos
		case "clients":
			b.list.Warn(a.Pos, diag.IdleArgument, "clients has no effect, because the same schemas suit all clients").Suggest("delete it")
		case "names":
			b.in.Names = schema.Names(a.Value)
			b.exact.Names = b.in.Names
		case "unknown":
			s.Unknown = manifest.Unknown(a.Value)
		case "output":
			if a.Value == string(manifest.Always) {
				s.Output = manifest.Always
			}
		case "list-budget":
			s.ListBudget, s.budgetPos = b.number(a, 1, maxListBudget, "tokens from %d to %d; run jptoolgen cost to count the tokens of the list"), a.ValuePos
		case "envelope":
			s.Envelope = a.Value == "true"
		case "conventions":
			s.Conventions, b.conventionsAt = a.Value, a.Pos
		}
	}
	if !schema.ValidServerName(s.Name) {
		f := b.list.Add(at, diag.BadServerName, "invalid server name %q: must match [a-z][a-z0-9_-]* and be at most %d characters", s.Name, schema.MaxName)
		suggestName(f, s.Name)
		if f.Firm = !printable(s.Name); !f.Firm {
			f.Hint += fmt.Sprintf(", or //jp:allow %s reason=\"...\" above it", diag.BadServerName)
		}
	}
	s.Description = b.describe(t, t.Pos(), "type "+t.Name(), "the purpose of the server", descriptionOf(line))
	s.Taken, s.Tested, s.Imported = b.names()
	named, ok := t.Type().(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		b.list.Add(t.Pos(), diag.BadSignature, "%s cannot be a server: it has type parameters", t.Name()).
			Suggest("declare a struct type")
		return s
	}
	b.overlays(t)
	b.enums(t)
	b.declareToolsets(s, t)
	b.declareScopes(s, t)
	b.foreignLines(t)
	sets := b.toolsets(named)
	s.Codes = b.codes(sets)
	var reading errgroup.Group
	if b.pkg.Dir != "" { // Dir is "" for a package that is not on disk
		reading.Go(func() (err error) { s.Declared, err = declared.Read(b.pkg.Dir); return err })
	}
	b.tools(s, sets)
	b.reportForeign(b.foreign)
	b.idleOverlays()
	b.idleEnums()
	b.checkDeclared(s, reading.Wait())
	b.skills(s, t, before)
	if b.list.Len() == 0 {
		b.checkContract(s)
	}
	return s
}

// checkContract reports invalid generated schemas. Earlier checks report such constraints more precisely, so this
// finds only combinations that they miss.
func (b *builder) checkContract(s *Server) {
	for _, t := range s.Tools {
		c, err := t.contract(s)
		if err != nil {
			continue // generating the files reports the error
		}
		schemas := map[string]manifest.Schema{"the arguments": c.InputForModels(), "the options": c.Options}
		if t.Exact != nil {
			delete(schemas, "the arguments") // readExact has checked them
		}
		if t.ExactResult == nil {
			schemas["the result"] = c.Output
		}
		for _, q := range c.Questions {
			schemas["the answer to "+q.ID] = q.Schema
		}
		for _, what := range slices.Sorted(maps.Keys(schemas)) {
			if schemas[what] == nil {
				continue
			}
			for _, problem := range shape.Defects(jsontext.Value(schemas[what])) {
				b.list.Add(t.Method.Pos(), diag.BadSchema, "invalid schema of %s of %s %s: %s", what, t.Kind, t.Name, problem).
					Suggest("change the type or the tag of the field")
			}
		}
	}
}

// printable reports whether name is one short line of visible characters, as MCP requires for the name of a
// server.
func printable(name string) bool {
	return name != "" && len(name) <= 128 && phrase.Visible(phrase.OneLine(name)) == name
}

// tools reads the tools of the server and of the types that it includes.
func (b *builder) tools(s *Server, sets []toolset) {
	var parts []func()
	for _, p := range sets {
		parts = append(parts, b.methods(s, p)...)
	}
	for _, read := range parts { // the resources and prompts of all types are known
		read()
	}
	b.distinctURIs(s)
	b.distinctAliases(s)
	b.distinctVariables(s)
	b.conventions(s)
	b.checkNamesTaken(s)
	b.idleToolsets(s)
	if len(s.Tools) == 0 {
		b.list.Add(s.Pos, diag.NoTools, "server %s has no tools, resources or prompts", s.Type.Name()).
			Suggest("write //jp:tool, //jp:resource or //jp:prompt above a method of %s", s.Type.Name())
	}
}

// methods reads the methods of a type in source order. It returns functions that read those that list, watch or complete
// what others serve.
func (b *builder) methods(s *Server, p toolset) (parts []func()) {
	inSource := func(x, y *types.Func) int { return b.list.Compare(x.Pos(), y.Pos()) }
	for _, m := range slices.SortedFunc(p.named.Methods(), inSource) {
		lines := b.serving(m)
		if len(lines) == 0 {
			b.checkMisplaced(m, diag.MisplacedLine, "applies only to tools, resources and prompts, but "+m.Name()+" is none", "add //jp:tool, or delete the line", "fails", "alias", "meta")
			continue
		}
		line := lines[0]
		if !m.Exported() && m.Pkg() != b.pkg.Types {
			b.list.Add(b.docs.Pos(m), diag.BadSignature, "%s %s is in a package that does not export it", line.Name, m.Name()).
				Suggest("start its name with an uppercase letter")
			continue
		}
		if slices.Contains(Parts, Part(line.Name)) {
			b.checkMisplaced(m, diag.MisplacedLine, "does not apply to a method with //jp:"+line.Name,
				"write it above the method that serves the resource or the prompt", "fails", "alias", "meta")
			for _, line := range lines {
				parts = append(parts, func() { b.partLine(s, p, m, line) })
			}
			continue
		}
		if line.Name != string(Callable) {
			b.checkMisplaced(m, diag.MisplacedLine, "applies only to tools, but "+m.Name()+" is a "+line.Name, "delete the line", "alias")
		}
		tool := b.tool(s, p, m, line)
		if fails, has := b.docs.directive(m, "fails"); has {
			tool.Fails = b.fails(s, fails)
		}
		if meta, has := b.docs.directive(m, "meta"); has {
			tool.Meta = b.meta(meta)
		}
		tool.Aliases = b.aliases(m, p.prefix)
		s.Tools = append(s.Tools, tool)
		if name := m.Signature().Recv().Name(); p.path == "" && s.Receiver == "" && name != "_" {
			s.Receiver = name
		}
	}
	return parts
}

// checkMisplaced reports the directives on an object that have one of the given names, because they do not apply
// to it.
func (b *builder) checkMisplaced(obj types.Object, code diag.Code, why, hint string, names ...string) {
	for _, name := range names {
		if line, ok := b.docs.directive(obj, name); ok {
			b.list.Add(line.Pos, code, "//jp:%s %s", name, why).Suggest("%s", hint)
		}
	}
}

// checkOrphans reports directives for a server or its tools on a type that is not a server. server is the server of the
// package, or nil.
func (b *builder) checkOrphans(t *types.TypeName, server *Server) {
	b.checkMisplaced(t, diag.MisplacedLine, "applies only to servers, but "+t.Name()+" is not a server", "write it above the server", "describe", "foreign", "toolset", "scope", "skills")
	named, ok := t.Type().(*types.Named)
	if !ok || t.IsAlias() {
		return
	}
	hint := "write //jp:server above type " + t.Name()
	if server != nil {
		hint = fmt.Sprintf("declare the method on %s, or write //jp:include above a field of %[1]s that has type %s", server.Type.Name(), t.Name())
	}
	if _, isStruct := named.Underlying().(*types.Struct); !isStruct || named.TypeParams().Len() > 0 {
		hint = "declare the method on a struct without type parameters, and write //jp:server above that struct"
	}
	for m := range named.Methods() {
		b.checkMisplaced(m, diag.NoReceiver, "applies only to methods of servers, but "+t.Name()+" is not a server", hint, append(Serves(), "fails", "alias", "meta")...)
	}
}

// descriptionOf returns the description argument of a directive, or "" if the directive lacks it.
func descriptionOf(line directive.Directive) string {
	a, _ := line.Get("description")
	return a.Value
}

// describe returns the given description of a declaration, or else its comment. It reports a missing comment at
// pos.
func (b *builder) describe(obj types.Object, pos token.Pos, what, about, said string) string {
	text, _ := b.docs.Doc(obj)
	text = cmp.Or(said, text)
	if text == "" {
		b.list.Add(pos, diag.MissingDoc, "%s has no comment", what).Suggest("add a comment that describes %s", about)
	}
	schema.CheckLength(b.list, pos, what, text)
	return text
}
