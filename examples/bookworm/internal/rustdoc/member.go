package rustdoc

import (
	"iter"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// member returns the item that an element describes.
func (p *page) member(n *html.Node) (Item, error) {
	id := attribute(n, "id")
	it := Item{Kind: p.kind, Path: p.path, Page: p.name, Fragment: fragment(id), Declaration: heading(n)}
	if name, kind, ok := memberItem(id); ok {
		it.Kind, it.Path = kind, p.path+"::"+name
	}
	it.Trait = implementedTrait(n)
	it.Source, it.Lines = p.source(n)
	if head := impl(n); it.Source == "" && head != nil {
		it.Source, it.Lines = p.source(head)
	}
	if it.Source == "" {
		it.Source, it.Lines = p.ownSource()
	}
	var err error
	it.Documentation, err = p.md.convert(documentation(n), p.name)
	return it, err
}

// fragment decodes a percent-encoded id.
func fragment(id string) string {
	if text, err := url.PathUnescape(id); err == nil {
		return text
	}
	return id
}

// heading returns the code in the first heading of an element. Fields have no heading, so their own code is
// used.
func heading(n *html.Node) string {
	if h := find(n, isHeading); h != nil {
		return code(h)
	}
	if c := find(n, func(n *html.Node) bool { return n.DataAtom == atom.Code }); c != nil {
		return code(c)
	}
	return ""
}

// documentation returns the block directly after an element, or after the summary that contains it.
func documentation(n *html.Node) *html.Node {
	if n.Parent != nil && n.Parent.DataAtom == atom.Summary {
		n = n.Parent
	}
	next := nextElement(n)
	// In rustdoc up to 1.63, the fields of a variant come before its documentation.
	for next != nil && (isNoise(next) || hasClass(next, "sub-variant")) {
		next = nextElement(next)
	}
	if next == nil || !isDocblock(next) {
		return nil
	}
	return next
}

// impl returns the heading of the trait impl that contains an element, or nil.
func impl(n *html.Node) *html.Node {
	for e := n.Parent; e != nil; e = e.Parent {
		if hasClass(e, "implementors-toggle") {
			return find(e, func(n *html.Node) bool { return hasClass(n, "impl") })
		}
	}
	return nil
}

// implementedTrait returns the trait of the impl that contains an element, or "" for an element outside trait
// impls.
func implementedTrait(n *html.Node) string {
	if !hasClass(n, "trait-impl") {
		return ""
	}
	if head := impl(n); head != nil {
		if trait := implTrait(heading(head)); trait != "" {
			return trait
		}
	}
	return "another trait"
}

// isInherited reports whether an element shows a provided method of a trait that the impl does not define. The
// source of such a method is outside the source of the impl.
func (p *page) isInherited(n *html.Node) bool {
	if !hasClass(n, "trait-impl") {
		return false
	}
	head := impl(n)
	if head == nil {
		return true
	}
	source, lines := p.source(n)
	implSource, implLines := p.source(head)
	if source == "" || implSource == "" {
		return false
	}
	from, _ := span(lines)
	first, last := span(implLines)
	return source != implSource || from < first || from > last
}

// span parses a range of lines, such as 10-40 or 10.
func span(lines string) (from, to int) {
	a, b, found := strings.Cut(lines, "-")
	if !found {
		b = a
	}
	from, _ = strconv.Atoi(a)
	to, _ = strconv.Atoi(b)
	return from, to
}

// implTrait extracts the trait from "impl<T> Index<T> for Value".
func implTrait(impl string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(impl, "unsafe "), "impl")
	depth := 0
	if strings.HasPrefix(rest, "<") {
		for i, r := range rest {
			switch {
			case r == '<':
				depth++
			case r == '>' && (i == 0 || rest[i-1] != '-'):
				depth--
			}
			if depth == 0 {
				rest = rest[i+1:]
				break
			}
		}
	}
	trait, _, found := strings.Cut(rest, " for ")
	if !found {
		return ""
	}
	return strings.Join(strings.Fields(trait), " ")
}

// members yields the members of the page's item: its own members and the members that its trait impls define. It
// skips members from Deref and from blanket impls.
func (p *page) members() iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		skip := func(n *html.Node) bool {
			return isDocblock(n) || strings.HasPrefix(attribute(n, "id"), "deref-methods-")
		}
		seen := map[string]bool{}
		for n := range elements(p.main, skip) {
			id := attribute(n, "id")
			if _, _, ok := memberItem(id); !ok || seen[id] || p.isInherited(n) {
				continue
			}
			seen[id] = true
			if !yield(p.member(n)) {
				return
			}
		}
	}
}
