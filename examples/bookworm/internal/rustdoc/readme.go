package rustdoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Readme converts a README from HTML, as crates.io renders it, to Markdown. Links to its own sections and
// relative links have no target, so they become plain text.
func Readme(page string) (string, error) {
	if len(page) > maxPage {
		return "", errTooLarge
	}
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return "", err
	}
	for n := range root.Descendants() {
		if n.DataAtom == atom.A && !strings.Contains(attribute(n, "href"), ":") {
			n.Data, n.DataAtom, n.Attr = "span", atom.Span, nil
		}
	}
	return newMarkdown().convert(root, "")
}
