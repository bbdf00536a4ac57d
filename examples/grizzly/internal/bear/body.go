package bear

import (
	"strings"
	"unicode/utf8"
)

// DefaultBody is how many bytes of one note an answer carries when nobody says.
const DefaultBody = 256 << 10

// Body is as much of a note's text as was asked for and fits the limit.
type Body struct {
	Text    string // the text as it is, when no lines were asked for
	Lines   []Line // the lines asked for, else nil
	Total   int    // how many lines the note has
	Next    int    // the first line asked for that is left out; 0 when none is
	Clipped int    // the line that is too long by itself and was cut; 0 when none was
}

// Line is a numbered line, without its line break.
type Line struct {
	Number int // counted from 1
	Text   string
}

// lineCost is what a line counts for besides its text: its number and its end.
const lineCost = 8

// excerpt takes from text what sel asks for, up to limit bytes.
func excerpt(text string, sel Lines, limit int) Body {
	if !sel.some {
		return whole(text, limit)
	}
	lines := splitLines(text)
	b := Body{Total: len(lines), Lines: []Line{}}
	for _, r := range sel.ranges {
		for n := r.first; n <= min(r.last, len(lines)); n++ {
			line := lines[n-1]
			if len(line)+lineCost > limit {
				if len(b.Lines) > 0 {
					b.Next = n
					return b
				}
				line, b.Clipped = clip(line, max(limit-lineCost, 0)), n
			}
			limit -= len(line) + lineCost
			b.Lines = append(b.Lines, Line{n, line})
		}
	}
	return b
}

// whole cuts text after the last line that fits, or within the first when none does.
func whole(text string, limit int) Body {
	b := Body{Text: text, Total: countLines(text)}
	if len(text) <= limit {
		return b
	}
	b.Text = clip(text, limit)
	if end := strings.LastIndexByte(b.Text, '\n'); end >= 0 {
		b.Text = b.Text[:end+1]
		b.Next = strings.Count(b.Text, "\n") + 1
		return b
	}
	b.Clipped = 1
	if b.Total > 1 {
		b.Next = 2
	}
	return b
}

// splitLines splits at line feeds; a carriage return before one belongs to it,
// and text that ends with one has no empty line after it.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return lines
}

func countLines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// clip cuts s to at most n bytes, between runes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
