package schema

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// object analyzes the fields of a struct.
func (a *Analyzer) object(t types.Type, at Site) *Object {
	o := &Object{Type: t, Name: at.Name}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		o.Name = a.nameOf(named)
	}
	outer := a.cut
	a.cut = false
	found := a.dominantFields(a.promote(t.Underlying().(*types.Struct), nil, nil, at), at)
	o.Members, o.Embeds = a.members(t, found, 0, o.Name, at), embeds(found, 0)
	o.Cut, a.cut = a.cut, outer
	if len(found) == 0 && t.Underlying().(*types.Struct).NumFields() > 0 {
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
			if f := a.field(first, name, at); f != nil {
				members = append(members, a.member(owner, first, depth, Member{Field: f}))
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

func (a *Analyzer) field(c candidate, owner string, at Site) *Field {
	v := c.variable()
	here := a.siteOf(v, at)
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
	f.Constraints = a.constraints(tag, f.Shape)
	if f.Shape.Base().Kind == Enum || f.Shape.Base().Kind == IntEnum {
		f.Description += legend(f.Shape.Base().Values)
	}
	if !a.Exact {
		CheckLength(a.list, here.Pos, here.What, f.Description)
	}
	f.Omit = a.omit(c, f, here)
	f.Required = f.Omit == Never && f.Shape.Kind != Pointer && (a.direction == Out || f.Constraints.Default == "")
	return f
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
func (a *Analyzer) omit(c candidate, f *Field, at Site) Omit {
	switch {
	case c.has("omitzero"):
		if a.direction == Out && !zeroable(f.Var.Type()) {
			a.list.Add(at.Pos, diag.UnsupportedTag, "%s has omitzero, but values of type %s cannot be compared with zero", at.What, a.spell(f.Var.Type())).
				Suggest("write a method IsZero() bool")
		}
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

// zeroable reports whether values of a type can be compared with the zero value.
func zeroable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map: // slices and maps can be compared with nil
		return true
	}
	return types.Comparable(t) || HasIsZero(t)
}

// HasIsZero reports whether t has the method that encoding/json calls to detect zero values.
func HasIsZero(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "IsZero")
	method, ok := obj.(*types.Func)
	return ok && holds(method.Signature().Params()) && holds(method.Signature().Results(), types.Typ[types.Bool])
}
