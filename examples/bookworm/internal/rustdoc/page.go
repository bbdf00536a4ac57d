// Package rustdoc parses the HTML pages of rustdoc 1.63 to 1.95: items with their declarations, their
// documentation as Markdown, and source files.
package rustdoc

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxPage is the maximum size of a page in bytes. The largest pages of the standard library are 6 MB in size.
const maxPage = 32 << 20

var errNoItem = errors.New("the page does not describe an item in a format that rustdoc 1.63 to 1.95 generates")

var errTooLarge = fmt.Errorf("the page is larger than %d MiB", maxPage>>20)

// An Item is an item of a crate as shown on a page.
type Item struct {
	Kind Kind
	// Path is the full path, such as serde_json::value::Value::pointer.
	Path string
	// Trait is the trait that declares the item, as written in the impl, such as Index<I>, or "" if there is
	// none.
	Trait string
	// Declaration is the Rust code that declares the item, or "" if the page has none.
	Declaration string
	// Documentation is Markdown.
	Documentation string
	// Page and Fragment locate the item in the archive.
	Page, Fragment string
	// Source is the page of the source: a page of the archive below src/, or an external URL. It is "" if the
	// source is unknown.
	Source string
	// Lines is the fragment of Source: 10-40, or 10 for a single line.
	Lines string
}

// page is a parsed page of an archive.
type page struct {
	name string // name of the page in the archive
	path string // path of the item
	kind Kind
	main *html.Node
	md   *markdown
}

// foreignSections are the starts of sections with other items: impls of traits for the type, and impls of the
// trait for other types.
var foreignSections = [][]byte{
	[]byte(`<h2 id="synthetic-implementations"`),
	[]byte(`<h2 id="blanket-implementations"`),
	[]byte(`<h2 id="foreign-impls"`),
	[]byte(`<h2 id="implementors"`),
}

// ownPart cuts a page where sections with other items begin. These sections are the largest part of many pages.
func ownPart(data []byte) []byte {
	end := len(data)
	for _, heading := range foreignSections {
		if i := bytes.Index(data[:end], heading); i >= 0 {
			end = i
		}
	}
	return data[:end]
}

// redirect returns the target of a page that only redirects, or false for other pages.
func redirect(data []byte) (string, bool) {
	head := data[:min(len(data), 4<<10)]
	if !bytes.Contains(head, []byte("<title>Redirection</title>")) {
		return "", false
	}
	_, rest, found := bytes.Cut(head, []byte(`content="0;URL=`))
	target, _, closed := bytes.Cut(rest, []byte(`"`))
	if !found || !closed {
		return "", true
	}
	return html.UnescapeString(string(target)), true
}

// isSource reports whether a page shows a source file.
func isSource(data []byte) bool {
	_, rest, _ := bytes.Cut(data, []byte("<body"))
	tag, _, _ := bytes.Cut(rest, []byte(">"))
	return bytes.Contains(tag, []byte("rustdoc source")) || bytes.Contains(tag, []byte("rustdoc src"))
}

// parsePage parses the page with the given name. It only parses the part with the content.
func parsePage(name string, data []byte, md *markdown) (*page, error) {
	if len(data) > maxPage {
		return nil, errTooLarge
	}
	path, kind, ok := pageItem(name)
	if !ok || isSource(data) {
		return nil, errNoItem
	}
	start := bytes.Index(data, []byte(`<section id="main-content"`))
	if start < 0 {
		return nil, errNoItem
	}
	root, err := html.Parse(bytes.NewReader(data[start:]))
	if err != nil { // the elements of the page are nested too deeply
		return nil, fmt.Errorf("%w: %w", errNoItem, err)
	}
	main := find(root, func(n *html.Node) bool { return attribute(n, "id") == "main-content" })
	if main == nil {
		return nil, errNoItem
	}
	return &page{name: name, path: path, kind: kind, main: main, md: md}, nil
}

// item returns the item of the page.
func (p *page) item() (Item, error) {
	it := Item{Kind: p.kind, Path: p.path, Page: p.name, Declaration: p.declaration()}
	it.Source, it.Lines = p.ownSource()
	var err error
	it.Documentation, err = p.md.convert(p.top(), p.name)
	return it, err
}

// declaration returns the code at the top of the page. Pages of modules, primitive types and keywords have none.
func (p *page) declaration() string {
	for n := range elements(p.main, isDocblock) {
		if n.DataAtom == atom.Pre && hasClass(n, "rust") && isWithin(n, "item-decl") {
			return code(n)
		}
	}
	return ""
}

// ownSource returns the source of the page's item. It uses the link in the heading, because later links belong
// to parts of the item.
func (p *page) ownSource() (source, lines string) {
	h := find(p.main, func(n *html.Node) bool { return n.DataAtom == atom.H1 })
	if h == nil {
		return "", ""
	}
	if hasClass(h.Parent, "main-heading") {
		h = h.Parent
	}
	return p.source(h)
}

// top returns the documentation for the page's item: the content of the top toggle, or else a block before the
// first section. Later blocks belong to fields, variants and other parts.
func (p *page) top() *html.Node {
	for c := range p.main.ChildNodes() {
		switch {
		case hasClass(c, "top-doc"):
			return find(c, isDocblock)
		case c.Type == html.ElementNode && isDocblock(c):
			return c
		case c.DataAtom == atom.H2, attribute(c, "id") != "":
			return nil
		}
	}
	return nil
}

// source returns the target of the first source link at or below n.
func (p *page) source(n *html.Node) (source, lines string) {
	a := find(n, func(n *html.Node) bool { return n.DataAtom == atom.A && hasClass(n, "src", "srclink") })
	if a == nil {
		return "", ""
	}
	target, outside := resolve(p.name, attribute(a, "href"))
	source, lines, _ = strings.Cut(target, "#")
	if !outside && !strings.HasPrefix(source, "src/") {
		return "", ""
	}
	return source, lines
}
