package phrase

import (
	"fmt"
	"strings"
	"unicode"
)

// maxMarks is the maximum number of combining marks on one character. Languages need at most three.
const maxMarks = 4

// Visible escapes the characters in text that a reader does not see, or that change how the surrounding text
// looks: U+202E becomes \u{202e}. It escapes
//   - control characters other than newline and tab
//   - format characters, such as direction marks and Unicode tags
//   - characters that have no shape or no meaning in Unicode
//   - combining marks after the fourth mark on a character
//
// It keeps joiners inside emoji and inside words of scripts that need them, and one variation selector after a
// symbol.
func Visible(text string) string {
	return Escape(text, func(r rune) string { return fmt.Sprintf(`\u{%x}`, r) })
}

// Hidden returns the number of characters that [Visible] escapes.
func Hidden(text string) (n int) {
	Escape(text, func(rune) string { n++; return "" })
	return n
}

// Escape replaces the characters that [Visible] escapes with the strings that escaped returns.
func Escape(text string, escaped func(r rune) string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	var kept rune // the last character that was kept
	marks := 0
	runes := []rune(text)
	for i, r := range runes {
		next := rune(0)
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		if unicode.In(r, unicode.Mn, unicode.Me) {
			marks++
		} else {
			marks = 0
		}
		if hides(r, kept, next) || marks > maxMarks {
			b.WriteString(escaped(r))
			kept = '}'
			continue
		}
		b.WriteRune(r)
		kept = r
	}
	return b.String()
}

// isPlain reports whether text is ASCII without control characters. Most text is.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// shapeless holds letters, marks and symbols without a visible glyph.
var shapeless = &unicode.RangeTable{R16: []unicode.Range16{
	{0x034f, 0x034f, 1}, {0x115f, 0x1160, 1}, {0x17b4, 0x17b5, 1}, {0x180b, 0x180f, 1}, {0x2028, 0x2029, 1}, {0x2800, 0x2800, 1},
	{0x3164, 0x3164, 1}, {0xfe00, 0xfe0f, 1}, {0xffa0, 0xffa0, 1}, {0xfff0, 0xfffc, 1},
}, R32: []unicode.Range32{{0x1d159, 0x1d159, 1}, {0xe0000, 0xe0fff, 1}}}

// hides reports whether the character r is invisible between the characters before and after it.
func hides(r, before, after rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r == '\u200c' || r == '\u200d':
		joins := unicode.IsLetter(after) && after > 0x600 && before > 0x600 && unicode.In(before, unicode.L, unicode.M)
		emoji := unicode.In(after, unicode.So) && (unicode.In(before, unicode.So, unicode.Sk) || before == '\ufe0f')
		return !joins && !emoji
	case r == '\ufe0e' || r == '\ufe0f':
		return !unicode.In(before, unicode.So, unicode.Sm, unicode.Po, unicode.Nd)
	}
	return !unicode.IsGraphic(r) || unicode.Is(shapeless, r)
}
