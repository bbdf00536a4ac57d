package crateuri

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// Lines is an inclusive range of lines, counted from 1.
type Lines struct{ From, To int }

// String returns the range in rustdoc's format: 10-40, or 10 for a single line.
func (l Lines) String() string {
	if l.From == l.To {
		return strconv.Itoa(l.From)
	}
	return fmt.Sprintf("%d-%d", l.From, l.To)
}

// Fragment returns the fragment that selects these lines: L10-L40.
func (l Lines) Fragment() string { return fmt.Sprintf("L%d-L%d", l.From, l.To) }

var (
	rangeForm  = regexp.MustCompile(`^L([0-9]{1,9})(?:-L?([0-9]{1,9}))?$`)
	anchorForm = regexp.MustCompile(`^([0-9]{1,9})(?:-([0-9]{1,9}))?$`)
)

// Lines returns the lines of a source file that the fragment selects, as in #L10-L40 or #L10. It is zero for
// every other fragment: rustdoc's own #10-40 points into the whole file, see [URI.Anchor].
func (u URI) Lines() Lines {
	l, _ := u.lines()
	return l
}

func (u URI) lines() (Lines, error) {
	m := rangeForm.FindStringSubmatch(u.Fragment)
	if u.Root != Sources || m == nil {
		return Lines{}, nil
	}
	l := read(m)
	if l.From < 1 || l.To < l.From {
		return Lines{}, errors.New("invalid line range: lines are numbered from 1, and the range must be ascending, such as #L10-L40")
	}
	return l, nil
}

// Anchor returns the lines that rustdoc's #10-40 or #10 points at. It is zero for every other fragment.
func (u URI) Anchor() Lines {
	m := anchorForm.FindStringSubmatch(u.Fragment)
	if u.Root != Sources || m == nil {
		return Lines{}
	}
	l := read(m)
	if l.From < 1 || l.To < l.From {
		return Lines{}
	}
	return l
}

// read returns the two numbers of a match, which have at most nine digits each.
func read(m []string) Lines {
	from, _ := strconv.Atoi(m[1])
	to, err := strconv.Atoi(m[2])
	if err != nil {
		to = from
	}
	return Lines{from, to}
}
