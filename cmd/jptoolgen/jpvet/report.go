package jpvet

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
)

// A reporter collects findings.
type reporter struct {
	pass     *analysis.Pass
	code     diag.Code // the code of the current rule
	findings []*finding
	allowed  []*allowance
	calls    map[token.Pos]*ast.CallExpr // keyed by the position of the opening parenthesis
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

// suggest sets the hint, which describes the fix.
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

// place returns the line of pos for use in a message about the same file.
func (r *reporter) place(pos token.Pos) string {
	return fmt.Sprintf("line %d", r.pass.Fset.Position(r.start(pos)).Line)
}

// flush reports the findings that are not allowed, without duplicates, and the unused //jp:allow lines.
func (r *reporter) flush() {
	type key struct {
		pos  token.Pos
		text string
	}
	seen := map[key]bool{}
	// Unused //jp:allow lines are known only after all other findings are matched.
	r.findings = slices.DeleteFunc(r.findings, func(f *finding) bool { return r.allows(f.Code, f.pos) })
	r.code = diag.IdleAllow
	for _, a := range r.allowed {
		if !a.used {
			r.at(a.Pos, "//jp:allow %s does not match any finding", a.Code).suggest("delete it")
		}
	}
	for _, f := range r.findings {
		at := key{f.pos, string(f.Code) + ": " + f.Text()}
		if seen[at] {
			continue
		}
		seen[at] = true
		d := analysis.Diagnostic{Pos: f.pos, Category: string(f.Code), Message: at.text, Related: f.related}
		if f.fix != nil {
			d.SuggestedFixes = []analysis.SuggestedFix{*f.fix}
		}
		r.pass.Report(d)
	}
}

const allowPrefix = "//jp:allow"

// An allowance is one code of a //jp:allow line.
type allowance struct {
	directive.Allowance
	used bool
}

// readAllowances reads the //jp:allow lines in files.
func (r *reporter) readAllowances(files []*ast.File) {
	var codes []diag.Code
	for _, rule := range rules() {
		codes = append(codes, rule.code)
	}
	codes = append(codes, model.Allowable()...)
	slices.Sort(codes)
	for f, comment := range commentsIn(files) {
		if !strings.HasPrefix(comment.Text, allowPrefix) {
			continue
		}
		list := diag.NewList(r.pass.Fset, "")
		line, ok := directive.Parse(comment, list)
		for _, f := range list.Sorted() {
			r.code = f.Code
			r.at(comment.Pos(), "%s", f.Message).Hint = f.Hint
		}
		if !ok || list.Len() > 0 {
			continue
		}
		line.Behind = directive.Behind(f, list, comment.Slash)
		for _, a := range line.Allowances(r.pass.Fset) {
			if slices.Contains(model.Allowable(), a.Code) {
				continue // the generator checks this code
			}
			if !slices.Contains(codes, a.Code) {
				r.code = diag.BadArgument
				if why := a.Code.Removed(); why != "" {
					r.at(a.Pos, "the rule of %s was removed", a.Code).suggest("delete the code, because %s", why)
					continue
				}
				r.at(a.Pos, "%s is not a code that //jp:allow accepts", a.Code).suggest("write one of %s", strings.ReplaceAll(strings.Trim(fmt.Sprint(codes), "[]"), " ", ", "))
				continue
			}
			r.allowed = append(r.allowed, &allowance{Allowance: a})
		}
	}
}

// allows reports whether findings with the given code are allowed on the line of pos.
func (r *reporter) allows(code diag.Code, pos token.Pos) bool {
	allowed := false
	for _, a := range r.allowed {
		if a.Allows(code, r.pass.Fset.Position(pos)) {
			a.used, allowed = true, true
		}
	}
	return allowed
}
