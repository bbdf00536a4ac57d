package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/internal/declared"
)

// constructor is the name that the generated code declares for main to use.
const constructor = "NewServer"

// marked returns the directories with //jp: lines.
func marked(places []place) ([]string, error) {
	var dirs []string
	for _, p := range places {
		files, err := sources(p.dir)
		if err != nil {
			return nil, err
		}
		if len(files) > 0 {
			dirs = append(dirs, p.dir)
		}
	}
	return dirs, nil
}

// nothing is the outcome of a run without //jp: lines: fine for a pattern of many
// packages, a finding about each that was named.
func nothing(places []place, list *diag.List) error {
	for _, p := range places {
		if p.single {
			list.AddAt(token.Position{Filename: p.dir, Line: 1, Column: 1}, diag.NoServer, "there is no //jp:server here").
				Suggest("write //jp:server above a struct type, and //jp:tool above its methods")
		}
	}
	return nil
}

// standIns returns, for every server of the modules that roots are in, what stands in
// for the code that is generated beside it: main may need it before it was ever
// there, and what is there may not compile any more. The names are those that the
// generated files declare for tools, if these ask questions.
func standIns(roots []string) (overlay map[string][]byte, names map[string]bool, err error) {
	modules := map[string]*moduleSyntax{}
	overlay, names = map[string][]byte{}, map[string]bool{}
	for _, root := range roots {
		at, path, err := moduleOf(root)
		if err != nil {
			return nil, nil, err
		}
		dirs := []string{root} // which walk may pass by
		if modules[at] == nil {
			modules[at] = &moduleSyntax{root: at, path: path, packages: map[string]*syntaxOf{}}
			below, err := walk(at)
			if err != nil {
				return nil, nil, err
			}
			dirs = append(dirs, below...)
		}
		for _, d := range dirs {
			name := filepath.Join(d, Generated)
			if _, done := overlay[name]; done {
				continue
			}
			files, err := sources(d)
			if err != nil {
				return nil, nil, err
			}
			if files == nil {
				continue
			}
			pkg := modules[at].read(d, files)
			if code := standIn(pkg); code != nil {
				overlay[name] = code
			}
			for _, t := range toolsOf(pkg) {
				names[model.ElicitorName(t.method.Name.Name)], names[model.CallerName(t.method.Name.Name)] = true, true
			}
		}
	}
	return overlay, names, nil
}

// A toolSyntax is a method with a //jp:tool line, and the file it stands in.
type toolSyntax struct {
	file   *file
	method *ast.FuncDecl
}

// toolsOf returns the tools of a package in the order of the source.
func toolsOf(pkg *syntaxOf) []toolSyntax {
	var all []toolSyntax
	for _, f := range pkg.files {
		for _, decl := range f.syntax.Decls {
			method, ok := decl.(*ast.FuncDecl)
			if !ok || method.Recv == nil {
				continue
			}
			if _, ok := f.sites.Get(method.Name.Pos(), "tool"); ok {
				all = append(all, toolSyntax{f, method})
			}
		}
	}
	return all
}

// standIn returns the code for one package, nil if there is none.
func standIn(pkg *syntaxOf) []byte {
	name, constraint := "", ""
	for _, f := range pkg.files {
		if !f.marked {
			continue
		}
		name, constraint = f.syntax.Name.Name, declared.Constraint(f.syntax, f.name)
		for _, t := range typeSpecs(f.syntax) {
			// A generic server is a finding, and would only spoil the stand-in.
			if _, ok := f.sites.Get(t.Name.Pos(), "server"); ok && t.TypeParams == nil {
				s := &surface{home: pkg, server: t.Name.Name, aliases: map[string]string{}}
				return s.code(name, constraint)
			}
		}
	}
	if name == "" {
		return nil
	}
	return fmt.Appendf(nil, "%s\n\npackage %s\n", constraint, name)
}

func typeSpecs(file *ast.File) []*ast.TypeSpec {
	var all []*ast.TypeSpec
	for _, decl := range file.Decls {
		if decl, ok := decl.(*ast.GenDecl); ok {
			for _, spec := range decl.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					all = append(all, t)
				}
			}
		}
	}
	return all
}
