package schema

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// object analyzes the fields of a struct.
func (a *Analyzer) object(t types.Type, at Site) *Object {
	o := &Object{Type: t, Name: at.Name}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		o.Name = a.nameOf(named)
	}
	outer, outerBroken := a.cut, a.broken
	a.cut, a.broken = false, false
	found := a.dominantFields(a.promote(t.Underlying().(*types.Struct), nil, nil, at), at)
	o.Members, o.Embeds = a.members(t, found, 0, o.Name, at), embeds(found, 0)
	o.Cut, o.broken, a.cut, a.broken = a.cut, a.broken, outer, outerBroken
	if len(found) == 0 && t.Underlying().(*types.Struct).NumFields() > 0 && at.Pos.IsValid() {
		a.refuse(at, t, "a struct without JSON fields", "export its fields, or use another type")
	}
	return o
}

// nameOf returns the name of a type with its type arguments. Unless the type belongs to the package home, the
// name is qualified with its package.
func (a *Analyzer) nameOf(t *types.Named) string {
	name := t.Obj().Name()
	if pkg := t.Obj().Pkg(); pkg != nil && pkg != a.home {
		name = Title(pkg.Name()) + Title(name)
	}
	for arg := range t.TypeArgs().Types() {
		name += a.wordsOf(arg)
	}
	return Title(name)
}

// wordsOf returns a type argument as it appears in a name.
func (a *Analyzer) wordsOf(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return a.nameOf(t)
	case *types.Basic:
		return Title(t.Name())
	case *types.Slice:
		return a.wordsOf(t.Elem()) + "List"
	case *types.Array:
		return a.wordsOf(t.Elem()) + "Array" + strconv.FormatInt(t.Len(), 10)
	case *types.Pointer:
		return a.wordsOf(t.Elem()) + "Pointer"
	case *types.Map:
		return a.wordsOf(t.Elem()) + "By" + a.wordsOf(t.Key())
	case *types.Interface:
		return "Any"
	}
	return "Literal"
}

// members creates the members of owner for the found fields, whose paths are equal up to depth. Fields behind the
// same embedded pointer are adjacent, because the fields are sorted by path.
func (a *Analyzer) members(owner types.Type, found []candidate, depth int, name string, at Site) []Member {
	var members []Member
	for len(found) > 0 {
		first := found[0]
		end := first.pointer(depth)
		if end < 0 {
			if f := a.field(owner, first, name, at); f != nil {
				m := a.member(owner, first, depth, Member{Field: f})
				switch {
				case m.Path != "" || !IsHidden(f.Var.Type(), a.home):
					members = append(members, m)
				case a.owner != nil:
					a.broken = true
				default:
					a.refuse(a.siteOf(f.Var, at), f.Var.Type(), "which this package cannot refer to", "exclude the embedded struct with `json:\"-\"`")
				}
			}
			found = found[1:]
			continue
		}
		n := 1
		for n < len(found) && slices.Equal(found[n].path[:min(end+1, len(found[n].path))], first.path[:end+1]) {
			n++
		}
		embedded := first.path[end].Type().Underlying().(*types.Pointer).Elem()
		if IsHidden(embedded, a.home) {
			a.refuse(a.siteOf(first.path[end], at), embedded, "which this package cannot refer to", "embed the struct itself, or export its type")
			found = found[n:]
			continue
		}
		pointer := candidate{path: first.path[:end+1], index: first.index[:end+1]}
		members = append(members, a.member(owner, pointer, depth, Member{Embedded: &Object{
			Type: embedded, Members: a.members(embedded, found[:n], end+1, name, at), Embeds: embeds(found[:n], end+1),
		}}))
		found = found[n:]
	}
	return members
}

// member sets the path of a member.
func (a *Analyzer) member(owner types.Type, c candidate, depth int, m Member) Member {
	if m.Path = c.selector(owner, depth, a.home); m.Path == "" {
		m.Hidden = c.names(depth)
	}
	return m
}

// embeds returns the types of the embedded structs on the paths, starting at depth.
func embeds(found []candidate, depth int) []types.Type {
	var all []types.Type
	for _, c := range found {
		end := c.pointer(depth)
		if end < 0 {
			end = len(c.path) - 1
		}
		for _, v := range c.path[depth:end] {
			if !slices.ContainsFunc(all, func(t types.Type) bool { return types.Identical(t, v.Type()) }) {
				all = append(all, v.Type())
			}
		}
	}
	return all
}

// field analyzes a field. in is the struct, or the struct behind an embedded pointer, whose members include the field.
func (a *Analyzer) field(in types.Type, c candidate, owner string, at Site) *Field {
	v := c.variable()
	if !a.isForeign(v.Pkg()) {
		return a.ownField(c, owner, a.siteOf(v, at))
	}
	name := a.foreignName(in)
	for _, embedded := range c.path[:len(c.path)-1] {
		inner := a.foreignName(sdktypes.Deref(embedded.Type()))
		if inner == nil {
			continue
		}
		pos := token.NoPos
		if a.source.Ours(embedded.Pkg()) {
			pos = a.source.Pos(embedded)
		}
		a.foreign.use(inner, pos, cmp.Or(name, a.owner))
		name = inner
	}
	name = cmp.Or(name, a.owner)
	return a.foreignField(c, name, at, func() *Field { return a.ownField(c, owner, Site{What: "field " + v.Name()}) })
}

// ownField is like field for a field at the given position.
func (a *Analyzer) ownField(c candidate, owner string, here Site) *Field {
	v := c.variable()
	here.Name = owner + v.Name()
	f := &Field{Name: c.name, Var: v}
	a.checkName(f, here)
	tag := a.tagOf(c, here)
	f.Description, _ = tag.get("description")
	a.idle(&tag)
	if f.Description == "" && !a.Exact {
		f.Description = a.describe(v, here)
	}
	here.low, here.high = tag.isExactRange("minimum", "exclusiveMinimum"), tag.isExactRange("maximum", "exclusiveMaximum")
	if e, deep := tag.entry("depth"); deep {
		f.Shape = a.analyzeRecursive(v.Type(), e, here)
	} else {
		f.Shape = a.Shape(v.Type(), here)
	}
	if f.Shape == nil {
		_, pointer := v.Type().Underlying().(*types.Pointer)
		a.cut = a.cut || !pointer && !c.has("omitempty") && !c.has("omitzero")
		return nil
	}
	a.quote(c, f.Shape.Base(), here)
	f.Constraints = a.constraintsOf(v, tag, f.Shape)
	f.Description += f.Shape.Base().legend()
	if !a.Exact {
		CheckLength(a.list, here.Pos, here.What, f.Description)
	}
	f.Omit = a.omit(c, f)
	f.Required = f.Omit == Never && f.Shape.Kind != Pointer && (a.direction == Out || f.Constraints.Default == "")
	return f
}

// constraintsOf is like constraints, but ignores the tags of other modules if they are not in the form that this package
// reads, because other packages read them.
func (a *Analyzer) constraintsOf(v *types.Var, t tag, s *Shape) Constraints {
	if !a.isForeign(v.Pkg()) {
		return a.constraints(t, s)
	}
	outer := a.list
	defer func() { a.list = outer }()
	a.list = outer.Scratch()
	if c := a.constraints(t, s); a.list.Len() == 0 {
		return c
	}
	return Constraints{}
}

// quote applies the option "string" of a json tag, which encoding/json ignores for other types.
func (a *Analyzer) quote(c candidate, s *Shape, here Site) {
	if !c.has("string") {
		return
	}
	switch foreign := a.isForeign(c.variable().Pkg()); {
	case s.Kind == Enum && foreign:
		s.Kind, s.Set, s.Values = String, "", nil
	case isKind(IntEnum, Flags)(s) && foreign:
		s.Kind, s.Set, s.Values, s.Elem = Int, "", nil, nil
		if b := s.Type.Underlying().(*types.Basic); b.Info()&types.IsUnsigned != 0 {
			s.Kind = Uint
		}
	case s.Kind == String && foreign, isKind(Bool, Int, Uint, Float)(s):
	case isKind(String, Enum, IntEnum, Flags, Duration)(s):
		a.list.Add(a.placeInTag(c.variable(), "string", here), diag.UnsupportedTag, `json tag option "string" is not supported on type %s`, a.spell(s.Type)).
			Suggest("delete it")
		return
	default:
		return
	}
	s.Quoted = true
}

// siteOf returns the position of a field if it is in the author's module, or else the position where its struct
// is used.
func (a *Analyzer) siteOf(v *types.Var, at Site) Site {
	if a.source.Ours(v.Pkg()) {
		return Site{Pos: a.source.Pos(v), What: "field " + v.Name()}
	}
	return Site{Pos: at.Pos, What: at.What + ": field " + v.Name()}
}

// describe returns the comment on a field, and reports a missing comment.
func (a *Analyzer) describe(v *types.Var, at Site) string {
	hint := "add a comment that explains it to a model"
	text, ok := a.source.Doc(v)
	if !ok || !a.source.Ours(v.Pkg()) {
		hint = fmt.Sprintf("write //jp:describe %s text=\"...\" above the server", qualifiedName(v))
	}
	if !ok {
		a.list.Add(at.Pos, diag.UnreadableDocs, "%s has comments in a file that cannot be read", at.What).Suggest("%s", hint)
	} else if text == "" {
		a.list.Add(at.Pos, diag.MissingDoc, "%s has no comment", at.What).Suggest("%s", hint)
	}
	return text
}

// qualifiedName returns the name of a field with its package and type.
func qualifiedName(v *types.Var) string {
	scope := v.Pkg().Scope()
	for _, name := range scope.Names() {
		if t, ok := scope.Lookup(name).Type().Underlying().(*types.Struct); ok {
			for f := range t.Fields() {
				if f == v.Origin() {
					return v.Pkg().Name() + "." + name + "." + v.Name()
				}
			}
		}
	}
	return v.Pkg().Name() + ".Type." + v.Name()
}

func (a *Analyzer) checkName(f *Field, at Site) {
	if a.direction == Out || a.Names.Valid(f.Name) {
		return
	}
	good, wider := a.Names.Spell(f.Name), Hint(Names.Valid, f.Name, diag.BadFieldName)
	finding := a.list.Add(at.Pos, diag.BadFieldName, "%s has the invalid JSON name %q: must %s", at.What, f.Name, a.Names.Rule())
	switch {
	case !a.source.Ours(f.Var.Pkg()):
		finding.Suggest("%s", wider)
	case a.Names.Valid(good):
		finding.Suggest("tag it `json:\"%s\"`, or %s", good, wider)
	default:
		finding.Suggest("tag it with another name, or %s", wider)
	}
}

// omit returns the condition under which a field is omitted from a result.
func (a *Analyzer) omit(c candidate, f *Field) Omit {
	switch {
	case c.has("omitzero"):
		return WhenZero
	case c.has("omitempty") && f.Shape.Kind == Nullable:
		return WhenZero
	case c.has("omitempty"):
		return WhenEmpty
	case f.Shape.Kind == Pointer && a.direction == Out:
		return WhenNil
	}
	return Never
}

// HasIsZero reports whether t has the method that encoding/json calls to detect zero values.
func HasIsZero(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "IsZero")
	method, ok := obj.(*types.Func)
	return ok && holds(method.Signature().Params()) && holds(method.Signature().Results(), types.Typ[types.Bool])
}
