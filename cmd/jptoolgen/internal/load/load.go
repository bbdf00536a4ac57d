// Package load is packages from disk.
package load

import (
	"context"
	"errors"
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
)

// Generated is the name of the file that jptoolgen writes beside the source.
const Generated = "jp_gen.go"

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
	overlay, err := standIns(dir, roots)
	if err != nil {
		return nil, err
	}
	loaded, err := packages.Load(&packages.Config{
		Context: ctx, Mode: mode, Dir: dir, Fset: fset, Overlay: overlay, ParseFile: parse,
	}, roots...)
	if err != nil {
		return nil, fmt.Errorf("loading packages: %w", err)
	}
	if len(loaded) == 0 {
		return nil, fmt.Errorf("the go command finds no package in %s", strings.Join(roots, ", "))
	}
	return accept(loaded, fset, list)
}

func parse(fset *token.FileSet, filename string, src []byte) (*ast.File, error) {
	return parser.ParseFile(fset, filename, src, syntax)
}

// accept checks what was loaded and makes model packages of it.
func accept(loaded []*packages.Package, fset *token.FileSet, list *diag.List) ([]*model.Package, error) {
	slices.SortFunc(loaded, func(x, y *packages.Package) int { return strings.Compare(x.PkgPath, y.PkgPath) })
	var accepted []*model.Package
	for _, p := range loaded {
		sound, err := report(p, list)
		if err != nil {
			return nil, err
		}
		if !sound || p.Types == nil {
			continue
		}
		accepted = append(accepted, &model.Package{
			Dir: filepath.Dir(p.GoFiles[0]), Fset: fset, Files: handwritten(p, fset), Types: p.Types,
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
		if filepath.Base(fset.Position(f.Package).Filename) != Generated {
			files = append(files, f)
		}
	}
	return files
}

// report adds the errors of a package to list. A sound package has none. An error
// without a place is trouble with the go command.
func report(p *packages.Package, list *diag.List) (sound bool, err error) {
	sound = len(p.GoFiles) > 0
	before := list.Len()
	for _, e := range p.TypeErrors {
		sound = false
		pos := e.Fset.Position(e.Pos)
		if filepath.Base(pos.Filename) == Generated {
			continue // the stand-in; whatever is wrong with it is wrong elsewhere too
		}
		if taken, ok := takenName(e.Msg); ok {
			list.AddAt(pos, diag.TakenName, "%s is declared here, and the generated file declares it too", taken).
				Suggest("rename it")
			continue
		}
		list.AddAt(pos, diag.GoError, "%s", firstLine(e.Msg))
	}
	var trouble []error
	for _, e := range p.Errors {
		if e.Kind == packages.TypeError {
			continue
		}
		sound = false
		pos, ok := position(e.Pos)
		switch {
		case ok && e.Kind == packages.ParseError:
			list.AddAt(pos, diag.GoError, "%s", firstLine(e.Msg))
		case e.Kind != packages.ParseError:
			trouble = append(trouble, errors.New(strings.TrimSpace(e.Msg)))
		}
	}
	if list.Len() == before && len(trouble) > 0 {
		return false, fmt.Errorf("loading %s: %w", p.PkgPath, errors.Join(trouble...))
	}
	return sound, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// position reads the file:line:column of an error.
func position(text string) (pos token.Position, ok bool) {
	rest, column, ok1 := cutLast(text)
	file, line, ok2 := cutLast(rest)
	if !ok1 || !ok2 {
		return pos, false
	}
	return token.Position{Filename: file, Line: line, Column: column}, true
}

func cutLast(text string) (rest string, number int, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return "", 0, false
	}
	_, err := fmt.Sscanf(text[i+1:], "%d", &number)
	return text[:i], number, err == nil
}

// takenName returns the generated name that a type error says is declared twice.
func takenName(message string) (string, bool) {
	name, _, ok := strings.Cut(message, " redeclared in this block")
	return name, ok && name == constructor
}
