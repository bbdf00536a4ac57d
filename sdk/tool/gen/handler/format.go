package handler

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

// Format returns the arguments of a call for the person who approves it, without calling the
// handler. It uses the Format method of the tool's input. If there is no such method, if the
// method panics, or if the arguments do not match the input, it returns a line "name: value" for
// each argument. Long and multi-line values are indented below their name. Without arguments, it
// returns "".
//
// Control characters and invisible characters are escaped, for example as \x1b, even in the result
// of a Format method; newlines and tabs are kept.
func (t *Tool) Format(r *Run) string {
	text := plain(r.Arguments)
	r.begin(t)
	_ = r.guard(func() error { // logs a panic
		if own, ok := t.format(r.Arguments); ok {
			text = printable(own)
		}
		return nil
	})
	return text
}

const lineWidth = 80 // characters of "name: value" on one line

// plain formats the members of an object in order, including duplicates. As in calls, empty input
// and null are an empty object. Other values are shown unchanged.
func plain(arguments []byte) string {
	arguments = bytes.TrimSpace(arguments)
	members, err := rawjson.Members(arguments)
	if string(arguments) == "null" {
		return ""
	}
	if err != nil {
		return printable(string(arguments))
	}
	lines := make([]string, len(members))
	for i, m := range members {
		name, text := nameText(m.Name), printable(valueText(m.Value))
		lines[i] = name + ": " + text
		if strings.Contains(text, "\n") || utf8.RuneCountInString(lines[i]) > lineWidth {
			// Indentation prevents a value from looking like another argument.
			lines[i] = name + ":\n  " + strings.ReplaceAll(text, "\n", "\n  ")
		}
	}
	return strings.Join(lines, "\n")
}

// nameText returns a name, quoted unless it consists of letters, digits and - _ .
func nameText(name string) string {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r)
	}
	if name == "" || strings.IndexFunc(name, odd) >= 0 {
		name = string(rawjson.Quote(name))
	}
	return printable(name)
}

// valueText returns a string as plain text unless it looks like another value, and others as JSON.
func valueText(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		text := rawjson.Text(v)
		bare := strings.TrimSpace(text)
		if bare == "" || !strings.Contains(text, "\n") && (bare != text || jsontext.Value(text).IsValid()) {
			return string(rawjson.Quote(text))
		}
		return strings.TrimRight(text, "\n")
	case '{', '[':
		v = v.Clone() // neither call can fail, because the JSON has been parsed
		_ = v.Compact(jsontext.AllowDuplicateNames(true))
		if len(v) > lineWidth {
			_ = v.Indent(jsontext.AllowDuplicateNames(true), jsontext.WithIndent("  "))
		}
	}
	return string(v)
}

// printable escapes what people cannot see, because they must see what they approve.
func printable(text string) string {
	return phrase.Escape(strings.ReplaceAll(text, "\r\n", "\n"), func(r rune) string {
		switch {
		case r < 0x80:
			return fmt.Sprintf(`\x%02x`, r)
		case r < 0x10000:
			return fmt.Sprintf(`\u%04x`, r)
		}
		return fmt.Sprintf(`\U%08x`, r)
	})
}
