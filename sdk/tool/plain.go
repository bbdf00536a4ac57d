package tool

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// lineWidth is the maximum length of "name: value" on one line, in characters.
const lineWidth = 80

// plain formats arguments without knowledge of the tool. Values other than objects are shown
// as they are.
func plain(arguments []byte) string {
	members, ok := membersOf(arguments)
	if !ok {
		return printable(string(bytes.TrimSpace(arguments)))
	}
	lines := make([]string, len(members))
	for i, m := range members {
		name, text := nameText(m.Name), printable(valueText(m.Value))
		if strings.Contains(text, "\n") || utf8.RuneCountInString(name+": "+text) > lineWidth {
			// Indentation prevents a value from looking like another argument.
			lines[i] = name + ":\n  " + strings.ReplaceAll(text, "\n", "\n  ")
		} else {
			lines[i] = name + ": " + text
		}
	}
	return strings.Join(lines, "\n")
}

// membersOf returns the members of an object in order, including duplicates. Empty input and
// null are an empty object, as in calls.
func membersOf(data []byte) ([]rawjson.Member, bool) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || string(data) == "null" {
		return nil, true
	}
	members, err := rawjson.Members(data)
	return members, err == nil
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

// valueText returns a string as text, unless it could be mistaken for another value, and other
// values as JSON.
func valueText(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		data, _ := jsontext.AppendUnquote(nil, v)
		text := string(data)
		bare := strings.TrimSpace(text)
		if bare == "" || !strings.Contains(text, "\n") && (bare != text || jsontext.Value(text).IsValid()) {
			return string(rawjson.Quote(text))
		}
		return strings.TrimRight(text, "\n")
	case '{', '[':
		v = v.Clone()
		// Neither can fail on a value that has been parsed.
		_ = v.Compact(jsontext.AllowDuplicateNames(true))
		if len(v) > lineWidth {
			_ = v.Indent(jsontext.AllowDuplicateNames(true), jsontext.WithIndent("  "))
		}
	}
	return string(v)
}

// printable escapes characters that are invisible or that control a terminal: control
// characters except newline and tab, marks that change the direction of text, and characters
// without a glyph. A person who approves a call must see all of it.
func printable(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	if strings.IndexFunc(text, unseen) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !unseen(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// unseen reports whether r is invisible. Joiners are kept, because some scripts and emoji need
// them.
func unseen(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return !unicode.IsGraphic(r) && r != '\n' && r != '\t' && r != nonJoiner && r != joiner
}
