package schema

import (
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// MaxName is the maximum length of a name that every client supports.
const MaxName = 40

// MaxDescription is the length of descriptions that every client shows, in bytes.
const MaxDescription = 2048

// ValidName reports whether name matches [a-z][a-z0-9_]* and has at most [MaxName] characters.
func ValidName(name string) bool {
	if name == "" || len(name) > MaxName || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' {
			return false
		}
	}
	return true
}

// Snake returns a Go name in snake_case: HTTPServer becomes http_server.
func Snake(name string) string {
	runes := []rune(name)
	var b strings.Builder
	for i, r := range runes {
		switch {
		case r == '-' || r == '.' || unicode.IsSpace(r):
			r = '_'
		case unicode.IsUpper(r):
			lower := i > 0 && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]))
			acronym := i > 0 && unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if lower || acronym {
				b.WriteByte('_')
			}
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// CheckLength reports a description that is too long for some clients.
func CheckLength(list *diag.List, pos token.Pos, what, text string) {
	if len(text) > MaxDescription {
		list.Add(pos, diag.LongDoc, "%s has a description of %d bytes; some clients show only %d", what, len(text), MaxDescription).
			Suggest("shorten the comment")
	}
}

// Title returns a text with its first letter in upper case.
func Title(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}
