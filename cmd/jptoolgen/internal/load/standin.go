package load

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/sdk/gen/declared"
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
// there, and what is there may not compile any more.
func standIns(roots []string) (map[string][]byte, error) {
	modules := map[string]*moduleSyntax{}
	overlay := map[string][]byte{}
	for _, root := range roots {
		at, path, err := moduleOf(root)
		if err != nil {
			return nil, err
		}
		dirs := []string{root} // which walk may pass by
		if modules[at] == nil {
			modules[at] = &moduleSyntax{root: at, path: path, packages: map[string]*syntaxOf{}}
			below, err := walk(at)
			if err != nil {
				return nil, err
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
				return nil, err
			}
			if files == nil {
				continue
			}
			if code := standIn(modules[at].read(d, files)); code != nil {
				overlay[name] = code
			}
		}
	}
	return overlay, nil
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
