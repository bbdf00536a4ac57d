package emit

import (
	"go/types"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// A guardSet collects the types and constants that the generated code depends on.
type guardSet struct {
	structs   []guarded
	constants []*types.Const
	// typed and valued are the numbers of structs and constants that already have a guard.
	typed, valued int
}

// A guarded is a struct type with the members that the generated code uses.
type guarded struct {
	typ     types.Type
	members []schema.Member
}

// object adds the struct types that provide an object's fields.
func (g *guardSet) object(o *schema.Object) {
	g.structType(o.Type, o.Members...)
	for _, t := range o.Embeds {
		g.structType(t)
	}
}

// structType adds a struct type, unless it belongs to the runtime, whose version is guarded as a whole.
func (g *guardSet) structType(t types.Type, members ...schema.Member) {
	i := slices.IndexFunc(g.structs, func(other guarded) bool { return types.Identical(t, other.typ) })
	switch {
	case sdktypes.Name(t, sdktypes.Tool) != "":
	case i < 0:
		g.structs = append(g.structs, guarded{t, members})
	case i >= g.typed && len(g.structs[i].members) == 0:
		g.structs[i].members = members
	}
}

// shape adds the constants of a shape.
func (g *guardSet) shape(s *schema.Shape) {
	for _, v := range s.Values {
		if v.Const != nil {
			g.constant(v.Const)
		}
	}
}

func (g *guardSet) constant(c *types.Const) {
	if !slices.Contains(g.constants, c) {
		g.constants = append(g.constants, c)
	}
}

// stale is the name of the alias in a guard. It appears in the error message of the Go compiler,
// and tells the author what to run.
const stale = "runGoGenerate"

// guard returns a function that stops compiling when the source changes. It is never called.
func (e *emitter) guard(typ, value *jen.Statement) *jen.Statement {
	name := e.local(stale)
	return jen.Func().Id("_").Params().Block(
		jen.Type().Id(name).Op("=").Add(typ),
		jen.Var().Id("_").Id(name).Op("=").Add(value),
	)
}

// memberGuard returns a function that stops compiling when a member that the generated code uses has another type. An
// update of another module may change its structs in other ways.
func (e *emitter) memberGuard(g guarded) []*jen.Statement {
	var body []jen.Code
	v := e.local("v")
	for _, m := range g.members {
		if m.Path == "" || m.Field == nil || !e.canSpell(m.Field.Var.Type()) {
			continue
		}
		body = append(body, jen.Var().Id("_").Op("*").Add(e.typ(m.Field.Var.Type())).Op("=").Op("&").Id(v).Dot(m.Path))
	}
	if len(body) == 0 {
		return nil
	}
	return []*jen.Statement{jen.Func().Id("_").Params(jen.Id(v).Op("*").Add(e.typ(g.typ))).Block(body...)}
}

// methodGuard returns the guard of a tool's method.
func (e *emitter) methodGuard(t *model.Tool) *jen.Statement {
	receiver := jen.Op("*").Add(e.object(t.Of))
	return e.guard(jen.Func().Add(e.signature(t.Method.Signature(), receiver)), jen.Parens(receiver.Clone()).Dot(t.Method.Name()))
}

// guards returns the guards of the types and constants that were added since the last call.
func (e *emitter) guards() []*jen.Statement {
	var all []*jen.Statement
	for ; e.guarded.typed < len(e.guarded.structs); e.guarded.typed++ {
		switch g := e.guarded.structs[e.guarded.typed]; {
		case !e.isGuarded(g.typ):
		case !e.isOurs(g.typ):
			all = append(all, e.memberGuard(g)...)
		case e.canSpell(g.typ.Underlying()):
			all = append(all, e.guard(e.typ(g.typ.Underlying()), e.typ(g.typ).Values()))
		}
	}
	if fresh := e.guarded.constants[e.guarded.valued:]; len(fresh) > 0 {
		all = append(all, e.constantGuard(fresh)...)
		e.guarded.valued = len(e.guarded.constants)
	}
	return all
}

// codes returns the guards of the error codes, and a comment about all guards.
func (e *emitter) codes() []*jen.Statement {
	for _, c := range e.server.Codes {
		e.guarded.constant(c.Const)
	}
	return append(e.guards(), gofile.Comment(
		"The tools follow, each with the declarations that its code was generated from. If a",
		`function named _ does not compile, the source has changed: run "go generate".`,
	))
}

// isGuarded reports whether a struct type has a guard: the generated file can refer to it, and it is not in the standard
// library, whose types change with the version of Go. The import paths of the standard library have no dot, but the path
// of the module may lack a dot too. The flag --check finds the changes of types without a guard.
func (e *emitter) isGuarded(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || !e.canSpell(t) {
		return false
	}
	first, _, _ := strings.Cut(named.Obj().Pkg().Path(), "/")
	return strings.Contains(first, ".") || e.isOurs(t)
}

// isOurs reports whether a type that has a guard belongs to the author's module.
func (e *emitter) isOurs(t types.Type) bool {
	pkg := types.Unalias(t).(*types.Named).Obj().Pkg()
	return pkg == e.server.Package || e.server.Ours(pkg.Path())
}

// constantGuard checks the values of constants. It uses a map literal, which must not have duplicate keys.
func (e *emitter) constantGuard(constants []*types.Const) []*jen.Statement {
	var body []jen.Code
	for _, c := range constants {
		if schema.IsHiddenName(c, e.server.Package) {
			continue
		}
		body = append(body, jen.Id("_").Op("=").Map(jen.Bool()).String().Values(
			e.object(c).Op("==").Add(literal(c)).Op(":").Lit("as generated"), jen.False().Op(":").Lit("run go generate")))
	}
	if len(body) == 0 {
		return nil
	}
	return []*jen.Statement{jen.Func().Id("_").Params().Block(body...)}
}
