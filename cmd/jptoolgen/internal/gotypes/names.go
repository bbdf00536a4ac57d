package gotypes

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/jptool/jptool/internal/phrase"
)

// Names is a set of used names.
type Names map[string]bool

// Take marks a name as used.
func (n Names) Take(name string) { n[name] = true }

// Fresh returns name, followed by a number if name is already used, and marks the result as used.
func (n Names) Fresh(name string) string {
	free := name
	for i := 2; n[free]; i++ {
		free = name + strconv.Itoa(i)
	}
	n.Take(free)
	return free
}

// initialisms are words that Go writes in capitals.
var initialisms = map[string]bool{"id": true, "url": true, "uri": true, "http": true, "json": true, "xml": true, "html": true, "api": true, "ip": true, "sql": true}

// GoName converts any text to an exported Go name.
func GoName(text string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if initialisms[strings.ToLower(word)] {
			b.WriteString(strings.ToUpper(word))
			continue
		}
		runes := []rune(word)
		runes[0] = unicode.ToUpper(runes[0])
		b.WriteString(string(runes))
	}
	name := b.String()
	if name == "" || !unicode.IsUpper([]rune(name)[0]) {
		return "X" + name
	}
	return name
}

// Wrapped breaks text into lines for a comment.
func Wrapped(text string) (lines []string) {
	const width = 85
	line := ""
	for _, word := range strings.Fields(phrase.Visible(phrase.OneLine(strings.ToValidUTF8(text, "\uFFFD")))) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
