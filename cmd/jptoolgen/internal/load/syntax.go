package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/internal/declared"
)

// moduleSyntax is the syntax of a module's packages, as far as it was needed.
type moduleSyntax struct {
	root, path string
	packages   map[string]*syntaxOf // by directory
}

// syntaxOf is the syntax of the handwritten files of one directory.
type syntaxOf struct {
	module *moduleSyntax
	// path is the import path, "" for what stands outside of the module.
	path  string
	files []*file
	types map[string]declaration // by name, made when first asked for
}

// A declaration is that of a type, in a file.
type declaration struct {
	spec *ast.TypeSpec
	file *file
}

type file struct {
	pkg    *syntaxOf
	name   string
	syntax *ast.File
	sites  directive.Sites
	// marked says that the file has //jp: lines.
	marked bool
}

// read parses the files of a directory once. What is wrong with them is left to
// the load.
func (m *moduleSyntax) read(dir string, texts map[string][]byte) *syntaxOf {
	if pkg, known := m.packages[dir]; known {
		return pkg
	}
	pkg := &syntaxOf{module: m}
	if rel, err := filepath.Rel(m.root, dir); err == nil && !strings.HasPrefix(rel, "..") {
		pkg.path = path.Join(m.path, filepath.ToSlash(rel))
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fset := token.NewFileSet()
		syntax, _ := parser.ParseFile(fset, name, texts[name], parser.ParseComments|parser.SkipObjectResolution)
		if syntax == nil || syntax.Name == nil || syntax.Name.Name == "" {
			continue
		}
		sites := directive.Read(syntax, diag.NewList(fset, ""))
		pkg.files = append(pkg.files, &file{pkg, name, syntax, sites, isMarked(texts[name])})
	}
	m.packages[dir] = pkg
	return pkg
}

// find returns the package of an import path, nil for one of another module.
func (m *moduleSyntax) find(importPath string) *syntaxOf {
	rel, ok := strings.CutPrefix(importPath, m.path)
	if !ok || rel != "" && rel[0] != '/' {
		return nil
	}
	dir := filepath.Join(m.root, filepath.FromSlash(rel))
	texts, err := handwrittenIn(dir)
	if err != nil {
		return nil
	}
	return m.read(dir, texts)
}

// declared returns the first declaration of a type and the file it stands in.
func (p *syntaxOf) declared(name string) (*ast.TypeSpec, *file) {
	if p.types == nil {
		p.types = map[string]declaration{}
		for _, f := range p.files {
			for _, t := range typeSpecs(f.syntax) {
				if _, known := p.types[t.Name.Name]; !known {
					p.types[t.Name.Name] = declaration{t, f}
				}
			}
		}
	}
	found := p.types[name]
	return found.spec, found.file
}

// names returns what the files of a package declare that are built whenever one
// with the given //go:build line is.
func (p *syntaxOf) names(pkg, constraint string) map[string]bool {
	names := map[string]bool{}
	for _, f := range p.files {
		if own := declared.Constraint(f.syntax, f.name); f.syntax.Name.Name != pkg || own != "" && own != constraint {
			continue
		}
		for _, decl := range f.syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil {
					names[decl.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						names[spec.Name.Name] = true
					case *ast.ValueSpec:
						for _, id := range spec.Names {
							names[id.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}
