package crateuri

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Lines is an inclusive range of lines, counted from 1.
type Lines struct{ From, To int }

// String returns the fragment that selects these lines, in rustdoc's format: 10-40, or 10 for a single line.
func (l Lines) String() string {
	if l.From == l.To {
		return strconv.Itoa(l.From)
	}
	return fmt.Sprintf("%d-%d", l.From, l.To)
}

// Lines returns the lines of a source file that the fragment selects. It is zero for every other fragment.
func (u URI) Lines() Lines {
	l, _ := u.lines()
	return l
}

// lines parses a fragment that selects lines, such as rustdoc's #10-40 or GitHub's #L10-L40. It
// returns zero Lines for other fragments.
func (u URI) lines() (Lines, error) {
	first, last, isRange := strings.Cut(u.Fragment, "-")
	if !isRange {
		last = first
	}
	from, ok1 := line(first)
	to, ok2 := line(last)
	if u.Root != Sources || !ok1 || !ok2 {
		return Lines{}, nil
	}
	if from < 1 || to < from {
		return Lines{}, errors.New("invalid lines: numbers start at 1, and the first must not be greater than the last, as in #10-40")
	}
	return Lines{from, to}, nil
}

// line parses a line number, such as 10 or L10.
func line(text string) (int, bool) {
	text = strings.TrimPrefix(text, "L")
	n, err := strconv.ParseUint(text, 10, 31)
	return int(n), err == nil
}
