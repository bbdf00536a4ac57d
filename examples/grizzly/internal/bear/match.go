package bear

import (
	"iter"
	"strings"
	"unicode/utf8"
)

const (
	maxHits      = 20
	snippetRunes = 200
)

// match returns the matches of the queries in a note.
func (p plan) match(r row) Match {
	m := Match{Info: r.info}
	for h := range p.hits(r.text) {
		if m.TotalHits++; m.TotalHits > maxHits || r.info.Archived {
			continue
		}
		m.Hits = append(m.Hits, h.number)
		if m.TotalHits == 1 {
			m.Snippet = Snippet{h.number, window(h.line, h.begin, h.end)}
		}
	}
	if m.TotalHits == 0 && !r.info.Archived {
		m.Snippet = opening(r.text)
	}
	return m
}

// opening returns the first line that is not blank.
func opening(text string) Snippet {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if strings.TrimSpace(line) != "" {
			return Snippet{number, window(strings.TrimRight(line, "\r\n"), 0, 0)}
		}
	}
	return Snippet{}
}

// hit is a line in which a match of a query begins.
type hit struct {
	number     int
	line       string // the line without its line break
	begin, end int    // position of the leftmost match in the line
}

// hits yields the lines of text in which a match of any query begins.
func (p plan) hits(text string) iter.Seq[hit] {
	finders := make([]*finder, len(p.needles))
	for i, n := range p.needles {
		finders[i] = n.finder(text)
	}
	return hits(text, finders)
}

func hits(text string, finders []*finder) iter.Seq[hit] {
	return func(yield func(hit) bool) {
		spans := make([]span, len(finders)) // the next match of each query
		for i, f := range finders {
			spans[i] = f.find(0)
		}
		for from, number := 0, 1; from < len(text); number++ {
			first := span{len(text), len(text)}
			for i, f := range finders {
				if spans[i].begin < from {
					spans[i] = f.find(from)
				}
				if spans[i].begin < first.begin {
					first = spans[i]
				}
			}
			if first.begin == len(text) {
				return
			}
			number += strings.Count(text[from:first.begin], "\n")
			start := strings.LastIndexByte(text[:first.begin], '\n') + 1
			end := indexFrom(text, '\n', first.begin)
			line := strings.TrimSuffix(text[start:end], "\r")
			if !yield(hit{number, line, first.begin - start, min(first.end-start, len(line))}) {
				return
			}
			from = end + 1
		}
	}
}

// window returns the part of a line around the bytes from begin to end, and marks cuts with an ellipsis.
func window(line string, begin, end int) string {
	length := utf8.RuneCountInString(line)
	if length <= snippetRunes {
		return line
	}
	hit := utf8.RuneCountInString(line[:begin])
	room := snippetRunes - utf8.RuneCountInString(line[begin:end])
	first := min(max(hit-max(room, 0)/2, 0), length-snippetRunes)
	runes := []rune(line)[first : first+snippetRunes]
	text := string(runes)
	if first > 0 {
		text = "…" + text
	}
	if first+snippetRunes < length {
		text += "…"
	}
	return text
}
