package schema

import (
	"fmt"
	"go/token"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// MaxName is the maximum length of a name that all clients support.
const MaxName = 40

// MaxDescription is the maximum length of a description that all clients show, in bytes.
const MaxDescription = 2048

// Names is the style of names that an author permits for tools, parameters and options.
type Names string

// The styles. Each style includes the styles before it.
const (
	SnakeNames Names = "snake" // supported by all clients
	CamelNames Names = "camel" // also upper-case letters, except at the start
	AnyNames   Names = "any"   // all characters that model APIs support
)

// Valid reports whether a parameter may have the name.
func (n Names) Valid(name string) bool { return n.valid(name, 64) }

// ValidTool reports whether a tool may have the name.
func (n Names) ValidTool(name string) bool { return n.valid(name, 128) }

// valid reports whether name fits the style. limit is the maximum length in the style [AnyNames].
func (n Names) valid(name string, limit int) bool {
	if n != AnyNames {
		limit = MaxName
		if name != "" && (name[0] < 'a' || name[0] > 'z') {
			return false
		}
	}
	for _, r := range name {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '_':
		case 'A' <= r && r <= 'Z' && n != SnakeNames:
		case (r == '-' || r == '.') && n == AnyNames:
		default:
			return false
		}
	}
	return name != "" && len(name) <= limit
}

// Rule returns the rule for parameter names, as a phrase that follows "must".
func (n Names) Rule() string { return n.rule(64) }

// ToolRule returns the rule for tool names, as a phrase that follows "must".
func (n Names) ToolRule() string { return n.rule(128) }

func (n Names) rule(limit int) string {
	switch n {
	case AnyNames:
		return fmt.Sprintf("match [A-Za-z0-9_.-]* and be at most %d characters", limit)
	case CamelNames:
		return fmt.Sprintf("match [a-z][A-Za-z0-9_]* and be at most %d characters", MaxName)
	}
	return fmt.Sprintf("match [a-z][a-z0-9_]* and be at most %d characters", MaxName)
}

// Hint says how to permit a name that is invalid in the current style.
func Hint(valid func(Names, string) bool, name string, code diag.Code) string {
	for _, n := range []Names{CamelNames, AnyNames} {
		if valid(n, name) {
			return fmt.Sprintf("write names=%s in //jp:server", n)
		}
	}
	return fmt.Sprintf("write //jp:allow %s reason=\"...\" above it", code)
}

// Spell converts a Go name to the style: HTTPServer becomes http_server or httpServer.
func (n Names) Spell(name string) string {
	words := strings.Split(Snake(name), "_")
	if n == CamelNames {
		for i := range words[1:] {
			words[i+1] = Title(words[i+1])
		}
		return strings.Join(words, "")
	}
	return strings.Join(words, "_")
}

// ValidName reports whether name matches [a-z][a-z0-9_]* and has at most [MaxName] characters.
func ValidName(name string) bool { return SnakeNames.Valid(name) }

// ValidServerName is like [ValidName], but for the name of a server, which may also contain dashes.
func ValidServerName(name string) bool { return ValidName(strings.ReplaceAll(name, "-", "_")) }

// Snake converts a Go name to snake_case: HTTPServer becomes http_server.
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
		list.Add(pos, diag.LongDoc, "%s has a description of %d bytes; some clients show only the first %d", what, len(text), MaxDescription).
			Suggest("shorten the comment")
	}
}

// Title returns text with its first letter in upper case.
func Title(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// PortablePattern returns "" if the regular expression re has the same meaning in package regexp and in
// JavaScript, which clients use for validation. Otherwise, it returns a description of valid
// expressions.
func PortablePattern(re string) (must string) {
	if _, err := regexp.Compile(re); err != nil {
		return "a regular expression that Go's package regexp supports (no lookaround or backreferences)"
	}
	for i := 0; i < len(re); i++ {
		switch rest := re[i:]; {
		case strings.HasPrefix(rest, "(?") && !strings.HasPrefix(rest, "(?:"):
			return "a regular expression without inline flags or named groups, which not all clients support"
		case strings.HasPrefix(rest, "[[:"):
			return "a regular expression with ranges such as a-z, not [:alpha:], which JavaScript does not support"
		case rest[0] == '\\' && len(rest) > 1:
			if strings.IndexByte("AzCQEpPa", rest[1]) >= 0 {
				return "a regular expression without \\" + rest[1:2] + ", which JavaScript interprets differently"
			}
			i++
		}
	}
	return ""
}
