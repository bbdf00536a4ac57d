package jpvet

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/sdk/gen/question"
)

// uncheckedInputs finds arguments of tools, and answers to their questions, that are used as paths, programs,
// hosts or names of environment variables without a check of the user's grants.
func uncheckedInputs(c *checker, t *model.Tool, fn *ssa.Function) {
	asked := c.asksPolicy(fn)
	c.uncheckedAnswers(t, fn, asked)
	input := slices.Index(t.Params, model.Input)
	if t.Input == nil || input < 0 {
		return
	}
	if fn.Signature.Recv() != nil {
		input++
	}
	for _, u := range c.behave[fn].Uses {
		if u.Part.Param != input || asked[u.As] {
			continue
		}
		path, name, open := u.Part.Path, "value", true
		if t.Part == model.Complete {
			if len(path) == 0 {
				continue
			}
			open = path[0] == 0 // the field Value of a tool.Completion
			path = path[1:]
		}
		if t.Part != model.Complete || !open {
			name, open = argument(t.Input, path)
		}
		if open {
			c.reportUnchecked(u, "argument "+name+" of "+t.String())
		}
	}
}

// uncheckedAnswers is like [uncheckedInputs], but for the answers to a tool's questions.
func (c *checker) uncheckedAnswers(t *model.Tool, fn *ssa.Function, asked map[purpose]bool) {
	if t.Questions == nil {
		return
	}
	for _, f := range c.reach(fn) {
		c.eachUse(f, func(leaf traced, u use) {
			call, ok := leaf.value.(*ssa.Call)
			if !ok || asked[u.As] {
				return
			}
			if q := questionIn(t.Questions, c.questionOf(call)); q != nil && openAnswer(q, leaf.path) {
				c.reportUnchecked(u, "the answer to question "+q.ID+" of "+t.String())
			}
		})
	}
}

// questionIn returns the question of a tool that v refers to, or nil if the question is not known.
func questionIn(qs *model.Questions, v ssa.Value) *model.Question {
	for v := range origins(v) {
		field := fieldRead(v)
		for _, q := range qs.List {
			if field != nil && q.Var.Pos() == field.Pos() {
				return q
			}
		}
	}
	return nil
}

// openAnswer reports whether the part of an answer at a path of fields may be any text.
func openAnswer(q *model.Question, path []int) bool {
	if q.Object != nil {
		_, open := argument(q.Object, path)
		return open
	}
	isText := isBasic(q.Answer, types.IsString) && q.Kind.Traits().Source == question.Declared
	return isText && q.Constraints.Pattern == ""
}

// reportUnchecked reports a string that is used as a path, a program, a host or the name of an environment variable.
func (c *checker) reportUnchecked(u use, what string) {
	found := [...]struct{ format, hint string }{
		asPath:     {"%s is used as the path for %s, without checking the user's access rules", "use call.Files()"},
		asProgram:  {"%s is used as a program or a shell command for %s", "run a fixed program and pass the value as an argument, or run the path that call.Files().Check(access.Execute, …) returns"},
		asHost:     {"%s determines the host that %s contacts", "call call.Access().CheckURL first, or use a constant host"},
		asVariable: {"%s is used as the name of an environment variable for %s", "call call.Access().CheckEnv first"},
	}[u.As]
	c.report.at(u.pos, found.format, what, u.By).suggest("%s", found.hint)
}

// argument returns the name of the argument at a path of fields, and whether it may be any text.
func argument(input *schema.Object, path []int) (name string, open bool) {
	of := input.Type
	for _, i := range path {
		st, ok := sdktypes.Deref(of).Underlying().(*types.Struct)
		if !ok || i >= st.NumFields() {
			return "", false
		}
		of = st.Field(i).Type()
		for _, f := range input.Fields() {
			if f.Var == st.Field(i) && name == "" {
				name, open = f.Name, f.Constraints.Pattern == ""
			}
		}
	}
	return name, open && isOpen(of)
}

// isOpen reports whether t is a string, or a list of strings, whose values are not limited to constants.
func isOpen(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		b, ok := u.Elem().(*types.Basic)
		return isOpen(u.Elem()) || ok && b.Kind() == types.Byte
	case *types.Pointer, *types.Map:
		return isOpen(elemOf(u))
	}
	return isText(t) && len(constantsOf(t)) == 0
}

// constantsOf returns the values of the constants of a type that its package declares.
func constantsOf(t types.Type) map[string]bool {
	named := sdktypes.Named(t)
	if named == nil || named.Obj().Pkg() == nil {
		return nil
	}
	all := map[string]bool{}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), named) {
			if text, ok := stringOf(ssa.NewConst(c.Val(), c.Type())); ok {
				all[text] = true
			}
		}
	}
	return all
}

// asksPolicy returns the purposes for which a tool checks the user's grants.
func (p *program) asksPolicy(fn *ssa.Function) map[purpose]bool {
	asked := map[purpose]bool{}
	for call := range calls(p.reach(fn)...) {
		_, obj := p.callee(call.Common())
		switch inPackage(obj, sdktypes.Access) {
		case "Policy.CheckURL", "Policy.AllowsURL":
			asked[asHost] = true
		case "Policy.CheckEnv", "Policy.AllowsEnv":
			asked[asVariable] = true
		}
	}
	return asked
}
