package directive

import (
	"go/ast"
	"go/token"
	"strings"
	"unicode"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// nearly finds comments that look like a directive and are none, which the go command
// and this one would pass over in silence.
func nearly(c *ast.Comment, list *diag.List) {
	word, reason := meant(c.Text)
	if spec, known := find(strings.ToLower(word)); known && reason != "" {
		list.Add(c.Slash, diag.UnknownDirective, "this line is a comment, not a directive, because of its %s", reason).
			Suggest("write //jp:%s", spec.Name)
		return
	}
	if rest, ok := strings.CutPrefix(c.Text, "//jp:"); ok {
		f := list.Add(c.Slash+token.Pos(len("//jp:")), diag.UnknownDirective, "there is no directive //jp:%s", firstWord(rest))
		suggest(f, "//jp:", firstWord(rest), names())
	}
}

// meant returns the word that would name the directive, and what of the comment is in
// the way; no reason for prose. Prose may begin with the letters, too: more than one
// thing in the way is prose.
func meant(text string) (word, reason string) {
	if inner, ok := strings.CutPrefix(text, "/*jp:"); ok {
		return firstWord(strings.TrimSuffix(inner, "*/")), "/* and */"
	}
	line := strings.TrimPrefix(text, "//")
	if len(line) > 3 && strings.EqualFold(line[:3], "jp:") && !unicode.IsSpace(rune(line[3])) {
		return firstWord(line[3:]), "capitals"
	}
	if rest, ok := strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "jp:"); ok {
		return firstWord(rest), "blanks"
	}
	if rest, ok := strings.CutPrefix(line, "jp"); ok {
		rest, colon := strings.CutPrefix(strings.TrimLeftFunc(rest, unicode.IsSpace), ":")
		if colon {
			return firstWord(rest), "blanks"
		}
		return firstWord(rest), "missing colon"
	}
	return "", ""
}

func firstWord(text string) string {
	for word := range strings.FieldsSeq(text) {
		return word
	}
	return ""
}
