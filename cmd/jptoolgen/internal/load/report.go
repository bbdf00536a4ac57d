package load

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// report adds the errors of a package to list, but those that are the compiler's to
// report. A sound package has none. An error that is not about the source is trouble.
func report(p *packages.Package, generated map[string]bool, list *diag.List) (sound bool, err error) {
	before := list.Len()
	var trouble []error
	left := 0            // errors that are left to the compiler
	var lead types.Error // the error that those with a tab before them go on about
	for _, e := range p.TypeErrors {
		pos := e.Fset.Position(e.Pos)
		name, more := strings.CutPrefix(e.Msg, "\tother declaration of ")
		if !more {
			lead = e
		}
		switch lead := lead.Fset.Position(lead.Pos); {
		case more && inStandIn(lead) && !inStandIn(pos):
			taken(p, e, name, list)
		case leftToCompiler(p, e.Pos, e.Msg, generated):
			left++
		default:
			trouble = append(trouble, typeError(p, pos, e.Msg, list)...)
		}
	}
	for _, e := range p.Errors {
		pos, ok := position(e.Pos)
		switch {
		case e.Kind == packages.TypeError:
		case left > 0 && strings.HasPrefix(e.Msg, "# "): // the same errors, of the go command that compiled it
		case e.Kind == packages.ParseError && ok:
			list.AddAt(pos, diag.GoError, "%s", firstLine(e.Msg))
		default:
			trouble = append(trouble, errors.New(strings.TrimSpace(e.Msg)))
		}
	}
	if list.Len() > before {
		return false, nil // the trouble may come of it
	}
	if len(trouble) > 0 {
		return false, fmt.Errorf("loading %s: %w", p.PkgPath, errors.Join(trouble...))
	}
	return len(p.GoFiles) > 0, nil
}

// typeError adds a type error to list, or returns it if it is about the stand-in:
// then something is wrong that the author has not written.
func typeError(p *packages.Package, pos token.Position, message string, list *diag.List) (trouble []error) {
	missing, isMissing := missingPackage(message)
	name, _, isTaken := strings.Cut(message, " redeclared in this block")
	switch {
	case isMissing && inStandIn(pos):
		return []error{fmt.Errorf("the module does not require %s; run go get %s", missing, missing)}
	case inStandIn(pos):
		return []error{errors.New(message)}
	case isMissing && oursOf(p)(missing):
		list.AddAt(pos, diag.GoError, "there is no package %s in this module", missing).Suggest("write it, or another path")
	case isMissing:
		list.AddAt(pos, diag.GoError, "package %s is in no module that this one requires", missing).Suggest("run go get %s", missing)
	case isTaken && name == constructor:
		takenAt(pos, name, list)
	default:
		list.AddAt(pos, diag.GoError, "%s", firstLine(message))
	}
	return nil
}

func inStandIn(pos token.Position) bool { return filepath.Base(pos.Filename) == Generated }

// taken adds a finding for a declaration of the author's that the stand-in has, too.
// One of another package was imported with all its names.
func taken(p *packages.Package, e types.Error, name string, list *diag.List) {
	for _, file := range p.Syntax {
		if file.FileStart <= e.Pos && e.Pos < file.FileEnd {
			takenAt(e.Fset.Position(e.Pos), name, list)
			return
		}
	}
	for _, file := range p.Syntax {
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err == nil && spec.Name != nil && spec.Name.Name == "." && p.Imports[path] != nil && p.Imports[path].Types.Scope().Lookup(name) != nil {
				list.Add(spec.Pos(), diag.TakenName, "%s is imported here, and the generated file declares it", name).
					Suggest("import the package without the dot")
			}
		}
	}
}

func takenAt(pos token.Position, name string, list *diag.List) {
	list.AddAt(pos, diag.TakenName, "%s is declared here, and the generated file declares it too", name).Suggest("rename it")
}

// missingPackage returns the package that a type error says is nowhere.
func missingPackage(message string) (path string, ok bool) {
	rest, ok := strings.CutPrefix(message, "could not import ")
	path, _, found := strings.Cut(rest, ` (invalid package name: "")`)
	return path, ok && found
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
