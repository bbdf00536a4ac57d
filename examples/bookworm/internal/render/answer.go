// Package render writes what a model reads: crates, versions and items as XML, documents and
// sources as they are, each as a resource with its address, in an answer of limited size.
package render

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// DefaultLimit is the most bytes of text in an answer when the caller names no limit.
const DefaultLimit = 256 << 10

// The media types of resources.
const (
	XML      = "application/xml"
	Markdown = "text/markdown"
	Rust     = "text/x-rust"
)

// A Resource is a text with its address.
type Resource struct{ URI, MIMEType, Text string }

// An Answer is what a call returns: resources, and remarks about them, such as what was left
// out and how to get it. The texts of the resources have no more bytes than the limit together, their
// addresses included where there are several: where an answer is one text, each stands above its own.
type Answer struct {
	Resources []Resource
	Remarks   []string

	limit int // bytes that are left
}

func newAnswer(limit int) *Answer {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &Answer{limit: limit}
}

func (a *Answer) remark(format string, args ...any) {
	a.Remarks = append(a.Remarks, fmt.Sprintf(format, args...))
}

// add appends a resource if it fits. The first one always does: it is shortened, and a remark
// says so.
func (a *Answer) add(uri string, e element) bool {
	text := e.String()
	if len(a.Resources) > 0 && len(text)+heading(uri) > a.limit {
		return false
	}
	if len(text) > a.limit {
		text = e.shortened(a.limit)
		a.remark("%s is too long for one answer and has been shortened.", uri)
	}
	a.put(Resource{uri, XML, text})
	return true
}

func (a *Answer) put(r Resource) {
	a.Resources = append(a.Resources, r)
	a.limit -= len(r.Text) + heading(r.URI)
}

// heading is how many bytes an address takes above a text.
func heading(uri string) int { return len(uri) + len("\n\n\n") }

// cut returns the beginning of text in at most limit bytes, at the end of a line if there
// is one, and of a rune in any case.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = text[:max(limit, 0)]
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		return text[:i+1]
	}
	return trimRune(text)
}

// trimRune takes a rune that was cut off the end of text.
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
