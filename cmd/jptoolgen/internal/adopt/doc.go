package adopt

import (
	"fmt"
	"go/ast"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gotypes"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// comment returns the lines of a doc comment that jptoolgen reads as exactly the description, or false if no
// comment does that.
func comment(name, description string, begins bool) ([]string, bool) {
	if description == "" {
		return nil, true
	}
	texts := []string{description}
	if begins {
		texts = []string{name + " " + lower(description), description}
	}
	for _, text := range texts {
		if lines := lines(text); reads(name, lines) == description {
			return lines, true
		}
	}
	return nil, false
}

// lines breaks paragraphs into lines.
func lines(text string) []string {
	var all []string
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			all = append(all, "")
		}
		all = append(all, gotypes.Wrapped(paragraph)...)
	}
	return all
}

// reads returns the description that jptoolgen reads from a declaration's comment, or "" if a line of the
// comment could be a directive.
func reads(name string, lines []string) string {
	group := &ast.CommentGroup{}
	for _, line := range lines {
		if len(line) > 1 && strings.EqualFold(line[:2], "jp") {
			return ""
		}
		group.List = append(group.List, &ast.Comment{Text: "// " + line})
	}
	return model.Prose(name, declared.Comment(group))
}

// lower returns text with its first letter in lower case, unless the first word is an acronym.
func lower(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[size:])
	if !unicode.IsLower(second) {
		return text
	}
	return string(unicode.ToLower(first)) + text[size:]
}

// oneLine returns an error for a name with a line break, because the text after the break would become code.
func oneLine(c *manifest.Server) error {
	var names []string
	for _, t := range c.Tools {
		names = append(append(names, t.Name), t.Fails...)
		for _, a := range t.Aliases {
			names = append(names, a.Name, a.Until)
		}
		for _, m := range rawjson.Parts(t.Meta) {
			names = append(names, m.Name)
		}
	}
	for _, code := range c.Codes {
		names = append(names, code.Name)
	}
	for _, name := range names {
		if strings.ContainsFunc(name, unicode.IsControl) {
			return fmt.Errorf("name %.100q contains control characters, which are not allowed in Go source", name)
		}
	}
	return nil
}
