// Package load loads packages from disk.
//
// The contract and the generated code are made from declarations: types, constants,
// methods and the comments on them. An error in a declaration, in the syntax or in an
// import makes them unreliable, so it is a finding, and nothing is written. An error in
// the body of a function or in the value of a variable cannot change them, and neither
// can one about a name that a generated file declares for a tool: a host lacks the
// method for a question that was added until its author has seen the new interface. Such
// errors are left to the compiler, which reports them against the files that were
// written.
package load

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/internal/declared"
)

// Generated is the name of the file that jptoolgen writes beside the source.
const Generated = declared.Code

// mode asks for the syntax and types of the packages named. Their dependencies
// come as export data, which is faster than their source.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax |
	packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedImports |
	packages.NeedExportFile | packages.NeedModule

// syntax is what is parsed of a file.
const syntax = parser.ParseComments | parser.SkipObjectResolution

// Packages loads the packages with //jp: lines among those that patterns name, as
// seen from dir. The code that an earlier run generated is not read: stand-ins
// declare its names. Errors of the Go source are added to list. The error is about
// patterns and the go command.
func Packages(ctx context.Context, dir string, patterns []string, fset *token.FileSet, list *diag.List) ([]*model.Package, error) {
	dirs, err := expand(dir, patterns)
	if err != nil {
		return nil, err
	}
	roots, err := marked(dirs)
	if err != nil {
		return nil, err
	}
	if len(roots) == 0 {
		return nil, nothing(dirs, list)
	}
	overlay, generated, err := standIns(roots)
	if err != nil {
		return nil, err
	}
	config := &packages.Config{
		Context: ctx, Mode: mode, Dir: dir, Fset: fset, ParseFile: parse,
		// Comments on types of other packages are found by their files' real names.
		BuildFlags: []string{"-trimpath=false"},
	}
	undo, err := layOver(config, overlay, roots)
	if err != nil {
		return nil, err
	}
	defer undo()
	for i, root := range roots {
		roots[i] = "pattern=" + root // paths may have a = themselves
	}
	loaded, err := packages.Load(config, roots...)
	if err != nil {
		return nil, fmt.Errorf("loading packages: %w", err)
	}
	if len(loaded) == 0 {
		return nil, fmt.Errorf("the go command finds no package in %s; run jptoolgen within the module of it", strings.Join(patterns, ", "))
	}
	var built []*packages.Package
	for _, p := range loaded {
		switch excluded := len(p.GoFiles) == 0 && len(p.IgnoredFiles) > 0; {
		case !excluded:
			built = append(built, p)
		case slices.ContainsFunc(dirs, func(at place) bool { return at.single && at.dir == filepath.Dir(p.IgnoredFiles[0]) }):
			return nil, fmt.Errorf("no file of %s is built for this platform and these tags; set GOOS, or GOFLAGS=-tags=TAG", p.PkgPath)
		}
	}
	return accept(built, generated, fset, list)
}

func parse(fset *token.FileSet, filename string, src []byte) (*ast.File, error) {
	return parser.ParseFile(fset, filename, src, syntax)
}

// accept checks what was loaded and makes model packages of it.
func accept(loaded []*packages.Package, generated map[string]bool, fset *token.FileSet, list *diag.List) ([]*model.Package, error) {
	slices.SortFunc(loaded, func(x, y *packages.Package) int { return strings.Compare(x.PkgPath, y.PkgPath) })
	var accepted []*model.Package
	for _, p := range loaded {
		sound, err := report(p, generated, list)
		if err != nil {
			return nil, err
		}
		if !sound || p.Types == nil {
			continue
		}
		accepted = append(accepted, &model.Package{
			Dir: filepath.Dir(p.GoFiles[0]), Fset: fset, Files: handwritten(p, fset), Types: p.Types, Info: p.TypesInfo, Ignored: p.IgnoredFiles,
			Parse: func(filename string) (*ast.File, error) { return parser.ParseFile(fset, filename, nil, syntax) },
			Ours:  oursOf(p),
		})
	}
	return accepted, nil
}

// oursOf tells the packages of p's module.
func oursOf(p *packages.Package) func(string) bool {
	return func(path string) bool {
		return p.Module != nil && (path == p.Module.Path || strings.HasPrefix(path, p.Module.Path+"/"))
	}
}

func handwritten(p *packages.Package, fset *token.FileSet) []*ast.File {
	var files []*ast.File
	for _, f := range p.Syntax {
		if filepath.Base(fset.PositionFor(f.Package, false).Filename) != Generated {
			files = append(files, f)
		}
	}
	return files
}
