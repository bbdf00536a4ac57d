// Package opener asks Bear to create a note.
package opener

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Draft is a note to create.
type Draft struct {
	Title   string   // one line, 1 to 256 characters
	Tags    []string // without #; a tag with a space is written as #two words#
	Content string   // Markdown, at most 64 KiB
}

const (
	maxTitle   = 256      // characters
	maxContent = 64 << 10 // bytes
	maxTags    = 50
	maxTag     = 100 // characters
)

// InvalidError describes an invalid field of a draft.
type InvalidError struct {
	Field  string // "title", "tags" or "content"
	Reason string
}

// Error returns the field and the reason.
func (e *InvalidError) Error() string { return e.Field + ": " + e.Reason }

func invalid(field, format string, args ...any) error {
	return &InvalidError{Field: field, Reason: fmt.Sprintf(format, args...)}
}

// Validate validates all fields. The errors are [*InvalidError]s, joined.
func (d Draft) Validate() error {
	errs := []error{validTitle(d.Title)}
	if len(d.Tags) > maxTags {
		errs = append(errs, invalid("tags", "must have at most %d items, but has %d", maxTags, len(d.Tags)))
	}
	for _, tag := range d.Tags[:min(len(d.Tags), maxTags)] {
		errs = append(errs, validTag(tag))
	}
	switch {
	case len(d.Content) > maxContent:
		errs = append(errs, invalid("content", "must have at most %d bytes, but has %d", maxContent, len(d.Content)))
	case !utf8.ValidString(d.Content), strings.ContainsRune(d.Content, 0):
		errs = append(errs, invalid("content", "must be valid UTF-8 without zero bytes"))
	}
	return errors.Join(errs...)
}

func validTitle(title string) error {
	switch {
	case strings.TrimSpace(title) == "":
		return invalid("title", "must not be empty; write what the note is about")
	case !utf8.ValidString(title):
		return invalid("title", "must be valid UTF-8")
	case strings.ContainsFunc(title, breaks):
		return invalid("title", "must be one line without control characters; write %q", oneLine(title))
	case utf8.RuneCountInString(title) > maxTitle:
		return invalid("title", "must have at most %d characters, but has %d", maxTitle, utf8.RuneCountInString(title))
	}
	return nil
}

func validTag(tag string) error {
	names := strings.FieldsFunc(tag, func(r rune) bool { return r == '/' })
	switch {
	case strings.TrimSpace(strings.Join(names, "")) == "":
		return invalid("tags", "a tag must not be empty; omit it")
	case !utf8.ValidString(tag):
		return invalid("tags", "a tag must be valid UTF-8")
	case utf8.RuneCountInString(tag) > maxTag:
		return invalid("tags", "a tag must have at most %d characters; one has %d", maxTag, utf8.RuneCountInString(tag))
	case strings.ContainsFunc(tag, breaks):
		return invalid("tags", "%q contains a line break or a control character; write %q", tag, oneLine(tag))
	case strings.Contains(tag, "#"):
		return invalid("tags", "%q contains a #; write %q", tag, oneLine(strings.ReplaceAll(tag, "#", " ")))
	case strings.Join(names, "/") != tag:
		return invalid("tags", "%q has a slash that does not separate two names; write %q", tag, strings.Join(names, "/"))
	}
	return nil
}

// breaks reports whether a rune ends a line or is invisible.
func breaks(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// oneLine returns text without line breaks or invisible characters.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return breaks(r) || unicode.IsSpace(r) }), " ")
}

// text returns the note in Bear's Markdown: heading, tags, an empty line, content.
func (d Draft) text() string {
	var b strings.Builder
	b.WriteString("# " + strings.TrimSpace(d.Title) + "\n")
	for i, tag := range d.Tags {
		if i > 0 {
			b.WriteByte(' ')
		}
		tag = strings.TrimSpace(tag)
		b.WriteString("#" + tag)
		if strings.ContainsFunc(tag, unicode.IsSpace) {
			b.WriteByte('#')
		}
	}
	b.WriteString("\n\n" + d.Content)
	return b.String()
}

// URL returns the URL with which Bear creates the note. It percent-encodes every byte except letters, digits,
// and - . _ ~, so the text of a note cannot add a parameter.
func (d Draft) URL() string {
	return "bear://x-callback-url/create?text=" + encode(d.text()) + "&open_note=no&show_window=no"
}

func encode(text string) string {
	const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; strings.IndexByte(unreserved, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
