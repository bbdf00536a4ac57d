package crateuri

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
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

// linesForm matches rustdoc's #10-40 and GitHub's #L10-L40.
var linesForm = regexp.MustCompile(`^L?([0-9]{1,9})(?:-L?([0-9]{1,9}))?$`)

// Lines returns the lines of a source file that the fragment selects. It is zero for every other fragment.
func (u URI) Lines() Lines {
	l, _ := u.lines()
	return l
}

func (u URI) lines() (Lines, error) {
	m := linesForm.FindStringSubmatch(u.Fragment)
	if u.Root != Sources || m == nil {
		return Lines{}, nil
	}
	from, _ := strconv.Atoi(m[1]) // both numbers have at most nine digits
	to, err := strconv.Atoi(m[2])
	if err != nil {
		to = from
	}
	if from < 1 || to < from {
		return Lines{}, errors.New("invalid lines; use an ascending range from 1, such as #10-40")
	}
	return Lines{from, to}, nil
}
