package rustdoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Readme returns a README, which crates.io renders as HTML, as Markdown. Links within it and
// relative ones, which lead nowhere, become their text.
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
