package jpvet

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"maps"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
)

// A source holds the contract that the generator reads from the declarations of a package.
type source struct {
	server *model.Server // nil for a package without a server
	sites  directive.Sites
	files  []*ast.File
}

// readSource reads the server of a package and reports the findings of the generator.
func readSource(c *checker, files []*ast.File) *source {
	s := &source{sites: directive.Sites{}, files: files}
	if len(files) == 0 {
		return s
	}
	dir := sourceDir(c.pass.Fset, files)
	list := diag.NewList(c.pass.Fset, dir)
	if hasDirectives(files) {
		s.build(c, dir, list)
	} else {
		model.CheckImports(c.pass.Pkg.Path(), files, list)
	}
	for _, f := range list.Sorted() {
		c.report.code = f.Code
		if pos := s.pos(c.pass.Fset, f.Pos); pos.IsValid() {
			c.report.at(pos, "%s", f.Message).Hint = f.Hint
		} else if s.server != nil { // the finding is about a type in another package
			c.report.at(s.server.Pos, "%s: %s", diag.Rel(list.Dir(), f.Pos.String()), f.Message).Hint = f.Hint
		}
	}
	return s
}

// sourceDir returns the directory of a package. With cgo, some files are generated elsewhere; the //line comments of the
// others name the files in the directory.
func sourceDir(fset *token.FileSet, files []*ast.File) string {
	for _, f := range files {
		name := fset.Position(f.Name.Pos()).Filename
		if filepath.Base(name) != "_cgo_gotypes.go" {
			return filepath.Dir(name)
		}
	}
	return filepath.Dir(fset.Position(files[0].Package).Filename)
}

// build reads the directives and the server, and checks the generated files.
func (s *source) build(c *checker, dir string, list *diag.List) {
	for _, f := range s.files {
		maps.Copy(s.sites, directive.Read(f, diag.NewList(c.pass.Fset, "")))
	}
	s.server = model.Build(&model.Package{
		Dir: dir, Fset: c.pass.Fset, Files: s.files, Types: c.pass.Pkg, Info: c.pass.TypesInfo, Ignored: c.pass.IgnoredFiles,
		Parse: func(name string) (*ast.File, error) {
			return parser.ParseFile(c.pass.Fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		},
		Ours: c.inModule,
	}, list)
	if s.server == nil || list.Len() > 0 {
		return
	}
	var made []output.File
	var err error
	if c.module != "" { // the output depends on the module, which some drivers do not report
		made, err = output.Files(s.server)
	}
	if err == nil {
		err = output.Stale(s.server, made, list)
	}
	if err != nil {
		list.Add(s.server.Pos, diag.StaleCode, "cannot compare the generated files: %v", err)
	}
}

// hasDirectives reports whether files have directives that declare a server.
func hasDirectives(files []*ast.File) bool {
	for _, comment := range commentsIn(files) {
		if strings.HasPrefix(comment.Text, "//jp:") && !strings.HasPrefix(comment.Text, allowPrefix) {
			return true
		}
	}
	return false
}

// file returns the file that contains pos, or nil if it is not handwritten.
func (s *source) file(pos token.Pos) *ast.File {
	for _, f := range s.files {
		if f.FileStart <= pos && pos < f.FileEnd {
			return f
		}
	}
	return nil
}

// pos converts the line and column of a finding to a position.
func (s *source) pos(fset *token.FileSet, at token.Position) token.Pos {
	for _, f := range s.files {
		file := fset.File(f.FileStart)
		if fset.Position(f.FileStart).Filename == at.Filename && 0 < at.Line && at.Line <= file.LineCount() {
			return file.LineStart(at.Line) + token.Pos(at.Column-1)
		}
	}
	return token.NoPos
}

// tools calls f for the method of each tool, resource and prompt, and for their parts.
func (c *checker) tools(f func(t *model.Tool, fn *ssa.Function)) {
	if c.server == nil {
		return
	}
	for _, whole := range c.server.Tools {
		for _, t := range whole.Methods() {
			if fn := c.ssa.Prog.FuncValue(t.Method); c.owns(fn) {
				f(t, fn)
			}
		}
	}
}

// functions returns the functions of a tool, a resource or a prompt whose errors callers receive, with those of its
// parts.
func (c *checker) functions(whole *model.Tool) (all []*ssa.Function) {
	for _, t := range whole.Methods() {
		if fn := c.ssa.Prog.FuncValue(t.Method); c.owns(fn) && t.Part != model.Watch {
			all = append(all, fn)
		}
	}
	return all
}

// comments is a fact about the comments on the declarations of a package. Contracts include comments on types
// in other packages, but go vet analyzes a package again only if its source, the export data of its imports or
// a fact about them changes.
type comments struct {
	Digest string
}

// AFact marks comments as a fact.
func (*comments) AFact() {}

func (c *comments) String() string { return "has comments " + c.Digest }

func exportComments(pass *analysis.Pass, files []*ast.File) {
	h := sha256.New()
	for _, c := range commentsIn(files) {
		h.Write([]byte(c.Text + "\n"))
	}
	pass.ExportPackageFact(&comments{hex.EncodeToString(h.Sum(nil))})
}

func commentsIn(files []*ast.File) iter.Seq2[*ast.File, *ast.Comment] {
	return func(yield func(*ast.File, *ast.Comment) bool) {
		for _, f := range files {
			for _, group := range f.Comments {
				for _, c := range group.List {
					if !yield(f, c) {
						return
					}
				}
			}
		}
	}
}
