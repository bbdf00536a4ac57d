package rustdoc

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// sourceText returns the file that a source page shows, with \n as line breaks. Line numbers are in a separate
// block before the code (until 1.85) or in elements that are marked as not part of the text.
func sourceText(data []byte) (string, error) {
	if len(data) > maxPage {
		return "", errTooLarge
	}
	var text strings.Builder
	inCode, hidden := false, 0
	var hiddenBy atom.Atom
	z := html.NewTokenizer(bytes.NewReader(data))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return "", errors.New("the page does not contain a source file")
		}
		if !inCode && kind != html.StartTagToken {
			continue
		}
		switch kind {
		case html.TextToken:
			if hidden == 0 {
				text.Write(z.Text())
			}
		case html.StartTagToken:
			t := z.Token()
			switch {
			case !inCode:
				inCode = t.DataAtom == atom.Pre && isRust(t.Attr)
			case hidden > 0 && t.DataAtom == hiddenBy:
				hidden++
			case hidden == 0 && slices.ContainsFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "data-nosnippet" }):
				hidden, hiddenBy = 1, t.DataAtom
			}
		case html.EndTagToken:
			t := z.Token()
			switch {
			case hidden > 0 && t.DataAtom == hiddenBy:
				hidden--
			case t.DataAtom == atom.Pre:
				return text.String(), nil
			}
		}
	}
}

func isRust(attributes []html.Attribute) bool {
	return hasClass(&html.Node{Type: html.ElementNode, Attr: attributes}, "rust")
}
