// Package render formats results for models: crates, versions and items as XML, documents and sources unchanged,
// each as a resource with its URI, in an answer of limited size.
package render

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/jptool/jptool/examples/bookworm/internal/crateuri"
)

// DefaultLimit is the default maximum number of bytes of an answer. MaxLimit is the maximum even if
// the user sets a larger one, and less than the budget of the tools. A token has at least one byte, so an answer has
// at most as many tokens as bytes.
const (
	DefaultLimit = 16 << 10
	MaxLimit     = 24000
)

// The media types of resources.
const (
	XML      = "text/xml" // some clients reject application/xml
	Markdown = "text/markdown"
	Rust     = "text/x-rust"
)

// A Resource is text with its URI.
type Resource struct{ URI, MIMEType, Text string }

// An Answer is the result of a call: resources, and remarks about them, such as what was omitted and how to get
// it. The limit applies to the whole answer: clients that show the answer as one text print the URI above each
// resource.
type Answer struct {
	Resources []Resource
	Remarks   []string

	limit int // remaining bytes
}

func newAnswer(limit int) *Answer {
	if limit <= 0 {
		limit = DefaultLimit
	}
	limit = min(limit, MaxLimit)
	return &Answer{limit: limit - min(limit/4, 1<<10)} // the difference is for remarks and the URI of a single resource
}

func (a *Answer) remark(format string, args ...any) {
	a.Remarks = append(a.Remarks, fmt.Sprintf(format, args...))
}

// add appends a resource if it fits. It always adds the first resource, which it shortens if necessary. In that
// case, it also adds a remark.
func (a *Answer) add(uri string, e element) bool {
	text := e.String()
	if len(a.Resources) > 0 && len(text)+heading(uri) > a.limit {
		return false
	}
	if len(text) > a.limit {
		text = e.shorten(a.limit)
		a.remark("%s is too long for one result and has been shortened.", uri)
	}
	a.put(Resource{uri, XML, text})
	return true
}

func (a *Answer) put(r Resource) {
	a.Resources = append(a.Resources, r)
	a.limit -= len(r.Text) + heading(r.URI)
}

// heading returns the number of bytes that a URI above the text needs.
func heading(uri string) int { return len(uri) + len("\n\n\n") }

// rest adds a remark that a list continues after the first n of total rows, and how to read the other rows.
func (a *Answer) rest(address crateuri.URI, rows string, n, total int) {
	switch from := address.Offset(); {
	case from > 0 && from >= total:
		address.After = ""
		a.remark("There are %d %s. The first are at %s", total, rows, address)
	case from > 0 || n < total:
		a.remark("Showing %d to %d of %d %s.", from+1, n, total, rows)
	}
	if n < total {
		a.remark("The next part is at %s", address.Next(n))
	}
}

// cut returns at most limit bytes from the beginning of text. It cuts at the end of a paragraph in the second
// half, outside code blocks, or else at the end of a line. It never cuts within a rune.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = text[:max(limit, 0)]
	for head := text; ; {
		i := strings.LastIndex(head, "\n\n")
		if i < len(text)/2 {
			break
		}
		if head = head[:i]; strings.Count(head, "```")%2 == 0 {
			return text[:i+2]
		}
	}
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		return text[:i+1]
	}
	return trimRune(text)
}

// trimRune removes an incomplete rune from the end of text.
func trimRune(text string) string {
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if tail := text[len(text)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				return text[:len(text)-i]
			}
			break
		}
	}
	return text
}
