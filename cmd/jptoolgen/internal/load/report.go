package load

import (
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// report adds the errors of a package to list. A sound package has none. An error
// that is not about the source is trouble.
func report(p *packages.Package, list *diag.List) (sound bool, err error) {
	before := list.Len()
	var trouble []error
	for _, e := range p.TypeErrors {
		trouble = append(trouble, typeError(e.Fset.Position(e.Pos), e.Msg, list)...)
	}
	for _, e := range p.Errors {
		pos, ok := position(e.Pos)
		switch {
		case e.Kind == packages.TypeError:
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
func typeError(pos token.Position, message string, list *diag.List) (trouble []error) {
	missing, isMissing := missingPackage(message)
	taken, isTaken := takenName(message)
	standIn := filepath.Base(pos.Filename) == Generated
	switch {
	case isMissing && standIn:
		return []error{fmt.Errorf("the module does not require %s; run go get %s", missing, missing)}
	case standIn:
		return []error{errors.New(message)}
	case isMissing:
		list.AddAt(pos, diag.GoError, "package %s is in no module that this one requires", missing).Suggest("run go get %s", missing)
	case isTaken:
		list.AddAt(pos, diag.TakenName, "%s is declared here, and the generated file declares it too", taken).Suggest("rename it")
	default:
		list.AddAt(pos, diag.GoError, "%s", firstLine(message))
	}
	return nil
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

// takenName returns the generated name that a type error says is declared twice.
func takenName(message string) (string, bool) {
	name, _, ok := strings.Cut(message, " redeclared in this block")
	return name, ok && name == constructor
}
