// Package gofile formats generated Go code.
package gofile

import (
	"bytes"
	"fmt"
	"go/format"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

// Text returns the text of a file with its imports in two groups: the standard library, and other packages. It
// returns an error if the code cannot be parsed.
func Text(f *jen.File) ([]byte, error) {
	var b bytes.Buffer
	f.NoFormat = true // the code is formatted once, below
	if err := f.Render(&b); err != nil {
		return nil, fmt.Errorf("rendering: %w", err)
	}
	formatted, err := format.Source(groupImports(b.Bytes()))
	if err != nil {
		return nil, fmt.Errorf("formatting: %w", err)
	}
	return formatted, nil
}

// Comment returns a comment with several lines. Package jen would print it as a block.
func Comment(lines ...string) *jen.Statement {
	s := jen.Null()
	for i, line := range lines {
		if i > 0 {
			s.Line()
		}
		s.Comment(strings.TrimSpace("// " + line))
	}
	return s
}

// groupImports puts the imports of the standard library before other imports, each group sorted by path.
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

// pathOf returns the import path in a line.
func pathOf(line string) string {
	_, path, _ := strings.Cut(line, `"`)
	return strings.TrimSuffix(path, `"`)
}
