// Package fit cuts the parts of a result to a number of bytes.
package fit

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text returns the start of a text, at most the given number of bytes. It ends at the last paragraph that fits, or
// at the last line or word if that keeps much more.
func Text(text string, most int) string {
	if len(text) <= most {
		return text
	}
	most = max(most, 0)
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	head := text[:most]
	for _, border := range []string{"\n\n", "\n", " "} {
		if at := strings.LastIndex(head, border); at >= most/2 {
			return strings.TrimRight(head[:at], " \n")
		}
	}
	return head
}

// Marked is like [Text], and says at the end how much of the text is left. It returns "" if there is no room
// for that.
func Marked(text string, most int) string {
	if len(text) <= most {
		return text
	}
	mark := func(n int) string { return fmt.Sprintf(" … [cut: the first %d of %d bytes]", n, len(text)) }
	room := most - len(mark(len(text)))
	if room < 0 {
		return ""
	}
	head := Text(text, room)
	return head + mark(len(head))
}
