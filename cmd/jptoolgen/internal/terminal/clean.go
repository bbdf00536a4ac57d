// Package terminal writes for, and asks, the person at a terminal.
package terminal

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sequences are what a terminal takes for commands: CSI, the strings of OSC, DCS, SOS, PM and APC, and
// two-character escapes (ECMA-48). A string without its end runs to the end of the line.
var sequences = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\x07\x1b\u009c\n]*(?:\x07|\x1b\\\\|\u009c)?|\x1b[ -/]*[0-~]?")

// Clean returns a text without what could command a terminal, or mislead its reader: escape sequences,
// control characters other than the newline and the tab, and marks that turn the direction of writing.
func Clean(text string) string {
	if plain(text) {
		return text
	}
	text = sequences.ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "")
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && misleads(r) {
			return -1
		}
		return r
	}, text)
}

// misleads reports whether a character controls a terminal, ends a line, or turns the direction.
func misleads(r rune) bool {
	switch {
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r >= '\u2028' && r <= '\u2029', r == '\u200e', r == '\u200f', r == '\u061c', r == '\ufeff':
		return true
	}
	return unicode.IsControl(r)
}

// plain reports whether a text is ASCII without controls, as most are.
func plain(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// Line returns a text cleaned and on one line, of at most so many characters.
func Line(text string, most int) string {
	if len(text) > 16*most {
		text = text[:16*most] // of a book, the beginning is enough to be cleaned
	}
	text = strings.Join(strings.Fields(Clean(text)), " ")
	if utf8.RuneCountInString(text) > most {
		return string([]rune(text)[:most-1]) + "…"
	}
	return text
}

// Message returns an error's text cleaned, and cut where it fills the screen.
func Message(text string) string {
	const most = 8000
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return Clean(text)
}

// Escape returns JSON with everything escaped that [Clean] would take away. Its meaning is the same.
func Escape(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if r != '\n' && r != '\t' && misleads(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// A Cleaner cleans what is written through it. A sequence that is cut in two by its writer is left
// harmless: no escape character ever passes.
type Cleaner struct{ To io.Writer }

// Write never reports less than it was given, for the sake of what writes to it.
func (c Cleaner) Write(p []byte) (int, error) {
	if _, err := io.WriteString(c.To, Clean(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
