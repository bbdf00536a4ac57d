package jpvet

import (
	"go/token"
	"maps"
	"slices"
	"strings"
)

// A flow holds the error codes that an error may carry.
type flow struct {
	// may holds every code; sure omits the codes that may be handled before.
	may, sure map[string]bool
	// unknown is set if there may be other codes.
	unknown bool
	// plain maps the positions where errors without a code originate to what creates them.
	plain map[token.Pos]string
	// foreign is set if a function of another package returns such errors, judges if a function examines which
	// error it receives.
	foreign, judges bool
	// params are the indexes of the parameters whose codes the error carries; for a function, the error is its
	// result.
	params map[int]bool
}

func newFlow() *flow {
	return &flow{may: map[string]bool{}, sure: map[string]bool{}, params: map[int]bool{}, plain: map[token.Pos]string{}}
}

// code adds a code that originates here.
func (f *flow) code(code string) {
	f.may[code], f.sure[code] = true, true
}

// uncoded adds an error without a code. If there are two at one position, every run keeps the same one.
func (f *flow) uncoded(pos token.Pos, what string) {
	if known, ok := f.plain[pos]; !ok || what < known {
		f.plain[pos] = what
	}
}

// join adds the codes of other.
func (f *flow) join(other *flow) {
	if other == nil {
		return
	}
	maps.Copy(f.may, other.may)
	maps.Copy(f.sure, other.sure)
	maps.Copy(f.params, other.params)
	for pos, what := range other.plain {
		f.uncoded(pos, what)
	}
	f.unknown = f.unknown || other.unknown
}

// carry adds the codes that the result of a call has for any arguments. The caller handles the codes in dealt
// itself, so these are not sure to be returned.
func (f *flow) carry(result *flow, dealt map[string]bool) {
	maps.Copy(f.may, result.may)
	for code := range result.sure {
		if !dealt[code] {
			f.sure[code] = true
		}
	}
	f.unknown = f.unknown || result.unknown
}

// size grows whenever something is added to the flow.
func (f *flow) size() int {
	n := len(f.may) + len(f.sure) + len(f.params) + len(f.plain)
	if f.unknown {
		n++
	}
	return n
}

// faults is the fact form of a flow: about a function's error, or about a variable.
type faults struct {
	May, Sure     []string
	Unknown       bool
	Params        []int
	Plain, Judges bool
}

// AFact marks faults as a fact.
func (*faults) AFact() {}

func (f *faults) String() string {
	text := "fails with " + strings.Join(f.May, " ")
	if f.Unknown {
		text += " and others"
	}
	if len(f.Params) > 0 {
		text += " and codes of its arguments"
	}
	return text
}

func (f *flow) fact() *faults {
	if f == nil {
		return &faults{Unknown: true}
	}
	return &faults{
		May: slices.Sorted(maps.Keys(f.may)), Sure: slices.Sorted(maps.Keys(f.sure)),
		Unknown: f.unknown, Params: slices.Sorted(maps.Keys(f.params)), Plain: len(f.plain) > 0, Judges: f.judges,
	}
}

func (f *faults) flow() *flow {
	out := newFlow()
	out.unknown, out.foreign, out.judges = f.Unknown, f.Plain, f.Judges
	for _, code := range f.May {
		out.may[code] = true
	}
	for _, code := range f.Sure {
		out.sure[code] = true
	}
	for _, i := range f.Params {
		out.params[i] = true
	}
	return out
}
