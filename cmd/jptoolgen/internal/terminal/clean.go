// Package terminal prints text and asks questions at a terminal.
package terminal

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sequences matches what terminals interpret as commands: CSI sequences, the strings of OSC, DCS, SOS, PM and
// APC, and two-character escapes (ECMA-48). A string without a terminator extends to the end of the line.
var sequences = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\x07\x1b\u009c\n]*(?:\x07|\x1b\\\\|\u009c)?|\x1b[ -/]*[0-~]?")

// Clean removes everything from a text that could control a terminal or mislead its reader: escape sequences,
// control characters other than newline and tab, and characters that change the writing direction.
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

// misleads reports whether a character controls a terminal, ends a line, or changes the writing direction.
func misleads(r rune) bool {
	switch {
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069', r >= '\u2028' && r <= '\u2029', r == '\u200e', r == '\u200f', r == '\u061c', r == '\ufeff':
		return true
	}
	return unicode.IsControl(r)
}

// plain reports whether a text is ASCII without control characters. Most texts are.
func plain(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// Line returns a text cleaned, on one line, and truncated to a maximum number of characters.
func Line(text string, most int) string {
	if len(text) > 16*most {
		text = text[:16*most] // do not clean a long text in full
	}
	text = strings.Join(strings.Fields(Clean(text)), " ")
	if utf8.RuneCountInString(text) > most {
		return string([]rune(text)[:most-1]) + "…"
	}
	return text
}

// Message returns the text of an error cleaned, and truncated if it would fill the screen.
func Message(text string) string {
	const most = 8000
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return Clean(text)
}

// Escape escapes everything in a JSON text that [Clean] would remove. The value stays the same.
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

// A Cleaner cleans the text written through it. A sequence split between two writes is harmless, because no
// escape character passes.
type Cleaner struct{ To io.Writer }

// Write reports the full length on success, as io.Writer requires, although it may write less.
func (c Cleaner) Write(p []byte) (int, error) {
	if _, err := io.WriteString(c.To, Clean(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
