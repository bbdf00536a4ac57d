package model

import (
	"go/token"
	"go/types"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// profile checks that the server's clients support the arguments.
func (b *builder) profile(s *Server, o *schema.Object, at schema.Site) {
	if s.Clients == manifest.JP {
		b.flat(o, at, "a parameter", "flatten it, or write clients=mcp in //jp:server")
	}
}

// flat finds fields other than scalars and lists of scalars. JP drops nested parameters, and fails a whole query
// if a parameter has no type.
func (b *builder) flat(o *schema.Object, at schema.Site, what, hint string) {
	for _, f := range o.Fields() {
		if f.Shape == nil || f.Shape.Flat() {
			continue
		}
		pos := b.near(f.Var, at.Pos)
		b.list.Add(pos, diag.NestedParameter, "field %s is nested, but %s for JP must be a scalar or a list of scalars", f.Var.Name(), what).
			Suggest("%s", hint)
	}
}

// near returns the position of a field in the author's module, or else of its use.
func (b *builder) near(v *types.Var, pos token.Pos) token.Pos {
	if b.docs.Ours(v.Pkg()) {
		return b.docs.Pos(v)
	}
	return pos
}

// typed finds values of type any in a result, whose schema has no information.
func (b *builder) typed(s *Server, shape *schema.Shape, pos token.Pos) {
	if s.Clients == manifest.MCP || shape == nil {
		return
	}
	switch shape.Kind {
	case schema.Any, schema.Raw:
		b.list.Add(pos, diag.UnsupportedType, "%s has no JSON Schema type", types.TypeString(shape.Type, types.RelativeTo(b.pkg.Types))).
			Suggest("use a type, or write clients=mcp in //jp:server")
	case schema.Struct:
		for _, f := range shape.Object.Fields() {
			b.typed(s, f.Shape, b.near(f.Var, pos))
		}
	case schema.Pointer, schema.List, schema.Array, schema.Map:
		b.typed(s, shape.Elem, pos)
	}
}
