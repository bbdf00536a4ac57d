package emit

import (
	"go/constant"
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
	structs   []types.Type
	constants []*types.Const
	// typed and valued are the numbers of structs and constants that already have a guard.
	typed, valued int
}

// object adds the struct types that provide an object's fields.
func (g *guardSet) object(o *schema.Object) {
	g.structType(o.Type)
	for _, t := range o.Embeds {
		g.structType(t)
	}
}

// structType adds a struct type, unless it belongs to the runtime, whose version is guarded as a whole.
func (g *guardSet) structType(t types.Type) {
	known := func(other types.Type) bool { return types.Identical(t, other) }
	if sdktypes.Name(t, sdktypes.Tool) == "" && !slices.ContainsFunc(g.structs, known) {
		g.structs = append(g.structs, t)
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
func guard(typ, value *jen.Statement) *jen.Statement {
	return jen.Func().Id("_").Params().Block(
		jen.Type().Id(stale).Op("=").Add(typ),
		jen.Var().Id("_").Id(stale).Op("=").Add(value),
	)
}

// methodGuard returns the guard of a tool's method.
func (e *emitter) methodGuard(t *model.Tool) *jen.Statement {
	receiver := jen.Op("*").Add(e.object(t.Of))
	return guard(jen.Func().Add(e.signature(t.Method.Signature(), receiver)), jen.Parens(receiver.Clone()).Dot(t.Method.Name()))
}

// guards returns the guards of the types and constants that were added since the last call.
func (e *emitter) guards() []*jen.Statement {
	var all []*jen.Statement
	for ; e.guarded.typed < len(e.guarded.structs); e.guarded.typed++ {
		if t := e.guarded.structs[e.guarded.typed]; e.guardable(t) {
			all = append(all, guard(e.typ(t.Underlying()), e.typ(t).Values()))
		}
	}
	if fresh := e.guarded.constants[e.guarded.valued:]; len(fresh) > 0 {
		all = append(all, e.constantGuard(fresh))
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

// guardable reports whether the generated file can write a struct type as a literal. Types of the standard library
// are excluded, because they change with the version of Go. Their import paths have no dot, but the path of the
// module may lack a dot too.
func (e *emitter) guardable(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || schema.IsHidden(t.Underlying(), e.server.Package) {
		return false
	}
	if named.Obj().Pkg() == e.server.Package {
		return true
	}
	if !e.isVisible(named.Obj()) {
		return false
	}
	path := named.Obj().Pkg().Path()
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") || e.server.Ours(path)
}

// constantGuard checks the values of constants. It uses a map literal, which must not have duplicate keys.
func (e *emitter) constantGuard(constants []*types.Const) *jen.Statement {
	var body []jen.Code
	for _, c := range constants {
		value := verbatim(c.Val().ExactString())
		if c.Val().Kind() == constant.String {
			value = jen.Lit(constant.StringVal(c.Val()))
		}
		body = append(body, jen.Id("_").Op("=").Map(jen.Bool()).String().Values(
			e.object(c).Op("==").Add(value).Op(":").Lit("as generated"), jen.False().Op(":").Lit("run go generate")))
	}
	return jen.Func().Id("_").Params().Block(body...)
}
