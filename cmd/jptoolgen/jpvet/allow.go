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
	pos  token.Pos
	code diag.Code
	file *token.File
	// line is the line whose findings are allowed.
	line int
	used bool
}

// readAllowances reads the //jp:allow lines of files. A //jp:allow at the end of a line of code applies to that
// line, any other to the line below.
func (r *reporter) readAllowances(files []*ast.File) {
	var codes []string
	for _, rule := range rules() {
		codes = append(codes, string(rule.code))
	}
	for _, code := range model.Allowable() {
		codes = append(codes, string(code))
	}
	for f, comment := range commentsIn(files) {
		if !strings.HasPrefix(comment.Text, allowPrefix) {
			continue
		}
		list := diag.NewList(r.pass.Fset, "")
		line, ok := directive.Parse(comment, list)
		for _, f := range list.Sorted() {
			r.code = f.Code
			r.at(comment.Pos(), "%s", f.Message).hint = f.Hint
		}
		if !ok || list.Len() > 0 {
			continue
		}
		file := r.pass.Fset.File(f.FileStart)
		at := file.Line(comment.Slash)
		if !directive.Behind(f, list, comment.Slash) {
			at++
		}
		for _, w := range line.Words {
			if slices.Contains(model.Allowable(), diag.Code(w.Value)) {
				continue // the generator reads it
			}
			if !slices.Contains(codes, w.Value) {
				r.code = diag.BadArgument
				r.at(w.Pos, "%s is not a code of a finding that can be allowed", w.Value).suggest("write one of %s", codes)
				continue
			}
			r.allowed = append(r.allowed, &allowance{pos: w.Pos, code: diag.Code(w.Value), file: file, line: at})
		}
	}
}

// allows reports whether f is allowed.
func (r *reporter) allows(f *finding) bool { return r.allowsAt(f.code, f.pos) }

// allowsAt reports whether findings with a code are allowed on the line of pos.
func (r *reporter) allowsAt(code diag.Code, pos token.Pos) bool {
	allowed := false
	for _, a := range r.allowed {
		if a.code == code && a.file == r.pass.Fset.File(pos) && a.line == a.file.Line(pos) {
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
			r.at(a.pos, "//jp:allow %s does not match a finding", a.code).suggest("delete it")
		}
	}
}
