// Package terminal prints text and asks questions at a terminal.
package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/phrase"
)

// sequences matches what terminals interpret as commands: CSI sequences, the strings of OSC, DCS, SOS, PM and
// APC, and two-character escapes (ECMA-48). A string without a terminator extends to the end of the line.
var sequences = lazyregexp.New("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\x07\x1b\u009c\n]*(?:\x07|\x1b\\\\|\u009c)?|\x1b[ -/]*[0-~]?")

// Clean removes everything from text that could control a terminal: escape sequences, and control characters
// other than newline and tab. It escapes invisible characters, using [phrase.Visible].
func Clean(text string) string {
	text = sequences().ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "")
	return phrase.Visible(strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, text))
}

// Line cleans text, puts it on one line, and truncates it to a maximum number of characters.
func Line(text string, limit int) string {
	if len(text) > 16*limit {
		text = text[:16*limit] // the rest of a long text need not be cleaned
	}
	text = strings.Join(strings.Fields(Clean(text)), " ")
	if utf8.RuneCountInString(text) > limit {
		return string([]rune(text)[:limit-1]) + "…"
	}
	return text
}

// Message returns the text of an error. It cleans the text, and truncates it if it would fill the screen.
func Message(text string) string {
	const limit = 8000
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return Clean(text)
}

// Escape escapes everything in JSON text that [phrase.Visible] escapes. The JSON value stays the same.
func Escape(text string) string {
	return phrase.Escape(text, func(r rune) string {
		if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
			return fmt.Sprintf(`\u%04x\u%04x`, high, low)
		}
		return fmt.Sprintf(`\u%04x`, r)
	})
}

// A Cleaner cleans the text that is written to it. A sequence that is split between two writes is harmless,
// because escape characters are always removed.
type Cleaner struct{ To io.Writer }

// Write reports the full length on success, as io.Writer requires, although it may write less.
func (c Cleaner) Write(p []byte) (int, error) {
	if _, err := io.WriteString(c.To, Clean(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
