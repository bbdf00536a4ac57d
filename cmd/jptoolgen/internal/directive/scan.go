package directive

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"
	"unicode"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// scan splits the arguments of a directive at spaces. An argument is a word, or name=value, where the value is a
// word or a Go string.
func scan(d ast.Directive, list *diag.List) ([]Arg, bool) {
	s := scanner{d.Args, d.ArgsPos}
	var args []Arg
	for s.skipSpace(); s.text != ""; s.skipSpace() {
		a := Arg{Pos: s.pos}
		if end := strings.IndexFunc(s.text, func(r rune) bool { return r == '=' || unicode.IsSpace(r) }); end > 0 && s.text[end] == '=' && !s.atString() {
			a.Name = s.take(end)
			s.take(1)
		}
		a.ValuePos = s.pos
		value, ok := s.value()
		if !ok {
			list.Add(s.pos, diag.BadArgument, "this string has no closing quote, or no space after it").
				Suggest("write it as a Go string, followed by a space")
			return nil, false
		}
		a.Value = value
		args = append(args, a)
	}
	return args, true
}

type scanner struct {
	text string
	pos  token.Pos
}

func (s *scanner) take(n int) string {
	taken := s.text[:n]
	s.text, s.pos = s.text[n:], s.pos+token.Pos(n)
	return taken
}

func (s *scanner) skipSpace() {
	s.take(len(s.text) - len(strings.TrimLeftFunc(s.text, unicode.IsSpace)))
}

// atString reports whether a Go string starts at the current position. Such a string may contain any byte.
func (s *scanner) atString() bool {
	return s.text != "" && (s.text[0] == '"' || s.text[0] == '`')
}

// value scans a word or a Go string.
func (s *scanner) value() (string, bool) {
	if !s.atString() {
		return s.take(strings.IndexFunc(s.text+" ", unicode.IsSpace)), true
	}
	quoted, err := strconv.QuotedPrefix(s.text)
	if err != nil || len(quoted) != len(s.text) && !unicode.IsSpace(rune(s.text[len(quoted)])) {
		return "", false
	}
	value, err := strconv.Unquote(s.take(len(quoted)))
	return value, err == nil
}
