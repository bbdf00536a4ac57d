package declared

import (
	"go/ast"
	"go/doc/comment"
	"slices"
	"strings"
)

// Comment returns a comment as contracts contain it: one line per paragraph, without directives and without markers of
// other tools.
func Comment(g *ast.CommentGroup) string {
	text := plain(g)
	if text == "" {
		return ""
	}
	var parser comment.Parser
	printer := comment.Printer{TextWidth: -1}
	return strings.TrimSpace(string(printer.Text(parser.Parse(text))))
}

// words returns the first comment that is not empty.
func words(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if text := Comment(g); text != "" {
			return text
		}
	}
	return ""
}

// directives returns the //jp: lines of comments that affect the contract.
func directives(groups ...*ast.CommentGroup) []ast.Directive {
	var all []ast.Directive
	for _, g := range groups {
		if g == nil {
			continue
		}
		for _, c := range g.List {
			if d, ok := ast.ParseDirective(c.Slash, c.Text); ok && d.Tool == "jp" && d.Name != "allow" {
				all = append(all, d)
			}
		}
	}
	return all
}

// has reports whether the comments contain a directive with this name.
func has(groups []*ast.CommentGroup, name string) bool {
	for _, d := range directives(groups...) {
		if d.Name == name {
			return true
		}
	}
	return false
}

// isServed reports whether one of the groups has a directive of a method that the server calls.
func isServed(groups []*ast.CommentGroup) bool {
	return slices.ContainsFunc([]string{"tool", "resource", "prompt", "list", "watch", "complete"}, func(name string) bool {
		return has(groups, name)
	})
}
