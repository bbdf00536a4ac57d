package phrase

import (
	"strings"
	"unicode/utf8"
)

// Summary returns the first sentence of a text on one line, or its first words if the sentence has more than limit
// characters.
func Summary(text string, limit int) string {
	text = strings.Join(strings.Fields(text), " ")
	if sentence, _, more := strings.Cut(text, ". "); more {
		text = sentence + "."
	}
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	cut := string([]rune(text)[:limit-1])
	if i := strings.LastIndex(cut, " "); i > 0 {
		cut = strings.TrimRight(cut[:i], ",;:")
	}
	return cut + "…"
}
