package directive

import (
	"go/token"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// An Allowance is one code of a //jp:allow line. A //jp:allow at the end of a line of code applies to that line. Any
// other //jp:allow applies to the line below.
type Allowance struct {
	Pos  token.Pos
	Code diag.Code

	at token.Position
}

// Allowances returns the codes of d, which must be a //jp:allow line.
func (d Directive) Allowances(fset *token.FileSet) []Allowance {
	at := fset.Position(d.Pos)
	if !d.Behind {
		at.Line++
	}
	var all []Allowance
	for _, w := range d.Words {
		all = append(all, Allowance{w.Pos, diag.Code(w.Value), at})
	}
	return all
}

// Allows reports whether a applies to a finding.
func (a Allowance) Allows(code diag.Code, pos token.Position) bool {
	return a.Code == code && a.at.Filename == pos.Filename && a.at.Line == pos.Line
}
