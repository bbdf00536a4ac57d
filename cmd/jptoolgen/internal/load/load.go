// Package load loads packages from disk.
//
// The contract and the generated code are made from declarations: types, constants,
// methods and the comments on them. An error in a declaration, in the syntax or in an
// import makes them unreliable, so it is a finding, and nothing is written. An error in
// the body of a function or in the value of a variable cannot change them, and neither
// can one about a name that a generated file declares for a tool. Such errors are left to
// the compiler, which reports them against the files that were written.
//
// What an earlier run generated is not read for the packages that are loaded: it may be
// missing or out of date. The packages that these import come as the compiler has them,
// or from their source if they do not compile.
package load

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/internal/declared"
)

// Generated is the name of the file that jptoolgen writes beside the source.
const Generated = declared.Code

// sdkPath is a package that every generated file imports.
const sdkPath = "github.com/jptool/jptool/sdk"

// mode asks for the syntax and types of the packages named. Their dependencies
// come as export data, which is faster than their source.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax |
	packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedImports |
	packages.NeedExportFile | packages.NeedModule

// syntax is what is parsed of a file.
const syntax = parser.ParseComments | parser.SkipObjectResolution

// Packages loads the packages with //jp: lines among those that patterns name, as
// seen from dir. Errors of the Go source are added to list. The error is about
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
		nothing(dirs, list)
		return nil, nil
	}
	config := &packages.Config{
		Context: ctx, Mode: mode, Dir: dir, Fset: fset, ParseFile: parse,
		// Comments on types of other packages are found by their files' real names. The
		// compiler does not know the flag of the packages that are loaded, and ends before
		// it compiles what is read from source here and may be generated anew.
		BuildFlags: []string{"-trimpath=false", "-gcflags=-read-from-source"},
	}
	loaded, err := load(config, roots)
	if err != nil {
		return nil, fmt.Errorf("loading packages: %w", err)
	}
	if len(loaded) == 0 {
		if _, _, err := moduleOf(roots[0]); err != nil {
			return nil, err
		}
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
	accepted, err := accept(built, fset, list)
	if err != nil || list.Len() > 0 {
		return accepted, err
	}
	return accepted, requireSDK(config, built)
}

// load loads the packages in directories.
func load(config *packages.Config, dirs []string) ([]*packages.Package, error) {
	patterns := make([]string, len(dirs))
	for i, dir := range dirs {
		patterns[i] = "pattern=" + dir // paths may have a = themselves
	}
	loaded, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, err
	}
	generated := generatedAmong(loaded)
	if len(generated) == 0 {
		return loaded, nil
	}
	return loadWithout(generated, config, patterns)
}

// parse parses a file, but of generated code only the package clause: it declares nothing.
func parse(fset *token.FileSet, filename string, src []byte) (*ast.File, error) {
	if isGenerated(filename) {
		return parser.ParseFile(fset, filename, src, parser.PackageClauseOnly)
	}
	return parser.ParseFile(fset, filename, src, syntax)
}

func isGenerated(filename string) bool { return filepath.Base(filename) == Generated }

// accept checks what was loaded and makes model packages of it.
func accept(loaded []*packages.Package, fset *token.FileSet, list *diag.List) ([]*model.Package, error) {
	slices.SortFunc(loaded, func(x, y *packages.Package) int { return strings.Compare(x.PkgPath, y.PkgPath) })
	var accepted []*model.Package
	root := sync.OnceValue(goRoot)
	for _, p := range loaded {
		sound, err := report(p, list)
		if err != nil {
			return nil, err
		}
		if !sound || p.Types == nil {
			continue
		}
		accepted = append(accepted, &model.Package{
			Dir: filepath.Dir(p.GoFiles[0]), Fset: fset, Files: handwritten(p, fset), Types: p.Types, Info: p.TypesInfo, Ignored: p.IgnoredFiles,
			Parse: func(filename string) (*ast.File, error) {
				if rest, ok := strings.CutPrefix(filename, "$GOROOT"); ok { // so export data names it
					filename = root() + rest
				}
				return parser.ParseFile(fset, filename, nil, syntax)
			},
			Ours: oursOf(p),
		})
	}
	return accepted, nil
}

// goRoot returns the root of the Go tree that the go command uses, "" on failure.
func goRoot() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "" // and no file of it can be read
	}
	return strings.TrimSpace(string(out))
}

// requireSDK reports whether the module has what generated code imports. A package that
// imports the SDK itself tells; otherwise the go command is asked.
func requireSDK(config *packages.Config, loaded []*packages.Package) error {
	if len(loaded) == 0 || slices.ContainsFunc(loaded, func(p *packages.Package) bool { return p.Imports[sdkPath] != nil }) {
		return nil
	}
	found, err := packages.Load(&packages.Config{Context: config.Context, Dir: config.Dir, Mode: packages.NeedName}, sdkPath)
	if err != nil {
		return fmt.Errorf("loading packages: %w", err)
	}
	for _, p := range found {
		if len(p.Errors) > 0 {
			return fmt.Errorf("loading %s: the module does not require %s; run go get %s", loaded[0].PkgPath, sdkPath, sdkPath)
		}
	}
	return nil
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
		if !isGenerated(fset.PositionFor(f.Package, false).Filename) {
			files = append(files, f)
		}
	}
	return files
}
