package adopt

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gotypes"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// comment returns the lines of a doc comment from which jptoolgen derives exactly the description, or false if
// that is not possible.
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

// reads returns the description that jptoolgen derives from a declaration's comment, or "" if a line of the
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

// An entry is a key-value pair in a jsonschema tag.
type entry struct{ key, value string }

// entriesOf returns the constraints of a property as entries in a jsonschema tag.
func entriesOf(p shape.Property) []entry {
	l := p.Limits
	all := []entry{
		{"title", p.Title}, {"pattern", l.Pattern},
		{"minLength", l.MinLength}, {"maxLength", l.MaxLength}, {"minItems", l.MinItems}, {"maxItems", l.MaxItems},
		{"minProperties", l.MinProperties}, {"maxProperties", l.MaxProperties},
		{"minimum", l.Minimum}, {"exclusiveMinimum", l.ExclusiveMinimum}, {"maximum", l.Maximum}, {"exclusiveMaximum", l.ExclusiveMaximum},
		{"multipleOf", l.MultipleOf},
	}
	if slices.Equal(p.Kinds(), []string{"string"}) && p.Format != gotypes.Base64 {
		all = append(all, entry{"format", p.Format})
	}
	if l.UniqueItems {
		all = append(all, entry{"uniqueItems", "true"})
	}
	all = slices.DeleteFunc(all, func(e entry) bool { return e.value == "" })
	if kind := p.Default.Kind(); kind != 0 && kind != 'n' {
		var text string
		if json.Unmarshal(p.Default, &text) != nil {
			text = string(p.Default)
		}
		all = append(all, entry{"default", text})
	}
	return all
}
