package jpvet

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
)

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
				r.at(a.Pos, "%s is not a code that //jp:allow accepts", a.Code).suggest("write one of %s", codes)
				continue
			}
			r.allowed = append(r.allowed, &allowance{Allowance: a})
		}
	}
}

func (r *reporter) allows(f *finding) bool { return r.allowsAt(f.Code, f.pos) }

// allowsAt reports whether findings with the given code are allowed on the line of pos.
func (r *reporter) allowsAt(code diag.Code, pos token.Pos) bool {
	allowed := false
	for _, a := range r.allowed {
		if a.Allows(code, r.pass.Fset.Position(pos)) {
			a.used, allowed = true, true
		}
	}
	return allowed
}

// unusedAllowances reports the //jp:allow lines that match no finding.
func (r *reporter) unusedAllowances() {
	r.code = diag.IdleAllow
	for _, a := range r.allowed {
		if !a.used {
			r.at(a.Pos, "//jp:allow %s does not match any finding", a.Code).suggest("delete it")
		}
	}
}
