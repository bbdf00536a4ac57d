package bear

import (
	"math"
	"strconv"
	"strings"
)

// LineSpec selects lines of a note, counted from 1: a line "7", or an inclusive range "3:9", "3-9" or "3..9".
// Spaces around the numbers are allowed. Lines that the note does not have, line 0, and ranges that end before
// they begin are valid but select nothing.
type LineSpec string

// UnmarshalText stores the text, which [ParseLines] parses. JSON numbers are accepted too, because models write
// 7 as often as "7".
func (l *LineSpec) UnmarshalText(text []byte) error {
	*l = LineSpec(text)
	return nil
}

// Lines is a selection of lines of a note. The zero value selects the whole note.
type Lines struct {
	some   bool
	ranges []lineRange
}

// lineRange is an inclusive range.
type lineRange struct{ first, last int }

// ParseLines parses specs. Ranges remain in the given order, but overlapping ranges are merged so that no line
// occurs twice. Without specs, the whole note is selected. The error is a [*BadLinesError] with all invalid
// specs.
func ParseLines(specs []LineSpec) (Lines, error) {
	l := Lines{some: len(specs) > 0}
	var bad []LineSpec
	for _, spec := range specs {
		r, ok := parseRange(string(spec))
		switch {
		case !ok:
			bad = append(bad, spec)
		case r.last >= max(r.first, 1):
			l.add(lineRange{max(r.first, 1), r.last})
		}
	}
	if bad != nil {
		return Lines{}, &BadLinesError{Specs: bad}
	}
	return l, nil
}

// add merges r with the ranges that it overlaps and puts the result at the position of the first of them.
func (l *Lines) add(r lineRange) {
	kept, place := l.ranges[:0], -1
	for _, old := range l.ranges {
		if old.last < r.first || old.first > r.last {
			kept = append(kept, old)
			continue
		}
		if place < 0 {
			place = len(kept)
			kept = append(kept, old)
		}
		r = lineRange{min(r.first, old.first), max(r.last, old.last)}
	}
	if place < 0 {
		l.ranges = append(kept, r)
		return
	}
	kept[place] = r
	l.ranges = kept
}

func parseRange(spec string) (lineRange, bool) {
	for _, separator := range []string{"..", ":", "-"} {
		if first, last, ok := strings.Cut(spec, separator); ok {
			a, okA := parseNumber(first)
			b, okB := parseNumber(last)
			return lineRange{a, b}, okA && okB
		}
	}
	n, ok := parseNumber(spec)
	return lineRange{n, n}, ok
}

// parseNumber parses decimal digits. It returns false for other text. A number that is too large for an int
// becomes the largest int, which is greater than the number of lines of any note.
func parseNumber(s string) (int, bool) {
	s = strings.TrimSpace(s)
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return math.MaxInt, true
	}
	return n, true
}
