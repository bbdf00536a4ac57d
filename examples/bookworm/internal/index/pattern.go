package index

import "strings"

// A pattern is the parsed text of a query.
type pattern struct {
	exact  string   // the text without percent signs
	folded string   // exact in lower case
	parts  []string // in lower case; they must occur in this order
	// from is set if the name must begin with the first part, and to if it must end with the last part.
	from, to bool
}

func newPattern(text string) pattern {
	text = strings.TrimSpace(text)
	head, tail := strings.HasPrefix(text, "%"), strings.HasSuffix(text, "%")
	p := pattern{from: tail && !head, to: head && !tail}
	p.exact = strings.ReplaceAll(text, "%", "")
	p.folded = strings.ToLower(p.exact)
	p.parts = strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r == '%' || r == ' ' })
	return p
}

// The positions at which a path can contain the text, best first.
const (
	inName     = iota // the text is the name
	inPath            // the text is the end of the path, or the whole path
	asPrefix          // the name starts with the text
	asSuffix          // the name ends with the text
	insideName        // the name contains the text
	elsewhere         // the path matches, but the name does not
)

// A rank is the quality of a match. Lower ranks are better.
type rank struct {
	place   int
	recased int // 1 if the path matches only in another case
}

// rank returns the rank of a path, and whether the path matches.
func (p *pattern) rank(path string) (rank, bool) {
	folded := strings.ToLower(path)
	if !p.matches(folded) {
		return rank{}, false
	}
	if len(p.parts) > 1 {
		return rank{place: max(inPath, place(folded, p.parts[len(p.parts)-1]))}, true
	}
	r := rank{place: place(folded, p.folded)}
	if place(path, p.exact) != r.place {
		r.recased = 1
	}
	return r, true
}

// matches reports whether the path, the last name or the last two names match the parts.
func (p *pattern) matches(folded string) bool {
	if len(p.parts) == 0 {
		return true
	}
	if !p.from {
		return p.in(folded)
	}
	return p.in(lastName(folded)) || p.in(lastTwo(folded)) || p.in(folded)
}

func (p *pattern) in(text string) bool {
	if p.from && !strings.HasPrefix(text, p.parts[0]) {
		return false
	}
	end := len(p.parts) - 1
	for _, part := range p.parts[:end] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	if p.to {
		return strings.HasSuffix(text, p.parts[end])
	}
	return strings.Contains(text, p.parts[end])
}

// place returns the position at which the path contains the text.
func place(path, text string) int {
	name := lastName(path)
	switch {
	case text == "":
		return elsewhere
	case name == text:
		return inName
	case path == text, strings.HasSuffix(path, "::"+text):
		return inPath
	case strings.HasPrefix(name, text), strings.HasPrefix(lastTwo(path), text) && strings.Contains(text, "::"):
		return asPrefix
	case strings.HasSuffix(name, text):
		return asSuffix
	case strings.Contains(name, text):
		return insideName
	}
	return elsewhere
}
