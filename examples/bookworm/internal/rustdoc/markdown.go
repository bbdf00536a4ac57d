package rustdoc

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
)

// blank matches lines that contain only spaces and tabs.
var blank = regexp.MustCompile(`(?m)^[ \t]+$`)

// anyRelease is the placeholder for an unknown release in links. It is not a valid name of a crate.
var anyRelease = crateuri.Of("_", "")

// Bind replaces the placeholder in the links of Markdown text with a release.
func Bind(text string, release crateuri.URI) string {
	return strings.ReplaceAll(text, anyRelease.String()+"/", crateuri.Of(release.Crate, release.Version).String()+"/")
}

// markdown converts documentation to Markdown with unbound links.
type markdown struct {
	conv *converter.Converter
}

func newMarkdown() *markdown {
	conv := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), strikethrough.NewStrikethroughPlugin(),
		table.NewTablePlugin(table.WithCellPaddingBehavior(table.CellPaddingBehaviorNone)),
	))
	conv.Register.TagType("svg", converter.TagTypeRemove, converter.PriorityEarly)
	// Checkboxes of task lists are input elements; a page has no other inputs.
	conv.Register.TagType("input", converter.TagTypeInline, converter.PriorityEarly)
	conv.Register.RendererFor("input", converter.TagTypeInline, renderBox, converter.PriorityEarly)
	conv.Register.RendererFor("sup", converter.TagTypeInline, renderPower, converter.PriorityEarly)
	conv.Register.TextTransformer(hide, converter.PriorityEarly)
	conv.Register.PostRenderer(reveal, converter.PriorityLate)
	return &markdown{conv: conv}
}

// The converter escapes special characters even where Markdown would not interpret them. These runes, which
// Unicode reserves as noncharacters, replace such characters during the conversion.
const (
	hiddenUnderscore = '\uFDD0'
	hiddenLess       = '\uFDD1'
	hiddenGreater    = '\uFDD2'
	hiddenBracket    = '\uFDD3'
	hiddenBackslash  = '\uFDD4'
)

func reveal(_ converter.Context, text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		switch r {
		case hiddenUnderscore:
			return '_'
		case hiddenLess:
			return '<'
		case hiddenGreater:
			return '>'
		case hiddenBracket:
			return '['
		case hiddenBackslash:
			return '\\'
		}
		return r
	}, text)
}

// hide replaces brackets, and the underscores in words such as serde_json, with runes that the converter does
// not escape. It adds a backslash only to brackets that would open a link, a tag or a quotation. The converter's
// own check of [ takes quadratic time.
func hide(_ converter.Context, text string) string {
	if !strings.ContainsAny(text, "_<>[") {
		return text
	}
	var b strings.Builder
	link := strings.LastIndex(text, "](")
	before := ' '
	for i, r := range text {
		after, _ := utf8.DecodeRuneInString(text[i+1:])
		switch {
		case r == '_' && inWord(before) && inWord(after):
			b.WriteRune(hiddenUnderscore)
		case r == '[':
			if i < link {
				b.WriteRune(hiddenBackslash)
			}
			b.WriteRune(hiddenBracket)
		case r == '<':
			if unicode.IsLetter(after) || strings.ContainsRune("/!?", after) {
				b.WriteRune(hiddenBackslash)
			}
			b.WriteRune(hiddenLess)
		case r == '>':
			if strings.TrimSpace(text[:i]) == "" {
				b.WriteRune(hiddenBackslash)
			}
			b.WriteRune(hiddenGreater)
		default:
			b.WriteRune(r)
		}
		before = r
	}
	return b.String()
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func renderBox(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	if attribute(n, "type") != "checkbox" {
		return converter.RenderTryNext
	}
	box := "[ ]"
	if hasAttribute(n, "checked") {
		box = "[x]"
	}
	_, err := w.WriteString(box)
	if err != nil {
		return converter.RenderTryNext
	}
	return converter.RenderSuccess
}

// renderPower keeps 2<sup>8</sup> from being rendered as 28. It skips footnote numbers, which are links.
func renderPower(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	if find(n, func(n *html.Node) bool { return n.DataAtom == atom.A }) == nil {
		if _, err := w.WriteString("^"); err != nil {
			return converter.RenderTryNext
		}
	}
	ctx.RenderChildNodes(ctx, w, n)
	return converter.RenderSuccess
}

// convert returns the Markdown of a block of documentation on a page, or "" for nil. It modifies the block.
func (m *markdown) convert(block *html.Node, page string) (string, error) {
	if block == nil {
		return "", nil
	}
	m.prepare(block, page)
	text, err := m.conv.ConvertNode(block)
	if err != nil {
		return "", err
	}
	return string(blank.ReplaceAll(bytes.TrimSpace(text), nil)), nil
}

// prepare removes everything that is not documentation from a block, and resolves links.
func (m *markdown) prepare(n *html.Node, page string) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.ElementNode {
			if isNoise(c) {
				n.RemoveChild(c)
			} else {
				m.element(c, page)
				m.prepare(c, page)
			}
		}
		c = next
	}
}

func (m *markdown) element(n *html.Node, page string) {
	switch n.DataAtom {
	case atom.Pre:
		if hasClass(n, "rust") {
			n.Attr = []html.Attribute{{Key: "class", Val: "language-rust"}}
		}
	case atom.A:
		m.link(n, "href", page)
		if len(n.Attr) == 0 {
			n.Data, n.DataAtom = "span", atom.Span // the link has no target
		}
		if isHeading(n.Parent) && attribute(n, "href") == Address(anyRelease, page+"#"+attribute(n.Parent, "id")) {
			n.Data, n.DataAtom, n.Attr = "span", atom.Span, nil // a heading that links to itself
		}
	case atom.Img:
		m.link(n, "src", page)
	case atom.Td, atom.Th:
		escapePipes(n)
	}
}

// link resolves the URL of a link or an image and removes the other attributes. The title only repeats the path.
func (m *markdown) link(n *html.Node, key, page string) {
	target, _ := resolve(page, attribute(n, key))
	alt := attribute(n, "alt")
	n.Attr = nil
	if target != "" {
		n.Attr = append(n.Attr, html.Attribute{Key: key, Val: Address(anyRelease, target)})
	}
	if alt != "" {
		n.Attr = append(n.Attr, html.Attribute{Key: "alt", Val: alt})
	}
}

// escapePipes escapes pipes in the code of a table cell, because they would end the cell. The converter escapes
// pipes in text.
func escapePipes(cell *html.Node) {
	for e := range elements(cell, nil) {
		if e.DataAtom != atom.Code {
			continue
		}
		for c := range e.Descendants() {
			if c.Type == html.TextNode {
				c.Data = strings.ReplaceAll(c.Data, "|", `\|`)
			}
		}
	}
}
