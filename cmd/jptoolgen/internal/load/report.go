package load

import (
	"errors"
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// report adds the errors in a package to list, except the errors that are left to the Go compiler. It reports
// whether the package has no such errors. The returned error holds errors that are not about the source.
func report(p *packages.Package, list *diag.List) (sound bool, err error) {
	before := list.Len()
	for _, e := range p.TypeErrors {
		if !leftToCompiler(p, e) {
			typeError(p, e.Fset.Position(e.Pos), e.Msg, list)
		}
	}
	var trouble []error
	for _, e := range p.Errors {
		pos, ok := diag.ParsePosition(e.Pos)
		switch {
		case e.Kind == packages.TypeError || fromCompiler(e):
		case e.Kind == packages.ParseError && ok:
			list.AddAt(pos, diag.GoError, "%s", firstLine(e.Msg))
		default:
			trouble = append(trouble, errors.New(strings.TrimSpace(e.Msg)))
		}
	}
	if list.Len() > before {
		return false, nil // this error may have caused the others
	}
	if len(trouble) > 0 {
		return false, fmt.Errorf("loading %s: %w", p.PkgPath, errors.Join(trouble...))
	}
	return len(p.GoFiles) > 0, nil
}

// fromCompiler reports whether an error is the output of the go command from compiling a package. Such an error
// is not needed, because this package checks the types itself, without the generated file.
func fromCompiler(e packages.Error) bool { return strings.HasPrefix(e.Msg, "# ") }

func typeError(p *packages.Package, pos token.Position, message string, list *diag.List) {
	missing, isMissing := missingPackage(message)
	switch {
	case isMissing && oursOf(p)(missing):
		list.AddAt(pos, diag.GoError, "this module has no package %s", missing).Suggest("create it, or correct the import path")
	case isMissing:
		list.AddAt(pos, diag.GoError, "no required module provides package %s", missing).Suggest("run go get %s", missing)
	default:
		list.AddAt(pos, diag.GoError, "%s", firstLine(message))
	}
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
