package jpvet

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// uncheckedInputs finds arguments of tools that become paths, programs, hosts or names of
// environment variables without asking what the user grants.
func uncheckedInputs(c *checker) {
	c.tools(func(t *model.Tool, fn *ssa.Function) {
		input := slices.Index(t.Params, model.Input)
		if t.Input == nil || input < 0 {
			return
		}
		if fn.Signature.Recv() != nil {
			input++
		}
		asked := c.program.asksPolicy(fn)
		for _, u := range c.program.behave[fn].Uses {
			if u.Param != input || asked[u.As] {
				continue
			}
			name, open := argument(t.Input, u.Path)
			if !open {
				continue
			}
			pos := c.report.start(u.pos)
			switch u.As {
			case asPath:
				c.report.at(pos, "argument %s of tool %s becomes the path of %s, outside of the files that the user grants", name, t.Name, u.By).
					suggest("use call.Files()")
			case asProgram:
				c.report.at(pos, "argument %s of tool %s becomes a program or a command of a shell for %s", name, t.Name, u.By).
					suggest("run a constant program with the argument beside it, or what call.Files() resolves by Check(access.Execute, …)")
			case asHost:
				c.report.at(pos, "argument %s of tool %s decides which host %s contacts", name, t.Name, u.By).
					suggest("ask call.Access().CheckURL first, or write a constant host")
			case asVariable:
				c.report.at(pos, "argument %s of tool %s becomes the name of an environment variable for %s", name, t.Name, u.By).
					suggest("ask call.Access().CheckEnv first")
			}
		}
	})
}

// argument returns the name of the argument that a path of fields leads to, and whether
// it may be any text.
func argument(input *schema.Object, path []int) (name string, open bool) {
	of := input.Type
	for _, i := range path {
		if ptr, ok := of.Underlying().(*types.Pointer); ok {
			of = ptr.Elem()
		}
		st, ok := of.Underlying().(*types.Struct)
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

// isOpen reports whether a type is a text, or a list of texts, without constants that
// are all it may be.
func isOpen(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return isOpen(u.Elem())
	case *types.Slice:
		b, ok := u.Elem().(*types.Basic)
		return isOpen(u.Elem()) || ok && b.Kind() == types.Byte
	case *types.Map:
		return isOpen(u.Elem())
	}
	return isText(t) && len(constantsOf(t)) == 0
}

// constantsOf returns the values of the constants of a type that its package declares.
func constantsOf(t types.Type) map[string]bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
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

// asksPolicy returns for which purposes a tool asks what the user grants.
func (p *program) asksPolicy(fn *ssa.Function) map[purpose]bool {
	asked := map[purpose]bool{}
	for _, f := range p.reach(fn) {
		for call := range calls(f) {
			_, obj := p.callee(call.Common())
			switch inPackage(obj, accessPath) {
			case "Policy.CheckURL", "Policy.AllowsURL":
				asked[asHost] = true
			case "Policy.CheckEnv", "Policy.AllowsEnv":
				asked[asVariable] = true
			}
		}
	}
	return asked
}
