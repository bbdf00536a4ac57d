// Package xmltext puts text into XML so that it stays text, whatever it holds.
package xmltext

import (
	"strings"
	"unicode/utf8"
)

// Escape makes text safe in an attribute and between tags.
func Escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;",
		"\t", "&#9;", "\n", "&#10;", "\r", "&#13;").Replace(Legible(text))
}

// CDATA puts text between tags as it is. The one sequence that would end it is split over two sections.
func CDATA(text string) string {
	return "<![CDATA[" + strings.ReplaceAll(Legible(text), "]]>", "]]]]><![CDATA[>") + "]]>"
}

// Legible replaces what XML has no way to say: control characters and broken UTF-8.
func Legible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= ' ' && r != 0xfffe && r != 0xffff:
			return r
		}
		return utf8.RuneError
	}, text)
}
