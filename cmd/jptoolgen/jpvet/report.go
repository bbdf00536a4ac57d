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
	code     diag.Code // of the rule that is run
	findings []*finding
	allowed  []*allowance
	calls    map[token.Pos]*ast.CallExpr // by their opening parentheses
}

// A finding is one sentence and at most one hint, as those of the generator.
type finding struct {
	pos     token.Pos
	code    diag.Code
	message string
	hint    string
	fix     *analysis.SuggestedFix
	related []analysis.RelatedInformation
}

// at adds a finding.
func (r *reporter) at(pos token.Pos, format string, args ...any) *finding {
	f := &finding{pos: r.start(pos), code: r.code, message: fmt.Sprintf(format, args...)}
	r.findings = append(r.findings, f)
	return f
}

// suggest sets the hint: what to type.
func (f *finding) suggest(format string, args ...any) *finding {
	f.hint = fmt.Sprintf(format, args...)
	return f
}

// see points at another place that has to do with it.
func (f *finding) see(pos token.Pos, format string, args ...any) {
	f.related = append(f.related, analysis.RelatedInformation{Pos: pos, Message: fmt.Sprintf(format, args...)})
}

// edit sets the fix, for one that is certain.
func (f *finding) edit(message string, pos, end token.Pos, text string) {
	f.fix = &analysis.SuggestedFix{Message: message, TextEdits: []analysis.TextEdit{{Pos: pos, End: end, NewText: []byte(text)}}}
}

// start returns where a call begins that go/ssa places at its parenthesis.
func (r *reporter) start(pos token.Pos) token.Pos {
	if r.calls == nil {
		r.calls = map[token.Pos]*ast.CallExpr{}
		for _, f := range r.pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					r.calls[call.Lparen] = call
				}
				return true
			})
		}
	}
	if call := r.calls[pos]; call != nil {
		return call.Pos()
	}
	return pos
}

// place returns line:column of pos, for a message about the same file.
func (r *reporter) place(pos token.Pos) string {
	p := r.pass.Fset.Position(r.start(pos))
	return fmt.Sprintf("line %d", p.Line)
}

// flush reports what is not allowed, each once, and allowances of nothing.
func (r *reporter) flush() {
	type key struct {
		pos  token.Pos
		text string
	}
	seen := map[key]bool{}
	// The findings about allowances are known when all others have been held against them.
	reported := slices.DeleteFunc(r.findings, r.allows)
	r.findings = nil
	r.idleAllowances()
	for _, f := range append(reported, r.findings...) {
		text := string(f.code) + ": " + f.message
		if f.hint != "" {
			text += "; " + f.hint
		}
		if seen[key{f.pos, text}] {
			continue
		}
		seen[key{f.pos, text}] = true
		d := analysis.Diagnostic{Pos: f.pos, Category: string(f.code), Message: text, Related: f.related}
		if f.fix != nil {
			d.SuggestedFixes = []analysis.SuggestedFix{*f.fix}
		}
		r.pass.Report(d)
	}
}
