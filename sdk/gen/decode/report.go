package decode

import (
	"slices"
	"strconv"
	"strings"

	"github.com/jptool/jptool/sdk/fault"
)

// How many problems and warnings are kept and how many are told.
const (
	maxKept = 100
	maxTold = 20
)

// A Problem is one thing in the arguments that does not fit. Texts of the
// caller are repeated up to 60 characters each.
type Problem struct {
	// Path says where: items[2].name; empty for the arguments as a whole.
	Path string `json:"path"`
	// Expected says what would have fitted: an integer from 1 to 10.
	Expected string `json:"expected"`
	// Got says what came: the string "abc".
	Got string `json:"got"`
	// Hint says what to do about it, where that can be guessed.
	Hint string `json:"hint,omitempty"`

	what string
}

// A Report is what decoding found. The zero Report says that all is well.
type Report struct {
	// Problems are in the order in which the fields are declared, the first 100.
	Problems []Problem
	// Warnings are sentences about names that were ignored and are near a declared
	// one.
	Warnings []string

	more int // problems beyond those kept
}

// Merge adds what another report found.
func (r *Report) Merge(other Report) {
	room := max(0, min(maxKept-len(r.Problems), len(other.Problems)))
	r.Problems = append(r.Problems, other.Problems[:room]...)
	r.more += other.more + len(other.Problems) - room
	r.Warnings = append(r.Warnings, other.Warnings...)
}

// Err returns nil when there are no problems, else a *[fault.Error] of code
// [fault.InvalidInput]. Its message lists the problems one a line, the first 20;
// its details hold them under "problems".
func (r Report) Err() error {
	if len(r.Problems) == 0 {
		return nil
	}
	told := r.Problems[:min(maxTold, len(r.Problems))]
	var b strings.Builder
	for i := range told {
		if i > 0 {
			b.WriteByte('\n')
		}
		told[i].write(&b)
	}
	if more := len(r.Problems) - len(told) + r.more; more > 0 {
		b.WriteString("\nand " + strconv.Itoa(more) + " more")
	}
	err := fault.New(fault.InvalidInput, "%s", b.String())
	err.Details = map[string]any{"problems": slices.Clone(r.Problems)}
	return err
}

func (p *Problem) write(b *strings.Builder) {
	what := p.what
	if what == "" {
		what = "argument"
	}
	if p.Path == "" {
		b.WriteString(what + "s")
	} else {
		b.WriteString(what + " " + p.Path)
	}
	b.WriteString(": expected " + p.Expected + ", got " + p.Got)
	if p.Hint != "" {
		b.WriteString("; " + p.Hint)
	}
}
