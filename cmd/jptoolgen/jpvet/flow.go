package jpvet

import (
	"cmp"
	"go/token"
	"slices"
	"strings"
)

// A set is a sorted list without duplicates. Sorted facts have the same bytes in every run.
type set[T cmp.Ordered] []T

func (s *set[T]) add(values ...T) {
	for _, v := range values {
		if i, known := slices.BinarySearch(*s, v); !known {
			*s = slices.Insert(*s, i, v)
		}
	}
}

func (s set[T]) has(v T) bool {
	_, known := slices.BinarySearch(s, v)
	return known
}

// A flow holds the error codes that an error may carry. It is a fact about a function's error, or about a variable.
type flow struct {
	// May holds every code that the error may carry. Sure holds only the codes that do not depend on an argument
	// and that no function on the way handles.
	May, Sure set[string]
	// Unknown is set if there may be other codes.
	Unknown bool
	// Params holds the indexes of the parameters whose codes the error carries. In a fact about a function, the
	// error is the function's result.
	Params set[int]
	// Plain is set in a fact about an error that may have no code. Judges is set if a function examines which
	// error it receives.
	Plain, Judges bool
	// plain describes what creates each error without a code in this package, by position.
	plain map[token.Pos]string
}

// AFact marks flow as a fact.
func (*flow) AFact() {}

func (f *flow) String() string {
	text := "fails with " + strings.Join(f.May, " ")
	if f.Unknown {
		text += " and others"
	}
	if len(f.Params) > 0 {
		text += " and codes of its arguments"
	}
	return text
}

func newFlow() *flow { return &flow{plain: map[token.Pos]string{}} }

// code adds a code that originates here.
func (f *flow) code(code string) {
	f.May.add(code)
	f.Sure.add(code)
}

// uncoded adds an error without a code. If there are two errors at one position, every run keeps the same one.
func (f *flow) uncoded(pos token.Pos, what string) {
	if known, ok := f.plain[pos]; !ok || what < known {
		f.plain[pos] = what
	}
}

// join adds the codes of other, and reports whether it added any.
func (f *flow) join(other *flow) (more bool) {
	if other == nil {
		return false
	}
	size := func() int { return len(f.May) + len(f.Sure) + len(f.Params) + len(f.plain) }
	before, known := size(), f.Unknown
	f.carry(other, nil)
	f.Params.add(other.Params...)
	for pos, what := range other.plain {
		f.uncoded(pos, what)
	}
	return size() > before || f.Unknown != known
}

// carry adds the codes that the result of a call has for any arguments. dealt holds the codes that the caller
// handles itself and might not return.
func (f *flow) carry(result *flow, dealt set[string]) {
	f.May.add(result.May...)
	for _, code := range result.Sure {
		if !dealt.has(code) {
			f.Sure.add(code)
		}
	}
	f.Unknown = f.Unknown || result.Unknown
}
