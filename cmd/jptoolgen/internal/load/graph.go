package load

import (
	"bytes"
	"context"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/tools/go/packages"
)

// A Dependency is a package that handwritten files of the roots import, directly or through other packages.
type Dependency struct {
	Path, Dir string
	// Inputs is the part of the build ID that identifies the files and flags that the package was compiled from.
	Inputs   string
	Standard bool
}

// A graph holds the packages that the roots depend on.
type graph struct {
	dependencies []Dependency
	dirs         map[string]bool
	other        atomic.Bool // whether the models depend on other files, too
}

// read notes that a model depends on a file. inputs may be nil.
func (inputs *graph) read(filename string) {
	if inputs != nil && (filepath.Ext(filename) != ".go" || !inputs.dirs[filepath.Dir(filename)]) {
		inputs.other.Store(true)
	}
}

// Loaded returns the dependencies of the loaded packages as [Roots.List] does. ok is false if they do not identify
// everything that the packages and their models depend on.
func (r *Roots) Loaded() (dependencies []Dependency, ok bool) {
	if r.graph == nil || r.graph.other.Load() {
		return nil, false
	}
	return r.graph.dependencies, true
}

// graphOf returns the graph of loaded packages, or nil if it has a package without a build ID or a root with cgo.
func graphOf(roots []*packages.Package) *graph {
	g := &graph{dirs: map[string]bool{}}
	seen := map[string]bool{}
	var next []*packages.Package
	for _, root := range roots {
		if !slices.Equal(root.GoFiles, root.CompiledGoFiles) { // cgo, whose input includes files of the system
			return nil
		}
		seen[root.PkgPath], g.dirs[root.Dir] = true, true
		for _, file := range root.Syntax {
			if isGenerated(root.Fset.PositionFor(file.Package, false).Filename) {
				continue
			}
			for _, spec := range file.Imports {
				if path, err := strconv.Unquote(spec.Path.Value); err == nil && root.Imports[path] != nil {
					next = append(next, root.Imports[path])
				}
			}
		}
	}
	for len(next) > 0 {
		p := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[p.PkgPath] || p.PkgPath == "unsafe" {
			continue
		}
		seen[p.PkgPath] = true
		id, err := buildID(p.ExportFile)
		if err != nil {
			return nil
		}
		g.dirs[p.Dir] = true
		g.dependencies = append(g.dependencies, Dependency{p.PkgPath, p.Dir, inputsOf(id), p.Module == nil})
		for _, imported := range p.Imports {
			next = append(next, imported)
		}
	}
	slices.SortFunc(g.dependencies, func(x, y Dependency) int { return strings.Compare(x.Path, y.Path) })
	return g
}

// buildID returns the build ID in a file with export data.
func buildID(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 4<<10))
	if err != nil {
		return "", err
	}
	_, rest, _ := bytes.Cut(head, []byte("\nbuild id \""))
	id, _, found := bytes.Cut(rest, []byte{'"'})
	if !found {
		return "", errors.New("no build ID")
	}
	return string(id), nil
}

func inputsOf(id string) string {
	inputs, _, _ := strings.Cut(id, "/")
	return inputs
}

// listed is a package in the output of go list.
type listed struct {
	Dependency

	named            bool // a root
	cgo              bool
	goFiles, imports []string
}

// listFormat prints the fields of a package on one line. It is read faster than JSON.
const listFormat = `{{.ImportPath}}{{"\t"}}{{.Dir}}{{"\t"}}{{.BuildID}}{{"\t"}}{{.Standard}}{{"\t"}}` +
	`{{not .DepOnly}}{{"\t"}}` +
	`{{len .CgoFiles}}{{"\t"}}{{join .GoFiles "|"}}{{"\t"}}{{join .Imports "|"}}{{"\t"}}` +
	`{{with .Error}}{{printf "%.2s" .Err}}{{end}}`

// readListed reads a line. ok is false if the go command reports an error other than that of the unknown flag.
func readListed(line string) (p *listed, ok bool) {
	f := strings.Split(line, "\t")
	if len(f) != 9 {
		return nil, false // a tab in the name of a directory
	}
	p = &listed{
		Dependency: Dependency{f[0], f[1], inputsOf(f[2]), f[3] == "true"},
		named:      f[4] == "true", cgo: f[5] != "0", goFiles: strings.Split(f[6], "|"), imports: strings.Split(f[7], "|"),
	}
	return p, f[8] == "" || p.named && f[8] == "# "
}

// List asks the go command for the dependencies. It does not read source files except for the imports of the roots.
// ok is false if the go command reports an error, or if a package has no build ID.
func (r *Roots) List(ctx context.Context) (dependencies []Dependency, ok bool) {
	args := append([]string{"list", "-e", "-compiled", "-export", "-deps", "-buildvcs=false", "-pgo=off",
		"-f=" + listFormat}, buildFlags...)
	cmd := exec.CommandContext(ctx, "go", append(append(args, "--"), r.Marked...)...)
	cmd.Dir = r.Dir
	out, err := cmd.Output()
	if err != nil {
		return nil, false
	}
	all := map[string]*listed{}
	var next []string
	for line := range strings.Lines(string(out)) {
		p, ok := readListed(strings.TrimSuffix(line, "\n"))
		if !ok {
			return nil, false
		}
		all[p.Path] = p
		if !p.named {
			continue
		}
		imports, ok := handwrittenImports(p)
		if !ok {
			return nil, false
		}
		next = append(next, imports...)
	}
	seen := map[string]bool{"unsafe": true, "C": true, "": true}
	for len(next) > 0 {
		path := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[path] {
			continue
		}
		seen[path] = true
		p := all[path]
		switch {
		case p == nil || !p.named && p.Inputs == "":
			return nil, false
		case !p.named:
			dependencies = append(dependencies, p.Dependency)
			next = append(next, p.imports...)
		}
	}
	slices.SortFunc(dependencies, func(x, y Dependency) int { return strings.Compare(x.Path, y.Path) })
	return dependencies, true
}

// handwrittenImports returns the imports of a root without those of its generated file.
func handwrittenImports(root *listed) (imports []string, ok bool) {
	if root.cgo {
		return nil, false
	}
	for _, name := range root.goFiles {
		if name == "" || isGenerated(name) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root.Dir, name), nil, parser.ImportsOnly)
		if err != nil {
			return nil, false
		}
		for _, spec := range file.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				imports = append(imports, path)
			}
		}
	}
	return imports, true
}
