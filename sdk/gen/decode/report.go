package decode

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/sdk/fault"
)

// Maximum number of problems and warnings that are stored and shown.
const (
	maxKept   = 100
	maxListed = 20
)

// A Problem is a value that does not match the schema. The caller's text in it is shortened to
// 60 characters.
type Problem struct {
	// Path locates the value, such as items[2].name; "" means the arguments as a whole.
	Path string `json:"path"`
	// Expected describes the expected value, such as: an integer from 1 to 10.
	Expected string `json:"expected"`
	// Got describes the value that was sent, such as: the string "abc".
	Got string `json:"got"`
	// Hint suggests a correction, if one is likely.
	Hint string `json:"hint,omitempty"`

	what         string
	at           int32  // the value that a Func has refused, or the object that lacks a member
	noun, extent string // form Expected if a Func has refused the value
	lacks        string // the name of the member
}

// A Report is the result of decoding. The zero Report has no problems.
type Report struct {
	// Problems are in the order of declared fields, at most 100.
	Problems []Problem
	// Warnings are sentences about ignored names that are similar to declared ones.
	Warnings []string

	more int // problems beyond those stored
}

// Merge appends another report.
func (r *Report) Merge(other Report) {
	room := max(0, min(maxKept-len(r.Problems), len(other.Problems)))
	r.Problems = append(r.Problems, other.Problems[:room]...)
	r.more += other.more + len(other.Problems) - room
	r.Warnings = append(r.Warnings, other.Warnings...)
}

// Err returns nil if there are no problems, otherwise a *[fault.Error] with the code
// [fault.InvalidInput]. Its message lists the first 20 problems, one per line; its details
// have them under "problems".
func (r Report) Err() error {
	if len(r.Problems) == 0 {
		return nil
	}
	var lines []string
	for _, p := range r.Problems[:min(maxListed, len(r.Problems))] {
		lines = append(lines, p.line())
	}
	if more := len(r.Problems) - len(lines) + r.more; more > 0 {
		lines = append(lines, "and "+strconv.Itoa(more)+" more")
	}
	err := fault.New(fault.InvalidInput, "%s", strings.Join(lines, "\n"))
	err.Details = map[string]any{"problems": slices.Clone(r.Problems)}
	return err
}

func (p *Problem) line() string {
	place := "s"
	if p.Path != "" {
		place = " " + p.Path
	}
	line := cmp.Or(p.what, "argument") + place + ": expected " + p.Expected + ", got " + p.Got
	if p.Hint != "" {
		line += "; " + p.Hint
	}
	return line
}
