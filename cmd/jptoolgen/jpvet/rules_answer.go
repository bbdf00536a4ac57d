package jpvet

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// mayBeAnswer reports whether a value may be the answer to a question.
func (p *program) mayBeAnswer(v ssa.Value, call ssa.CallInstruction) (found bool) {
	t := &trace{program: p}
	t.enter = func(e *traced) bool {
		found = found || resultOf(e.value, 0) == call
		return phiOf(e.value) != nil
	}
	t.follow(traced{value: v})
	return found
}

// consentsAt reports whether a return statement returns yes as the answer, although another return statement of
// the function returns the answer of the call.
func consentsAt(call ssa.CallInstruction, ret *ssa.Return) bool {
	for other := range each[*ssa.Return](ret.Parent()) {
		for i, v := range other.Results {
			if resultOf(v, 0) == call && isBool(ret.Results[i], true) {
				return true
			}
		}
	}
	return false
}

// madeUpAnswers finds answers that are set although the question was not answered.
func madeUpAnswers(c *checker, call ssa.CallInstruction) {
	if !c.mayReturnQuestionError(call) || !c.answers(call) {
		return
	}
	o := c.outcome(call)
	const hint = "return the error, or continue as if the user answered no"
	if set := c.setAnswer(call.Pos(), o.tests); set.IsValid() {
		c.report.at(set, "the answer is set although the question was not answered").suggest(hint)
	} else if o.consents {
		c.report.at(call.Pos(), "the answer is treated as yes although the question was not answered").suggest(hint)
	}
}

// setAnswer returns the position in a branch that handles the error of a call where the variable that holds the
// answer is set to another value.
func (c *checker) setAnswer(lparen token.Pos, tests map[token.Pos]bool) token.Pos {
	file := c.file(lparen)
	answer := c.assignedVariable(file, lparen)
	if answer == nil {
		return token.NoPos
	}
	for branch := range errorBranches(file, tests) {
		for n := range ast.Preorder(branch) {
			assign, ok := n.(*ast.AssignStmt)
			if !ok || len(assign.Lhs) != len(assign.Rhs) {
				continue
			}
			for i, left := range assign.Lhs {
				to := c.pass.TypesInfo.Types[assign.Rhs[i]]
				zero := to.Value != nil && isZero(ssa.NewConst(to.Value, to.Type))
				if id, ok := left.(*ast.Ident); ok && c.pass.TypesInfo.Uses[id] == answer && !zero {
					return assign.Pos()
				}
			}
		}
	}
	return token.NoPos
}

// assignedVariable returns the variable to which the first result of a call is assigned.
func (c *checker) assignedVariable(file *ast.File, lparen token.Pos) types.Object {
	for n := range ast.Preorder(file) {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 {
			continue
		}
		call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
		if id, isName := assign.Lhs[0].(*ast.Ident); ok && isName && call.Lparen == lparen {
			return c.pass.TypesInfo.ObjectOf(id)
		}
	}
	return nil
}

// errorBranches returns the statements that run if one of the conditions in tests shows that an error is not nil.
func errorBranches(file *ast.File, tests map[token.Pos]bool) iter.Seq[ast.Node] {
	return func(yield func(ast.Node) bool) {
		for n := range ast.Preorder(file) {
			more := true
			switch n := n.(type) {
			case *ast.IfStmt:
				more = !impliesError(n.Cond, tests, true) || yield(n.Body)
				more = more && (n.Else == nil || !impliesError(n.Cond, tests, false) || yield(n.Else))
			case *ast.CaseClause:
				more = len(n.List) != 1 || !impliesError(n.List[0], tests, true) || yield(n)
			}
			if !more {
				return
			}
		}
	}
}

// impliesError reports whether an error is known not to be nil if a condition has the given value.
func impliesError(cond ast.Expr, tests map[token.Pos]bool, holds bool) bool {
	switch cond := ast.Unparen(cond).(type) {
	case *ast.BinaryExpr:
		if cond.Op == token.LAND && holds || cond.Op == token.LOR && !holds {
			return impliesError(cond.X, tests, holds) || impliesError(cond.Y, tests, holds)
		}
		set, known := tests[cond.OpPos]
		return known && set == holds
	case *ast.UnaryExpr:
		return cond.Op == token.NOT && impliesError(cond.X, tests, !holds)
	case *ast.CallExpr:
		return holds && tests[cond.Lparen]
	}
	return false
}

// acknowledge sets the fix for a lost error: a call to elicit.Acknowledge in the error branch that returns a
// result but no error.
func (c *checker) acknowledge(found *finding, o *outcome) {
	ret, ok := o.lost.(*ssa.Return)
	file := c.file(o.lost.Pos())
	if !ok || file == nil {
		return
	}
	name := c.importName(file, sdktypes.Elicit)
	if i := errorIndex(ret.Parent().Signature.Results()); i < 0 || !isNilConst(ret.Results[i]) || name == "" {
		return
	}
	for n := range ast.Preorder(file) {
		branch, ok := n.(*ast.IfStmt)
		if !ok || ret.Pos() < branch.Body.Pos() || branch.Body.End() <= ret.Pos() {
			continue
		}
		if err := testedError(branch.Cond, o.tests); err != "" {
			at := branch.Body.List[0].Pos()
			indent := strings.Repeat("\t", c.pass.Fset.Position(at).Column-1)
			found.edit("Acknowledge that the question was not answered", at, at, name+".Acknowledge("+err+")\n"+indent)
		}
	}
}

// testedError returns the name of the error if a condition only checks whether it is nil, or whether the question was
// declined.
func testedError(cond ast.Expr, tests map[token.Pos]bool) string {
	var err ast.Expr
	switch cond := cond.(type) {
	case *ast.BinaryExpr:
		if tests[cond.OpPos] && cond.Op == token.NEQ {
			err = cond.X
		}
	case *ast.CallExpr:
		if !tests[cond.Lparen] || len(cond.Args) != 2 {
			break
		}
		if target, ok := cond.Args[1].(*ast.SelectorExpr); ok && (target.Sel.Name == "ErrDeclined" || target.Sel.Name == "ErrCanceled") {
			err = cond.Args[0]
		}
	}
	if id, ok := err.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// importName returns the name under which a file imports a package, or "" if the file does not import it.
func (c *checker) importName(f *ast.File, path string) string {
	for _, spec := range f.Imports {
		if name := c.pass.TypesInfo.PkgNameOf(spec); name != nil && name.Imported().Path() == path && name.Name() != "_" && name.Name() != "." {
			return name.Name()
		}
	}
	return ""
}
