package emit

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// What this file knows of package jen, so that no other has to: a comment of
// several lines is a block unless each is given by itself, a struct tag made from
// a map is sorted, a string literal is never raw, imports stand in one block, and
// one whose name is not told gets an alias.

// comment returns lines of comment, each as it is.
func comment(lines ...string) *jen.Statement {
	s := jen.Null()
	for i, line := range lines {
		if i > 0 {
			s.Line()
		}
		s.Comment(strings.TrimSpace("// " + line))
	}
	return s
}

// tag returns a struct tag as the author wrote it.
func tag(text string) *jen.Statement {
	if strings.ContainsRune(text, '`') {
		return jen.Op(strconv.Quote(text))
	}
	return jen.Op("`" + text + "`")
}

// text returns a string literal, raw where that is easier to read.
func text(s string) *jen.Statement {
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) {
		return jen.Op("`" + s + "`")
	}
	return jen.Lit(s)
}

// exactly returns code as it is.
func exactly(code string) *jen.Statement { return jen.Op(code) }

// lines returns a composite literal with a line for each value, in their order.
func lines(values ...jen.Code) *jen.Statement {
	return jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, values...)
}

// args returns the arguments of a call with a line for each.
func args(values ...jen.Code) *jen.Statement {
	return jen.Custom(jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}, values...)
}

// hanging returns the arguments of a call, the first beside it and the others on
// lines of their own. What ends the last is ")", or ",\n)" for a long list.
func hanging(end string, first jen.Code, rest ...jen.Code) *jen.Statement {
	s := jen.Op("(").Add(first)
	for _, arg := range rest {
		s.Op(",").Line().Add(arg)
	}
	return s.Op(end)
}

// render returns the text of a file, its imports in two groups.
func render(f *jen.File) ([]byte, error) {
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		return nil, fmt.Errorf("rendering: %w", err)
	}
	formatted, err := format.Source(groupImports(b.Bytes()))
	if err != nil {
		return nil, fmt.Errorf("formatting: %w", err)
	}
	return formatted, nil
}

// groupImports puts the standard library before the rest, each sorted by path.
func groupImports(code []byte) []byte {
	const open, end = "import (\n", "\n)\n"
	head, rest, ok := bytes.Cut(code, []byte(open))
	if !ok {
		return code
	}
	block, tail, _ := bytes.Cut(rest, []byte(end))
	var std, others []string
	for line := range strings.Lines(string(block)) {
		line = strings.TrimSpace(line)
		if first, _, _ := strings.Cut(pathOf(line), "/"); strings.Contains(first, ".") {
			others = append(others, line)
		} else {
			std = append(std, line)
		}
	}
	byPath := func(x, y string) int { return strings.Compare(pathOf(x), pathOf(y)) }
	slices.SortFunc(std, byPath)
	slices.SortFunc(others, byPath)
	sorted := strings.Join(std, "\n") + "\n\n" + strings.Join(others, "\n")
	return slices.Concat(head, []byte(open), []byte(sorted), []byte(end), tail)
}

// pathOf returns the path in a line of imports.
func pathOf(line string) string {
	_, path, _ := strings.Cut(line, `"`)
	return strings.TrimSuffix(path, `"`)
}
