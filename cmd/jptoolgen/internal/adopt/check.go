package adopt

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// changes holds changes to fields and methods. The keys are method names, and type names followed by a field name.
type changes map[string]*change

// A change describes how a part of the source must differ from the contract, because the generator
// rejected that part.
type change struct {
	// name replaces the original name.
	name string
	// names is the style of names that the server permits.
	names schema.Names
	// anyName is set if some clients do not support the name of the server.
	anyName bool
	// without holds the keys of the jsonschema tag to leave out.
	without map[string]bool
	// opaque is set if the part must have the type any.
	opaque bool
	// silent is set if the arguments of a tool are left out.
	silent bool
	// schema is the schema argument of a directive, such as "exact" for a schema that is published unchanged.
	// derived is set if the schema must be derived from the type.
	schema  string
	derived bool
	// result is set if the schema of the results is also published unchanged.
	result bool
	// allow holds the codes of findings to accept, because the server has already published the part in this
	// form.
	allow []diag.Code
	// dropped is why a resource or a prompt is left out, or "".
	dropped string
	// unused is set if no tool uses the type, so there is no finding to accept.
	unused bool
	notes  []string
}

// of returns the change for a part. If the part has no change yet, of adds an empty one.
func (c changes) of(place string) *change {
	if c[place] == nil {
		c[place] = &change{without: map[string]bool{}}
	}
	return c[place]
}

// allowLine returns the //jp:allow line for the codes in c.allow, or "" if there are no codes. bare is set if the
// part has no description.
func (c *change) allowLine(bare bool) string {
	codes := c.allow
	if bare {
		codes = slices.Concat([]diag.Code{diag.MissingDoc}, codes)
	}
	if len(codes) == 0 || c.unused {
		return ""
	}
	return allowLine(codes...)
}

func allowLine(codes ...diag.Code) string {
	line := "//jp:allow"
	for _, code := range codes {
		line += " " + string(code)
	}
	return line + ` reason="the server published it this way"`
}

// notesFor returns the notes about a change, each of which names the tool.
func (c *change) notesFor(tool string) []string {
	var all []string
	for _, n := range c.notes {
		all = append(all, tool+": "+n)
	}
	return all
}

// build generates the contract of the source in memory.
func (s *source) build() (*manifest.Server, []diag.Finding, error) {
	// Package model reads declarations from a directory to compute their digests. An empty directory is enough here,
	// because the contract does not depend on those digests.
	dir, err := os.MkdirTemp("", "jptoolgen-adopt-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir)
	pkg := &model.Package{
		Dir: dir, Fset: token.NewFileSet(),
		Info:  &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Scopes: map[ast.Node]*types.Scope{}},
		Parse: func(name string) (*ast.File, error) { return nil, fmt.Errorf("%s is not in memory", name) },
		Ours:  func(path string) bool { return path == "main" },
	}
	for _, f := range s.files {
		file, err := parser.ParseFile(pkg.Fset, f.Path, f.Data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, fmt.Errorf("parsing the source: %w", err)
		}
		pkg.Files = append(pkg.Files, file)
	}
	for _, f := range s.schemas {
		if err := os.WriteFile(filepath.Join(dir, f.Path), f.Data, 0o600); err != nil {
			return nil, nil, err
		}
	}
	// The contract depends only on declarations, which use types from few packages.
	config := types.Config{Importer: bare{}, IgnoreFuncBodies: true, Error: func(error) {}}
	pkg.Types, _ = config.Check("main", pkg.Fset, pkg.Files, pkg.Info) // model.Build reports the errors
	list := diag.NewList(pkg.Fset, "")
	server := model.Build(pkg, list)
	if list.Len() > 0 || server == nil {
		return nil, list.Sorted(), nil
	}
	contract, err := server.Contract()
	return contract, nil, err
}

// bare is an importer whose packages declare only the types that contracts depend on.
type bare struct{}

// Import implements [types.Importer].
func (bare) Import(name string) (*types.Package, error) {
	pkg := types.NewPackage(name, path.Base(name))
	switch name {
	case "context":
		declare(pkg, "Context", types.NewInterfaceType(nil, nil).Complete())
	case sdktypes.Fault:
		declare(pkg, "Code", types.Typ[types.String])
	case sdktypes.Tool:
		value := types.NewTypeParam(types.NewTypeName(token.NoPos, pkg, "T", nil), types.Universe.Lookup("any").Type())
		fields := []*types.Var{types.NewField(token.NoPos, pkg, "Value", types.NewPointer(value), false)}
		declare(pkg, "Nullable", types.NewStruct(fields, nil)).SetTypeParams([]*types.TypeParam{value})
	}
	pkg.MarkComplete()
	return pkg, nil
}

func declare(pkg *types.Package, name string, underlying types.Type) *types.Named {
	object := types.NewTypeName(token.NoPos, pkg, name, nil)
	pkg.Scope().Insert(object)
	return types.NewNamed(object, underlying, nil)
}

// adapt changes the parts that the generator rejected. It reports whether it changed
// anything.
func (s *source) adapt(findings []diag.Finding) (changed bool) {
	for _, f := range findings {
		place, key, name := s.locate(f)
		if place == "" {
			continue
		}
		c := s.changes.of(place)
		if s.permit(f, c, name) {
			changed = true
			continue
		}
		if owner, _, _ := strings.Cut(place, "."); s.offered[owner] != "" { // nothing in it can be left out
			s.changes.of(s.offered[owner]).dropped = f.Message
			changed = true
			continue
		}
		done := c.adapt(f, key, name)
		if done == "" {
			continue
		}
		changed = true
		note := f.Message + "; " + done
		if f.Hint != "" && !slices.Contains([]diag.Code{diag.Misfit, diag.BadServerName, diag.BadFieldName, diag.BadToolName}, f.Code) {
			note += ". To avoid this, " + f.Hint
		}
		c.notes = append(c.notes, note)
	}
	return changed
}

// permit permits a long description, or a name that a model can write but some clients do not support. It
// reports whether it changed anything.
func (s *source) permit(f diag.Finding, c *change, name string) bool {
	valid := schema.Names.Valid
	switch f.Code {
	case diag.BadToolName:
		valid = schema.Names.ValidTool
	case diag.BadServerName, diag.BadFieldName, diag.LongDoc, diag.WideSchema:
	case diag.IdleAllow:
		changed := !c.unused
		c.unused = true
		return changed
	default:
		return false
	}
	server := s.changes.of("server")
	switch {
	case f.Firm:
		return false
	case f.Code == diag.BadServerName:
		c.anyName = true
	case f.Code == diag.LongDoc || f.Code == diag.WideSchema || s.names == schema.AnyNames:
		if slices.Contains(c.allow, f.Code) {
			return false
		}
		c.allow = append(c.allow, f.Code)
	case s.names != schema.CamelNames && valid(schema.CamelNames, name):
		server.names = cmp.Or(server.names, schema.CamelNames)
	default:
		server.names = schema.AnyNames
	}
	return true
}

// adapt changes one part and returns a description of the change, or "" if no change is possible. key is the key
// of the tag that the finding is about, or "". name is the current name.
func (c *change) adapt(f diag.Finding, key, name string) string {
	switch {
	case f.Code == diag.BadServerName && c.name == "":
		c.name = validName(name, "-", schema.MaxName)
		return fmt.Sprintf("it was renamed to %q", c.name)
	case f.Code == diag.Misfit && c.result:
		c.result = false
		return "the schema of its results is now derived from their Go type"
	case f.Code == diag.Misfit && c.schema == exact:
		c.schema, c.derived = "", true
		return "its schema is now derived from its Go type"
	case f.Code == diag.BadFieldName || f.Code == diag.BadToolName:
		if c.name != "" {
			return ""
		}
		c.name = validName(name, "_", schema.MaxName)
		return fmt.Sprintf("it was renamed to %q", c.name)
	case f.Code == diag.DuplicateField || f.Code == diag.DuplicateName:
		c.name = validName(name, "_", schema.MaxName-2) + "_2"
		return fmt.Sprintf("it was renamed to %q", c.name)
	case f.Code == diag.BadSignature && !c.silent:
		c.silent = true
		return "its arguments were omitted"
	case key != "" && !c.without[key]:
		c.without[key] = true
		return key + " was omitted"
	case !c.opaque:
		c.opaque = true
		return "its type was changed to any"
	}
	return ""
}

// locate returns the part to which a finding applies, the key of the jsonschema tag in the finding,
// if any, and the name of the tool or field.
func (s *source) locate(f diag.Finding) (place, key, name string) {
	if f.Pos.Filename == s.files[0].Path {
		return "server", "", s.contract.Name
	}
	text := string(s.files[len(s.files)-1].Data)
	file, err := parser.ParseFile(token.NewFileSet(), f.Pos.Filename, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || f.Pos.Offset > len(text) {
		return "", "", ""
	}
	at := file.FileStart + token.Pos(f.Pos.Offset)
	structure := ""
	for n := range ast.Preorder(file) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if isWithin(at, n, n.Doc) {
				return n.Name.Name, "", textBetween(text[n.Doc.Pos()-file.FileStart:], "//jp:tool name=", " \n")
			}
		case *ast.TypeSpec:
			structure = n.Name.Name
		case *ast.Field:
			if n.Tag == nil || !isWithin(at, n, n.Doc) { // a parameter has no tag
				continue
			}
			if at >= n.Tag.Pos() {
				key, _, _ = strings.Cut(text[f.Pos.Offset:], "=")
			}
			if !slices.ContainsFunc(schema.Keywords(), func(k schema.Keyword) bool { return k.Name == key }) {
				key = ""
			}
			return structure + "." + n.Names[0].Name, key, textBetween(n.Tag.Value, `json:"`, `",`)
		}
	}
	return "", "", ""
}

func isWithin(at token.Pos, n ast.Node, doc *ast.CommentGroup) bool {
	return n.Pos() <= at && at < n.End() || doc != nil && doc.Pos() <= at && at < doc.End()
}

// textBetween returns the part of text after prefix, up to the first of the characters in end.
func textBetween(text, prefix, end string) string {
	_, after, _ := strings.Cut(text, prefix)
	if i := strings.IndexAny(after, end); i >= 0 {
		after = after[:i]
	}
	return after
}
