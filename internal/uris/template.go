// Package uris matches URIs with the URI templates of resources, and expands the templates (RFC 6570, levels 1 to 3).
//
// Each text has one escaped form: what a kind of expression does not allow is escaped with capital hexadecimal digits,
// including every percent sign. A URI in another form does not match, so that a resource has a single URI.
package uris

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxLength is the maximum length of the URI of a resource in bytes.
const MaxLength = 8 << 10

// A Template is a URI template. It is safe for concurrent use.
type Template struct {
	parts     []part
	variables []string // in order of occurrence
	literals  int
	nodes     []node // for matching
	certain   bool   // a match cannot differ from the template with its values
	delimited bool   // a value ends where a character comes that it cannot have
}

// A part is a text, or an expression with variables.
type part struct {
	text      string
	variables []string // nil for a text
	kind      kind
}

// A kind is how an expression is expanded (RFC 6570, appendix A).
type kind struct {
	first, between string // written before the first value, and before the others
	named          bool   // the name of the variable precedes its value
	equals         bool   // an equals sign follows the name even if the value is empty
	reserved       bool   // reserved characters are not escaped
}

var kinds = map[byte]kind{
	'+': {between: ",", reserved: true},
	'#': {first: "#", between: ",", reserved: true},
	'.': {first: ".", between: "."},
	'/': {first: "/", between: "/"},
	';': {first: ";", between: ";", named: true},
	'?': {first: "?", between: "&", named: true, equals: true},
	'&': {first: "&", between: "&", named: true, equals: true},
}

// Parse reads a template. It returns an error for invalid templates, and for those of level 4, which have modifiers.
func Parse(text string) (*Template, error) {
	invalid := func(format string, args ...any) error {
		return fmt.Errorf("the URI template %q is not valid: %w", text, fmt.Errorf(format, args...))
	}
	t := &Template{certain: true}
	for rest := text; rest != ""; {
		before, after, more := strings.Cut(rest, "{")
		if strings.Contains(before, "}") {
			return nil, invalid("a } has no { before it")
		}
		if !utf8.ValidString(before) {
			return nil, invalid("it is not UTF-8")
		}
		if before != "" {
			t.parts = append(t.parts, part{text: before})
			t.literals += len(before)
		}
		if !more {
			break
		}
		names, after, closed := strings.Cut(after, "}")
		if !closed {
			return nil, invalid("a { has no } after it")
		}
		if strings.ContainsAny(names, "*:") {
			return nil, errors.New("the URI template " + text + " has a modifier, * or :, which is not supported")
		}
		p := part{kind: kind{between: ","}}
		if names != "" {
			if k, ok := kinds[names[0]]; ok {
				p.kind, names = k, names[1:]
			}
		}
		for name := range strings.SplitSeq(names, ",") {
			if !isName(name) {
				return nil, invalid("%q is not the name of a variable", name)
			}
			if p.variables = append(p.variables, name); !slices.Contains(t.variables, name) {
				t.variables = append(t.variables, name)
			} else {
				t.certain = false
			}
		}
		t.certain = t.certain && len(p.variables) == 1 && p.kind.first == ""
		t.parts = append(t.parts, p)
		rest = after
	}
	t.delimited = t.certain
	for i, p := range t.parts[:max(0, len(t.parts)-1)] {
		if next := t.parts[i+1]; p.variables != nil {
			t.delimited = t.delimited && next.variables == nil && next.text[0] != '%' && !isPlain(next.text[0], p.kind.reserved)
		}
	}
	if !t.delimited {
		t.compile()
	}
	return t, nil
}

// isName reports whether text is the name of a variable without escapes.
func isName(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case isAlphanumeric(c) || c == '_':
		case c == '.' && i > 0 && i < len(text)-1 && text[i-1] != '.':
		default:
			return false
		}
	}
	return text != ""
}

// Variables returns the names of the variables, in order of occurrence.
func (t *Template) Variables() []string { return t.variables }

// Literals returns the number of bytes outside variables. Of several templates that match a URI, the one with the
// most literals is used.
func (t *Template) Literals() int { return t.literals }

// Expand returns the URI for the values of the variables. A variable without a value is left out. The error is about a
// value that is not UTF-8.
func (t *Template) Expand(values map[string]string) (string, error) {
	var uri []byte
	for _, p := range t.parts {
		if p.variables == nil {
			uri = append(uri, p.text...)
			continue
		}
		begin := p.kind.first
		for _, name := range p.variables {
			value, ok := values[name]
			if !ok {
				continue
			}
			if !utf8.ValidString(value) {
				return "", fmt.Errorf("the value of %s is not UTF-8", name)
			}
			uri, begin = append(uri, begin...), p.kind.between
			if p.kind.named {
				uri = append(uri, name...)
				if value != "" || p.kind.equals {
					uri = append(uri, '=')
				}
			}
			uri = escape(uri, value, p.kind.reserved)
		}
	}
	return string(uri), nil
}

const hex = "0123456789ABCDEF"

func escape(uri []byte, value string, reserved bool) []byte {
	for i := range len(value) {
		if c := value[i]; isPlain(c, reserved) {
			uri = append(uri, c)
		} else {
			uri = append(uri, '%', hex[c>>4], hex[c&15])
		}
	}
	return uri
}

// unescape returns the text of an escaped value, or false if it is not in the escaped form of this package.
func unescape(text string, reserved bool) (string, bool) {
	if !strings.Contains(text, "%") {
		return text, true
	}
	plain := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			plain = append(plain, text[i])
			continue
		}
		high, low := strings.IndexByte(hex, text[i+1]), strings.IndexByte(hex, text[i+2])
		if high < 0 || low < 0 || isPlain(byte(high<<4|low), reserved) {
			return "", false
		}
		plain = append(plain, byte(high<<4|low))
		i += 2
	}
	return string(plain), utf8.Valid(plain)
}

// isPlain reports whether a value contains c as itself.
func isPlain(c byte, reserved bool) bool {
	class := classes[c]
	return class == unreserved || reserved && class == isReserved
}

// The classes of characters (RFC 3986, section 2).
const (
	unreserved = 1
	isReserved = 2
)

var classes = func() (classes [256]byte) {
	for c := range 256 {
		if isAlphanumeric(byte(c)) {
			classes[c] = unreserved
		}
	}
	for _, c := range []byte("-._~") {
		classes[c] = unreserved
	}
	for _, c := range []byte(":/?#[]@!$&'()*+,;=") {
		classes[c] = isReserved
	}
	return classes
}()

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
