// Package load loads packages from disk.
//
// The contract and the generated code depend on declarations: types, constants, methods and their comments. An
// error in a declaration, in the syntax or in an import makes them unreliable, so it is reported as a finding,
// and no file is written. Errors in function bodies, in values of variables, and about names that a generated
// file declares for a tool do not affect the declarations. They are left to the Go compiler, which reports them
// once the files are written.
//
// Generated files of the loaded packages are not read, because they may be missing or out of date. Imported
// packages are loaded from export data, or from their source if they do not compile.
package load

import (
	"cmp"
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
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/internal/declared"
)

// Generated is the name of the generated file in each package.
const Generated = declared.Code

// mode requests the syntax and types of the named packages. Their dependencies are loaded from export data,
// which is faster than loading them from source.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax |
	packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedImports |
	packages.NeedExportFile | packages.NeedModule

// syntax is the parser mode for source files.
const syntax = parser.ParseComments | parser.SkipObjectResolution

// buildFlags are the flags of the go command. Comments on types in other packages are found through the real names
// of their files. The Go compiler rejects the unknown flag, so it stops before it compiles the packages that are read
// from source here and whose generated files may be replaced.
var buildFlags = []string{"-trimpath=false", "-gcflags=-read-from-source"}

// Packages loads the packages that match patterns relative to dir and that have //jp: lines. It adds errors in
// the Go source to list. The returned error is about the patterns or the go command.
func Packages(ctx context.Context, dir string, patterns []string, fset *token.FileSet, list *diag.List) ([]*model.Package, error) {
	roots, err := Find(dir, patterns)
	if err != nil {
		return nil, err
	}
	return roots.Load(ctx, fset, list)
}

// Roots are the directories of the packages that match patterns and have //jp: lines.
type Roots struct {
	// Dir is the directory to which Patterns are relative.
	Dir      string
	Patterns []string
	// Marked holds the directories that have //jp: lines.
	Marked []string

	places []place
	tests  []testLine
}

// Misplaced reports whether tests have directives, which [Roots.Load] reports.
func (r *Roots) Misplaced() bool { return len(r.tests) > 0 }

// Dirs returns all directories that match the patterns.
func (r *Roots) Dirs() (dirs []string) {
	for _, p := range r.places {
		dirs = append(dirs, p.dir)
	}
	return dirs
}

// Find returns the directories that match patterns relative to dir.
func Find(dir string, patterns []string) (*Roots, error) {
	places, err := expand(dir, patterns)
	if err != nil {
		return nil, err
	}
	marked, err := markedDirs(places)
	if err != nil {
		return nil, err
	}
	return &Roots{Dir: dir, Patterns: patterns, Marked: marked, places: places, tests: testLines(places)}, nil
}

// Load loads the packages. It adds errors in the Go source to list. The returned error is about the patterns or the go
// command.
func (r *Roots) Load(ctx context.Context, fset *token.FileSet, list *diag.List) ([]*model.Package, error) {
	reportTests(r.tests, list)
	if len(r.Marked) == 0 {
		if !r.Misplaced() {
			reportNone(r.places, list)
		}
		return nil, nil
	}
	config := &packages.Config{Context: ctx, Mode: mode, Dir: r.Dir, Fset: fset, ParseFile: parse, BuildFlags: buildFlags}
	loaded, err := load(config, r.Marked)
	if err != nil {
		return nil, err
	}
	if len(loaded) == 0 {
		if _, _, err := Module(r.Marked[0]); err != nil {
			return nil, err
		}
		// Package packages ignores errors from the go command when it asks for export data.
		if _, err := load(&packages.Config{Context: ctx, Mode: packages.NeedCompiledGoFiles, Dir: r.Marked[0]}, r.Marked); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("no packages found in %s; run jptoolgen inside the module that contains them", cmp.Or(strings.Join(r.Patterns, ", "), r.Dir))
	}
	var built []*packages.Package
	for _, p := range loaded {
		switch excluded := len(p.GoFiles) == 0 && len(p.IgnoredFiles) > 0; {
		case !excluded:
			built = append(built, p)
		case slices.ContainsFunc(r.places, func(at place) bool { return at.single && at.dir == filepath.Dir(p.IgnoredFiles[0]) }):
			return nil, fmt.Errorf("build constraints exclude all Go files in %s; set GOOS or GOFLAGS=-tags=TAG", p.PkgPath)
		}
	}
	accepted, err := accept(built, fset, list)
	if err != nil || list.Len() > 0 {
		return accepted, err
	}
	return accepted, requireSDK(config, built)
}

func load(config *packages.Config, dirs []string) ([]*packages.Package, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, fmt.Errorf("loading packages: %w", err)
	}
	patterns := make([]string, len(dirs))
	for i, dir := range dirs {
		patterns[i] = "pattern=" + dir // paths may contain =
	}
	loaded, err := packages.Load(config, patterns...)
	if err == nil {
		if generated := generatedFiles(loaded); len(generated) > 0 {
			loaded, err = loadWithout(generated, config, patterns)
		}
	}
	if err != nil {
		message := err.Error()
		if failure, output, ok := strings.Cut(message, ": stderr: "); ok { // the output of the go command
			message = cmp.Or(strings.TrimSpace(output), strings.TrimPrefix(failure, "err: "))
		}
		return nil, fmt.Errorf("loading packages: %s", strings.TrimSpace(message))
	}
	return loaded, nil
}

// parse parses a file. In generated code, it only parses the package clause, so the file declares nothing.
func parse(fset *token.FileSet, filename string, src []byte) (*ast.File, error) {
	if isGenerated(filename) {
		return parser.ParseFile(fset, filename, src, parser.PackageClauseOnly)
	}
	return parser.ParseFile(fset, filename, src, syntax)
}

func isGenerated(filename string) bool { return filepath.Base(filename) == Generated }

// accept checks the loaded packages and converts them to model packages.
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
		files := slices.DeleteFunc(slices.Clone(p.Syntax), func(f *ast.File) bool {
			return isGenerated(fset.PositionFor(f.Package, false).Filename)
		})
		accepted = append(accepted, &model.Package{
			Dir: filepath.Dir(p.GoFiles[0]), Fset: fset, Files: files, Types: p.Types, Info: p.TypesInfo, Ignored: p.IgnoredFiles,
			Parse: func(filename string) (*ast.File, error) {
				if rest, ok := strings.CutPrefix(filename, "$GOROOT"); ok { // the form of names in export data
					filename = root() + rest
				}
				return parser.ParseFile(fset, filename, nil, syntax)
			},
			Ours: inModuleOf(p),
		})
	}
	return accepted, nil
}

// goRoot returns the GOROOT of the go command, or "" if the command fails.
func goRoot() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "" // without GOROOT, the files of the standard library cannot be read
	}
	return strings.TrimSpace(string(out))
}

// requireSDK returns an error if the module does not require the package that generated code imports. It asks
// the go command, unless a package imports the SDK itself.
func requireSDK(config *packages.Config, loaded []*packages.Package) error {
	if len(loaded) == 0 || slices.ContainsFunc(loaded, func(p *packages.Package) bool { return p.Imports[sdktypes.SDK] != nil }) {
		return nil
	}
	found, err := packages.Load(&packages.Config{Context: config.Context, Dir: config.Dir, Mode: packages.NeedName}, sdktypes.SDK)
	if err != nil {
		return fmt.Errorf("loading packages: %w", err)
	}
	for _, p := range found {
		if len(p.Errors) == 0 {
			continue
		}
		why := p.Errors[0].Msg
		if strings.Contains(why, "no required module provides package") || strings.Contains(why, "cannot find module providing package") {
			return fmt.Errorf("loading %s: the module does not require %s; run go get %s", loaded[0].PkgPath, sdktypes.SDK, sdktypes.SDK)
		}
		return fmt.Errorf("loading %s: cannot import %s: %s", loaded[0].PkgPath, sdktypes.SDK, why)
	}
	return nil
}

// inModuleOf returns a function that reports whether a package belongs to the module of p.
func inModuleOf(p *packages.Package) func(string) bool {
	return func(path string) bool {
		return p.Module != nil && (path == p.Module.Path || strings.HasPrefix(path, p.Module.Path+"/"))
	}
}
