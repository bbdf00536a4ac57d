// Package diag collects and prints findings with positions.
//
// Each stage of the generator adds its findings to a [List] and continues. The next stage starts only if the list has
// no findings except warnings. A message is one sentence without a leading capital or a period, and has at most one
// hint that describes the fix.
package diag

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strconv"

	"github.com/jptool/jptool/internal/lazyregexp"
)

// A Finding is a problem in the source.
type Finding struct {
	Pos     token.Position
	Code    Code
	Message string
	// Hint describes the fix. It may be "".
	Hint string
	// Firm is set if a //jp:allow line cannot accept the finding.
	Firm bool
	// Warning is set if the source is valid nevertheless, so that the finding does not stop the generator.
	Warning bool
}

// Text returns the message of f with its hint.
func (f Finding) Text() string {
	if f.Hint == "" {
		return f.Message
	}
	return f.Message + "; " + f.Hint
}

// Suggest sets the hint of f.
func (f *Finding) Suggest(format string, args ...any) { f.Hint = fmt.Sprintf(format, args...) }

// A List collects findings.
type List struct {
	fset     *token.FileSet
	dir      string
	findings []*Finding
	// uses holds the positions of a finding that is about several of them.
	uses map[*Finding][]token.Position
}

// NewList returns an empty list of findings about the files in fset. Messages show positions in other files relative
// to dir.
func NewList(fset *token.FileSet, dir string) *List { return &List{fset: fset, dir: dir} }

// Scratch returns an empty list about the same files. Use it to discard findings.
func (l *List) Scratch() *List { return NewList(l.fset, l.dir) }

// Add adds a finding at pos and returns it, so that the caller can add a hint.
func (l *List) Add(pos token.Pos, code Code, format string, args ...any) *Finding {
	return l.AddAt(l.fset.Position(pos), code, format, args...)
}

// AddAt is like [List.Add], but takes a resolved position.
func (l *List) AddAt(pos token.Position, code Code, format string, args ...any) *Finding {
	f := &Finding{Pos: pos, Code: code, Message: fmt.Sprintf(format, args...)}
	l.findings = append(l.findings, f)
	return f
}

// AddUses is like [List.Add], but adds one finding about several positions. A //jp:allow line accepts it for a position.
func (l *List) AddUses(at []token.Pos, code Code, format string, args ...any) *Finding {
	f := l.Add(at[0], code, format, args...)
	if l.uses == nil {
		l.uses = map[*Finding][]token.Position{}
	}
	for _, pos := range at {
		l.uses[f] = append(l.uses[f], l.fset.Position(pos))
	}
	return f
}

// Append adds a copy of a finding.
func (l *List) Append(f Finding) { l.findings = append(l.findings, &f) }

// Position returns pos as a position in a file.
func (l *List) Position(pos token.Pos) token.Position { return l.fset.Position(pos) }

// Warn adds a warning at pos and returns it, so that the caller can add a hint.
func (l *List) Warn(pos token.Pos, code Code, format string, args ...any) *Finding {
	f := l.Add(pos, code, format, args...)
	f.Warning = true
	return f
}

// Compare orders positions by file, line and column. The order of token.Pos values is not deterministic, because
// files are parsed concurrently.
func (l *List) Compare(p, q token.Pos) int {
	return compare(l.fset.Position(p), l.fset.Position(q))
}

func compare(p, q token.Position) int {
	return cmp.Or(
		cmp.Compare(p.Filename, q.Filename),
		cmp.Compare(p.Line, q.Line),
		cmp.Compare(p.Column, q.Column),
	)
}

// SameLine reports whether two positions are on the same line.
func (l *List) SameLine(p, q token.Pos) bool {
	a, b := l.fset.PositionFor(p, false), l.fset.PositionFor(q, false)
	return a.Filename == b.Filename && a.Line == b.Line
}

// Place returns pos as file:line:column, for use in messages.
func (l *List) Place(pos token.Pos) string { return Rel(l.dir, l.fset.Position(pos).String()) }

// Dir returns the directory to which the positions in messages are relative.
func (l *List) Dir() string { return l.dir }

// Remove removes the findings for which del returns true, and reports whether it removed any. From a finding about several
// positions, it removes those positions for which del returns true.
func (l *List) Remove(del func(Finding) bool) (removed bool) {
	l.findings = slices.DeleteFunc(l.findings, func(f *Finding) bool {
		uses := l.uses[f]
		if len(uses) == 0 {
			uses = []token.Position{f.Pos}
		}
		left := slices.DeleteFunc(slices.Clone(uses), func(pos token.Position) bool {
			one := *f
			one.Pos = pos
			return del(one)
		})
		removed = removed || len(left) < len(uses)
		if len(left) > 0 && l.uses[f] != nil {
			f.Pos, l.uses[f] = left[0], left
		}
		return len(left) == 0
	})
	return removed
}

// Len returns the number of findings that are not warnings.
func (l *List) Len() (n int) {
	for _, f := range l.findings {
		if !f.Warning {
			n++
		}
	}
	return n
}

// Sorted returns the findings that are not warnings, sorted by file, line and column, without duplicates.
func (l *List) Sorted() []Finding {
	return slices.DeleteFunc(l.All(), func(f Finding) bool { return f.Warning })
}

// All is like [List.Sorted], but includes warnings.
func (l *List) All() []Finding {
	all := make([]Finding, len(l.findings))
	for i, f := range l.findings {
		all[i] = *f
		for n, pos := range l.uses[f] {
			if n > 0 {
				all[i].Message += map[bool]string{true: "; it is also used at ", false: ", "}[n == 1] + Rel(l.dir, pos.String())
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(
			compare(a.Pos, b.Pos),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.CompactFunc(all, func(a, b Finding) bool {
		a.Pos.Offset, b.Pos.Offset = 0, 0
		return a == b
	})
}

// position matches file:line:column, and file:line, the form of a position after a //line comment without a column.
var position = lazyregexp.New(`^(.+?):(\d+)(?::(\d+))?$`)

// ParsePosition parses file:line:column or file:line. It returns false for other text.
func ParsePosition(text string) (token.Position, bool) {
	parts := position().FindStringSubmatch(text)
	if parts == nil {
		return token.Position{}, false
	}
	line, badLine := strconv.Atoi(parts[2])
	column, badColumn := strconv.Atoi(cmp.Or(parts[3], "0"))
	return token.Position{Filename: parts[1], Line: line, Column: column}, badLine == nil && badColumn == nil
}
