package index

import "strings"

// A pattern is what a query's text matches.
type pattern struct {
	exact  string   // the text without percent signs
	folded string   // exact in lower case
	parts  []string // in lower case, to stand in this order
	// from and to say that the name begins with the first part and ends with the last.
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

// The ranks of matches, best first.
const (
	rankName = iota * 2 // the name is the text
	rankPath            // the last names or the path are the text
	rankPrefix
	rankSuffix
	rankInside
	rankElsewhere // the path matches, the name does not
)

// rank says how well a path matches. Half a step worse is what matches in another case only.
func (p *pattern) rank(path string) (int, bool) {
	folded := strings.ToLower(path)
	if !p.matches(folded) {
		return 0, false
	}
	if len(p.parts) > 1 {
		return max(rankPath, place(folded, p.parts[len(p.parts)-1])), true
	}
	r := place(folded, p.folded)
	if r < rankInside && place(path, p.exact) != r {
		r++
	}
	return r, true
}

// matches looks for the parts in the path, the last name or the last two.
func (p *pattern) matches(folded string) bool {
	if len(p.parts) == 0 {
		return true
	}
	if !p.from {
		return p.in(folded)
	}
	return p.in(last(folded)) || p.in(lastTwo(folded)) || p.in(folded)
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

// place says where in a path the text stands.
func place(path, text string) int {
	name := last(path)
	switch {
	case text == "":
		return rankElsewhere
	case name == text:
		return rankName
	case path == text, strings.HasSuffix(path, "::"+text):
		return rankPath
	case strings.HasPrefix(name, text), strings.HasPrefix(lastTwo(path), text) && strings.Contains(text, "::"):
		return rankPrefix
	case strings.HasSuffix(name, text):
		return rankSuffix
	case strings.Contains(name, text):
		return rankInside
	}
	return rankElsewhere
}
