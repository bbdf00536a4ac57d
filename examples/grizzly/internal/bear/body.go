package bear

import (
	"strings"
	"unicode/utf8"
)

// DefaultBody is the default maximum number of bytes of one note in an answer.
const DefaultBody = 256 << 10

// Body is the requested part of a note's text, up to the limit.
type Body struct {
	Text    string // the text, if no lines were requested
	Lines   []Line // the requested lines, or nil
	Total   int    // number of lines of the note
	Next    int    // first requested line that was omitted, or 0
	Clipped int    // line that was cut because it alone exceeds the limit, or 0
}

// Line is a numbered line without its line break.
type Line struct {
	Number int // counted from 1
	Text   string
}

// lineCost is the number of bytes that a line costs in addition to its text, for the number and the line break.
const lineCost = 8

// excerpt returns the part of text that sel selects, with at most limit bytes.
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

// whole cuts text after the last line that fits, or within the first line if even this line does not fit.
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

// splitLines splits at line feeds. A carriage return before a line feed is part of the line break, and a line
// break at the end does not start another line.
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

// clip cuts s to at most n bytes and never within a rune.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
