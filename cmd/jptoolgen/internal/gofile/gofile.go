// Package gofile formats generated Go code.
package gofile

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"
	"golang.org/x/tools/imports"
)

// Text returns the text of a file with its imports in two groups: the standard library, and other packages. It
// returns an error if the code cannot be parsed.
func Text(f *jen.File) ([]byte, error) {
	var b bytes.Buffer
	f.NoFormat = true // the code is formatted once, below
	if err := f.Render(&b); err != nil {
		return nil, fmt.Errorf("rendering: %w", err)
	}
	formatted, err := imports.Process("", b.Bytes(), &imports.Options{FormatOnly: true, Comments: true, TabIndent: true, TabWidth: 8})
	if err != nil {
		return nil, fmt.Errorf("formatting: %w", err)
	}
	return formatted, nil
}

// Comment returns a comment with several lines. Package jen would print it as a block comment.
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
