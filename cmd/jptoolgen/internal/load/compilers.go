package load

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"
)

// leftToCompiler reports whether a type error is the compiler's to report: one in the body of a function
// or the value of a variable, which the model has no part of, or one about a name that a generated file
// declares.
func leftToCompiler(p *packages.Package, pos token.Pos, message string, generated map[string]bool) bool {
	for _, file := range p.Syntax {
		if pos < file.FileStart || file.FileEnd <= pos {
			continue
		}
		if filepath.Base(p.Fset.PositionFor(file.Package, false).Filename) == Generated {
			return false
		}
		return isCode(file, pos) || mentions(message, generated)
	}
	return false
}

// isCode reports whether a position is in the body of a function or the value of a variable.
func isCode(file *ast.File, pos token.Pos) bool {
	for _, decl := range file.Decls {
		if pos < decl.Pos() || decl.End() <= pos {
			continue
		}
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			return decl.Body != nil && decl.Body.Pos() <= pos
		case *ast.GenDecl:
			return decl.Tok == token.VAR && isValue(decl, pos)
		}
	}
	return false
}

// isValue reports whether a position is in the value of a variable.
func isValue(decl *ast.GenDecl, pos token.Pos) bool {
	for _, spec := range decl.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for _, value := range spec.Values {
			if value.Pos() <= pos && pos < value.End() {
				return true
			}
		}
	}
	return false
}

// mentions reports whether a message has one of the names.
func mentions(message string, names map[string]bool) bool {
	words := strings.FieldsFunc(message, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(words, func(word string) bool { return names[word] })
}
