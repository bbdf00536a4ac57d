package rustdoc

import (
	"iter"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// attribute returns the value of an attribute, or "" if it is missing.
func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// hasAttribute reports whether n has an attribute with any value.
func hasAttribute(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

// hasClass reports whether an element has any of the classes.
func hasClass(n *html.Node, classes ...string) bool {
	if n.Type != html.ElementNode {
		return false
	}
	for class := range strings.FieldsSeq(attribute(n, "class")) {
		if slices.Contains(classes, class) {
			return true
		}
	}
	return false
}

// isWithin reports whether an element or one of its ancestors has a class.
func isWithin(n *html.Node, class string) bool {
	for ; n != nil; n = n.Parent {
		if hasClass(n, class) {
			return true
		}
	}
	return false
}

// elements yields n and all elements below it in order. It does not descend into elements for which skip returns
// true.
func elements(n *html.Node, skip func(*html.Node) bool) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) { visit(n, skip, yield) }
}

func visit(n *html.Node, skip func(*html.Node) bool, yield func(*html.Node) bool) bool {
	if n.Type == html.ElementNode && !yield(n) {
		return false
	}
	if skip != nil && skip(n) {
		return true
	}
	for c := range n.ChildNodes() {
		if !visit(c, skip, yield) {
			return false
		}
	}
	return true
}

// find returns the first element at or below n for which match returns true, or nil if match always returns false.
func find(n *html.Node, match func(*html.Node) bool) *html.Node {
	for e := range elements(n, nil) {
		if match(e) {
			return e
		}
	}
	return nil
}

// nextElement returns the next sibling element of n, or nil if n is the last element.
func nextElement(n *html.Node) *html.Node {
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		if s.Type == html.ElementNode {
			return s
		}
	}
	return nil
}

func isHeading(n *html.Node) bool {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

func isDocblock(n *html.Node) bool {
	return n.DataAtom == atom.Div && hasClass(n, "docblock") && !hasClass(n, "item-decl")
}

// isNoise reports whether an element is only an aid for readers of the page: a link to the element itself or to
// its source, a button, or a hint.
func isNoise(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Button, atom.Script, atom.Style, atom.Noscript, atom.Svg, atom.Iframe:
		return true
	case atom.Summary:
		return hasClass(n, "hideme")
	case atom.A:
		return hasClass(n, "anchor", "doc-anchor", "src", "srclink", "tooltip", "test-arrow")
	case atom.Span, atom.Div:
		return hasClass(n, "notable-traits", "rightside", "out-of-band", "since", "item-info", "tooltip", "information") || hasAttribute(n, "data-nosnippet")
	}
	return false
}

// code returns the text of Rust code on a page, without noise and with the line breaks of the page.
func code(n *html.Node) string {
	var w codeWriter
	w.write(n)
	return strings.TrimSpace(w.String())
}

type codeWriter struct {
	strings.Builder
	broken bool // a block has ended, so the next text starts on a new line
}

func (w *codeWriter) write(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		w.text(strings.ReplaceAll(n.Data, "\u00a0", " "))
	case n.Type != html.ElementNode || isNoise(n):
	case n.DataAtom == atom.Br:
		w.text("\n")
	case n.DataAtom == atom.Div || n.DataAtom == atom.Details:
		w.breakLine()
		w.children(n)
		w.breakLine()
	default:
		w.children(n)
	}
}

func (w *codeWriter) children(n *html.Node) {
	for c := range n.ChildNodes() {
		w.write(c)
	}
}

func (w *codeWriter) breakLine() { w.broken = w.Len() > 0 && !strings.HasSuffix(w.String(), "\n") }

func (w *codeWriter) text(s string) {
	if s == "" {
		return
	}
	if w.broken && s[0] != '\n' {
		w.WriteByte('\n')
	}
	w.broken = false
	w.WriteString(s)
}
