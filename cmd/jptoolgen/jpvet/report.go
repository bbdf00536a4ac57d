package jpvet

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// A reporter collects findings.
type reporter struct {
	pass     *analysis.Pass
	code     diag.Code // of the current rule
	findings []*finding
	allowed  []*allowance
	calls    map[token.Pos]*ast.CallExpr // by their opening parentheses
}

// A finding is a [diag.Finding] with a fix and related positions.
type finding struct {
	diag.Finding
	pos     token.Pos
	fix     *analysis.SuggestedFix
	related []analysis.RelatedInformation
}

func (r *reporter) at(pos token.Pos, format string, args ...any) *finding {
	f := &finding{Finding: diag.Finding{Code: r.code, Message: fmt.Sprintf(format, args...)}, pos: r.start(pos)}
	r.findings = append(r.findings, f)
	return f
}

// suggest sets the hint, which says what to type.
func (f *finding) suggest(format string, args ...any) *finding {
	f.Suggest(format, args...)
	return f
}

// see adds a related position.
func (f *finding) see(pos token.Pos, format string, args ...any) {
	f.related = append(f.related, analysis.RelatedInformation{Pos: pos, Message: fmt.Sprintf(format, args...)})
}

// edit sets the fix of a finding. Use it only if the fix is certainly right.
func (f *finding) edit(message string, pos, end token.Pos, text string) {
	f.fix = &analysis.SuggestedFix{Message: message, TextEdits: []analysis.TextEdit{{Pos: pos, End: end, NewText: []byte(text)}}}
}

// start returns the start of a call, which go/ssa positions at its opening parenthesis.
func (r *reporter) start(pos token.Pos) token.Pos {
	if r.calls == nil {
		r.calls = map[token.Pos]*ast.CallExpr{}
		for _, f := range r.pass.Files {
			for n := range ast.Preorder(f) {
				if call, ok := n.(*ast.CallExpr); ok {
					r.calls[call.Lparen] = call
				}
			}
		}
	}
	if call := r.calls[pos]; call != nil {
		return call.Pos()
	}
	return pos
}

// place returns the line of pos, for a message about the same file.
func (r *reporter) place(pos token.Pos) string {
	p := r.pass.Fset.Position(r.start(pos))
	return fmt.Sprintf("line %d", p.Line)
}

// flush reports the findings that are not allowed, each once, and the unused //jp:allow lines.
func (r *reporter) flush() {
	type key struct {
		pos  token.Pos
		text string
	}
	seen := map[key]bool{}
	// Unused //jp:allow lines are known only after all other findings are matched.
	reported := slices.DeleteFunc(r.findings, r.allows)
	r.findings = nil
	r.unusedAllowances()
	for _, f := range append(reported, r.findings...) {
		text := string(f.Code) + ": " + f.Text()
		if seen[key{f.pos, text}] {
			continue
		}
		seen[key{f.pos, text}] = true
		d := analysis.Diagnostic{Pos: f.pos, Category: string(f.Code), Message: text, Related: f.related}
		if f.fix != nil {
			d.SuggestedFixes = []analysis.SuggestedFix{*f.fix}
		}
		r.pass.Report(d)
	}
}
