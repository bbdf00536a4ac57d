// Package fit truncates the parts of a result to a maximum number of bytes.
package fit

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jptool/jptool/internal/lazyregexp"
)

// Text returns the start of text, with at most the given number of bytes. It ends with the last
// paragraph that fits, or the last line or word if that keeps much more. If a content.Untrusted is
// truncated, its closing tag is added.
func Text(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	if !strings.Contains(text, "<untrusted-") {
		return start(text, limit)
	}
	head := start(text, limit-len("</untrusted-0123456789ab>"))
	return head + closingTag(head)
}

// tag matches the opening tag of a content.Untrusted.
var tag = lazyregexp.New("<untrusted-([0-9a-f]{12})>")

// closingTag returns the closing tag that the text lacks, or "" if it lacks none. It skips the text
// between two tags, because that text may imitate tags.
func closingTag(text string) string {
	for {
		at := tag().FindStringSubmatchIndex(text)
		if at == nil {
			return ""
		}
		end := "</untrusted-" + text[at[2]:at[3]] + ">"
		_, after, closed := strings.Cut(text[at[1]:], end)
		if !closed {
			return end
		}
		text = after
	}
}

func start(text string, limit int) string {
	limit = max(limit, 0)
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	head := text[:limit]
	for _, border := range []string{"\n\n", "\n", " "} {
		if at := strings.LastIndex(head, border); at >= limit/2 {
			return strings.TrimRight(head[:at], " \n")
		}
	}
	return head
}

// Marked is like [Text], but says at the end how much of the text is shown. It returns "" if there
// is no room for that.
func Marked(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	mark := func(n int) string { return fmt.Sprintf(" … [truncated: the first %d of %d bytes]", n, len(text)) }
	room := limit - len(mark(len(text)))
	if room < 0 {
		return ""
	}
	head := Text(text, room)
	return head + mark(len(head))
}
