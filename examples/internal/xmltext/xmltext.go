// Package xmltext encodes text for XML, so that its content cannot become markup.
package xmltext

import (
	"strings"
	"unicode/utf8"
)

// Escape escapes text for attributes and for the content of elements.
func Escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;",
		"\t", "&#9;", "\n", "&#10;", "\r", "&#13;").Replace(Legible(text))
}

// CDATA returns a CDATA section with text. If text contains "]]>", which would end the section, CDATA returns
// two sections.
func CDATA(text string) string {
	return "<![CDATA[" + strings.ReplaceAll(Legible(text), "]]>", "]]]]><![CDATA[>") + "]]>"
}

// Legible replaces what XML cannot represent: control characters and invalid UTF-8.
func Legible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= ' ' && r != 0xfffe && r != 0xffff:
			return r
		}
		return utf8.RuneError
	}, text)
}
