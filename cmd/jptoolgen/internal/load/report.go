package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
)

// report adds the errors in a package to list, except the errors that are left to the Go compiler. sound is true if the
// package has Go files and the only errors in it are those that are left to the Go compiler. The returned error holds errors that are not about the source.
func report(p *packages.Package, list *diag.List) (sound bool, err error) {
	before := list.Len()
	if !slices.ContainsFunc(p.Errors, func(e packages.Error) bool { return e.Kind == packages.ParseError }) {
		typeErrors(p, list) // type errors may be consequences of a syntax error
	}
	var errs []error
	for _, e := range p.Errors {
		pos, ok := diag.ParsePosition(e.Pos)
		switch {
		case e.Kind == packages.TypeError || fromCompiler(e):
		case e.Kind == packages.ParseError && ok:
			list.AddAt(pos, diag.GoError, "%s", firstLine(e.Msg))
		default:
			errs = append(errs, errors.New(strings.TrimSpace(e.Msg)))
		}
	}
	if list.Len() > before {
		return false, nil // the added errors may have caused the others
	}
	if len(errs) > 0 {
		return false, fmt.Errorf("loading %s: %w", p.PkgPath, errors.Join(errs...))
	}
	return len(p.GoFiles) > 0, nil
}

// fromCompiler reports whether an error is the output of the go command from compiling a package. Such an error
// is not needed, because this package checks the types itself, without the generated file.
func fromCompiler(e packages.Error) bool { return strings.HasPrefix(e.Msg, "# ") }

func typeErrors(p *packages.Package, list *diag.List) {
	var last *diag.Finding // nil if the last error is left to the compiler
	for _, e := range p.TypeErrors {
		switch more, isMore := strings.CutPrefix(e.Msg, "\t"); {
		case !isMore && leftToCompiler(p, e):
			last = nil
		case !isMore:
			last = typeError(p, e, list)
		case last != nil:
			last.Message += fmt.Sprintf("; %s at %s", more, list.Place(e.Pos))
		}
	}
}

func typeError(p *packages.Package, e types.Error, list *diag.List) *diag.Finding {
	missing, isMissing := missingPackage(e.Msg)
	if !isMissing {
		message, place, isPlace := strings.Cut(firstLine(e.Msg), " already declared at ")
		if isPlace {
			message += " already declared at " + diag.Rel(list.Dir(), place)
		}
		return list.Add(e.Pos, diag.GoError, "%s", message)
	}
	f := list.Add(e.Pos, diag.GoError, "no required module provides package %s", missing)
	switch cause := importError(p, missing); {
	case inModuleOf(p)(missing):
		f.Message = "this module has no package " + missing
		f.Suggest("create it, or correct the import path")
	case cause == "" || strings.HasPrefix(cause, f.Message) || strings.HasPrefix(cause, "cannot find module providing package "+missing):
		f.Suggest("run go get %s", missing)
	default: // for example, another module of the workspace cannot be loaded
		f.Message = fmt.Sprintf("cannot import %s: %s", missing, cause)
	}
	return f
}

// importError returns the first line of what the go command says about a missing import of p, or "". Package packages
// does not return it.
func importError(p *packages.Package, missing string) string {
	if len(p.GoFiles) == 0 {
		return ""
	}
	cmd := exec.Command("go", "list", "-e", "-f", "{{with .Error}}{{.Err}}{{end}}", "--", missing)
	cmd.Dir = filepath.Dir(p.GoFiles[0])
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return firstLine(string(out))
}

// missingPackage returns the import path of the package that a type error reports as missing.
func missingPackage(message string) (path string, ok bool) {
	rest, ok := strings.CutPrefix(message, "could not import ")
	path, _, found := strings.Cut(rest, ` (invalid package name: "")`)
	return path, ok && found
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// leftToCompiler reports whether a type error is left to the Go compiler. Such an error is about an unused import or
// about a name that a generated file declares, or it is in a part that the model does not use: a function body or the
// value of a variable.
func leftToCompiler(p *packages.Package, e types.Error) bool {
	if e.Soft {
		return true
	}
	for _, file := range p.Syntax {
		if file.FileStart <= e.Pos && e.Pos < file.FileEnd {
			return isCode(file, e.Pos) || isDeclaredForTool(p, e.Msg)
		}
	}
	return false
}

// isCode reports whether pos is in a function body or in the value of a variable.
func isCode(file *ast.File, pos token.Pos) bool {
	return slices.ContainsFunc(file.Decls, func(decl ast.Decl) bool {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			return decl.Body != nil && decl.Body.Pos() <= pos && pos < decl.End()
		case *ast.GenDecl:
			return decl.Tok == token.VAR && slices.ContainsFunc(decl.Specs, func(spec ast.Spec) bool {
				return slices.ContainsFunc(spec.(*ast.ValueSpec).Values, func(e ast.Expr) bool { return e.Pos() <= pos && pos < e.End() })
			})
		}
		return false
	})
}

// isDeclaredForTool reports whether a type error is about a name that a generated file declares for a tool: the
// name is undefined, or a type does not satisfy the interface with that name. The generated file may belong to
// the package or to a package that it imports.
func isDeclaredForTool(p *packages.Package, message string) bool {
	name, undefined := strings.CutPrefix(message, "undefined: ")
	if !undefined {
		_, name, _ = strings.Cut(message, " does not satisfy ")
		name, _, _ = strings.Cut(name, " (")
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	if name == "" {
		return false
	}
	if declaresForTool(p, name) {
		return true
	}
	for path, imported := range p.Imports {
		if inModuleOf(p)(path) && declaresForTool(imported, name) {
			return true
		}
	}
	return false
}

// isFor reports whether the generated file declares a name for a method, provided that the method is a tool, a resource
// or a prompt. It may belong to the server or to a type that the server includes.
func isFor(name string, method *ast.FuncDecl) bool {
	typ := method.Recv.List[0].Type
	if pointer, ok := typ.(*ast.StarExpr); ok {
		typ = pointer.X
	}
	own := []string{method.Name.Name}
	if id, ok := typ.(*ast.Ident); ok {
		own = append(own, id.Name+method.Name.Name)
	}
	return slices.ContainsFunc(own, func(own string) bool {
		return name == model.ElicitorName(own) || name == model.CallerName(own) || name == model.URIName(own)
	})
}

// declaresForTool reports whether the generated file of p declares name for one of its tools.
func declaresForTool(p *packages.Package, name string) bool {
	for _, filename := range p.GoFiles {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, filename, nil, syntax)
		if err != nil || isGenerated(filename) {
			continue
		}
		sites := directive.Read(file, diag.NewList(fset, ""))
		for _, decl := range file.Decls {
			method, ok := decl.(*ast.FuncDecl)
			if !ok || method.Recv.NumFields() == 0 || !isFor(name, method) {
				continue
			}
			for _, kind := range model.Kinds {
				if _, isServed := sites.Get(method.Name.Pos(), string(kind)); isServed {
					return true
				}
			}
		}
	}
	return false
}
