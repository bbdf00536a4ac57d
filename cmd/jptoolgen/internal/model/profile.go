package model

import (
	"go/token"
	"go/types"
	"reflect"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// checkFlat reports options that are neither scalars nor lists of scalars, because flags and environment variables
// cannot set them.
func (b *builder) checkFlat(o *schema.Object, at schema.Site) {
	for _, f := range o.Fields() {
		if f.Shape.Flat() && f.Shape.Kind != schema.Nullable {
			continue
		}
		b.list.Add(b.nearestPos(f.Var, at.Pos), diag.NestedParameter, "field %s is nested or nullable, but an option must be a scalar or a list of scalars", f.Var.Name()).
			Suggest("split it into several options")
	}
}

// secrets reports secrets that are not options, and tags that would publish a secret or show it in an error.
func (b *builder) secrets(o *schema.Object, role Role, at schema.Site) {
	for _, f := range o.Fields() {
		pos := b.nearestPos(f.Var, at.Pos)
		b.parts(f.Shape, pos, func(part *schema.Shape, pos token.Pos) bool {
			if part.Secret() && (role != Options || part != f.Shape) {
				b.list.Add(pos, diag.UnsupportedType, "field %s contains a tool.Secret, which must be a separate option", f.Var.Name()).
					Suggest("move the secret to a struct with //jp:options, or ask for it with elicit.Secret")
			}
			return true
		})
		if c := f.Constraints; f.Shape.Secret() && !reflect.DeepEqual(c, schema.Constraints{Title: c.Title, Description: c.Description}) {
			b.list.Add(pos, diag.IdleConstraint, "secret %s has a default, an example or a limit", f.Var.Name()).
				Suggest("delete it from the tag: contracts and errors must not contain any part of the value")
		}
	}
}

// sharedOptions returns the names of the options in structs with scope=server, including embedded structs.
func (b *builder) sharedOptions(o *schema.Object) []string {
	within := map[*types.Var]bool{} // whether a field belongs to such a struct
	var visit func(t types.Type, wide bool)
	visit = func(t types.Type, wide bool) {
		t = sdktypes.Deref(t)
		if named := sdktypes.Named(t); named != nil {
			line, _ := b.docs.directive(named.Obj(), "options")
			scope, _ := line.Get("scope")
			wide = wide || scope.Value == "server"
		}
		st, _ := t.Underlying().(*types.Struct)
		for i := 0; st != nil && i < st.NumFields(); i++ {
			f := st.Field(i)
			if _, seen := within[f]; seen {
				continue
			}
			if within[f] = wide; f.Embedded() {
				visit(f.Type(), wide)
			}
		}
	}
	visit(o.Type, false)
	var names []string
	for _, f := range o.Fields() {
		if within[f.Var] {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	return names
}

// nearestPos returns the position of a field if it is declared in the author's module, or else the position of its
// use.
func (b *builder) nearestPos(v *types.Var, pos token.Pos) token.Pos {
	if b.docs.Ours(v.Pkg()) {
		return b.docs.Pos(v)
	}
	return pos
}

// parts calls visit with a value and with each of its parts, and the position of the nearest field. If visit
// returns false, parts skips the parts of that value.
func (b *builder) parts(shape *schema.Shape, pos token.Pos, visit func(*schema.Shape, token.Pos) bool) {
	if !visit(shape, pos) {
		return
	}
	switch shape.Kind {
	case schema.Struct:
		b.members(shape.Object, pos, visit)
	case schema.Pointer, schema.Nullable, schema.List, schema.Array, schema.Map:
		b.parts(shape.Elem, pos, visit)
	case schema.Sum:
		for _, c := range shape.Cases {
			b.parts(c.Shape, pos, visit)
		}
	}
}

// members calls visit for the fields of an object and their parts, as [builder.parts] does for a value.
func (b *builder) members(o *schema.Object, pos token.Pos, visit func(*schema.Shape, token.Pos) bool) {
	for _, f := range o.Fields() {
		b.parts(f.Shape, b.nearestPos(f.Var, pos), visit)
	}
}

func (b *builder) spell(s *schema.Shape) string {
	return types.TypeString(s.Type, types.RelativeTo(b.pkg.Types))
}
