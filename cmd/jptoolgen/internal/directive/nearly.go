package directive

import (
	"go/ast"
	"go/token"
	"strings"
	"unicode"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// checkNearMiss reports comments that look like a directive but that the go command and this package would silently
// ignore.
func checkNearMiss(c *ast.Comment, list *diag.List) {
	word, reason := intendedDirective(c.Text)
	if reason != "" {
		if spec, known := find(strings.ToLower(word)); known {
			list.Add(c.Slash, diag.UnknownDirective, "this line is a comment, not a directive, because of %s", reason).
				Suggest("write //jp:%s", spec.Name)
			return
		}
	}
	if rest, ok := strings.CutPrefix(c.Text, "//jp:"); ok {
		f := list.Add(c.Slash+token.Pos(len("//jp:")), diag.UnknownDirective, "unknown directive //jp:%s", firstWord(rest))
		suggest(f, "//jp:", firstWord(rest), names())
	}
}

// intendedDirective returns the directive that a comment seems to mean, and the reason why it is not one. The
// reason is "" for ordinary text, which may start with the same letters but differs from a directive in more than
// one way.
func intendedDirective(text string) (word, reason string) {
	if inner, ok := strings.CutPrefix(text, "/*jp:"); ok {
		return firstWord(strings.TrimSuffix(inner, "*/")), "its /* and */"
	}
	line := strings.TrimPrefix(text, "//")
	if len(line) > 3 && strings.EqualFold(line[:3], "jp:") && !unicode.IsSpace(rune(line[3])) {
		return firstWord(line[3:]), "its uppercase letters"
	}
	if rest, ok := strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "jp:"); ok {
		return firstWord(rest), "its spaces"
	}
	if rest, ok := strings.CutPrefix(line, "jp"); ok {
		rest, colon := strings.CutPrefix(strings.TrimLeftFunc(rest, unicode.IsSpace), ":")
		if colon {
			return firstWord(rest), "its spaces"
		}
		return firstWord(rest), "a missing colon"
	}
	return "", ""
}

func firstWord(text string) string {
	for word := range strings.FieldsSeq(text) {
		return word
	}
	return ""
}
