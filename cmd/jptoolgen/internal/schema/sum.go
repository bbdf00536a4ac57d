package schema

import (
	"go/types"
	"slices"
)

// sum creates the shape of any, or of a sealed interface. An interface is sealed if it has an unexported method,
// so that only types in its package implement it. A named interface without methods is rejected, because its
// type does not match the decoder for any.
func (a *Analyzer) sum(t types.Type, i *types.Interface, at Site) *Shape {
	named, ok := types.Unalias(t).(*types.Named)
	switch {
	case !ok && i.Empty():
		return &Shape{Kind: Any, Type: t}
	case !ok || !isSealed(i):
		return a.refuse(at, t, "an interface, which cannot be decoded", "use a struct or any, or an interface with an unexported method")
	case !a.enter(t, at):
		return nil
	}
	defer a.leave()
	s := &Shape{Kind: Sum, Type: t}
	for _, name := range a.implementers(named.Obj().Pkg(), i) {
		if _, ok := name.Type().Underlying().(*types.Struct); !ok || !types.Implements(name.Type(), i) {
			return a.refuse(at, t, "whose implementation "+name.Name()+" is not a struct with value receivers", "make it a struct, and declare its methods with value receivers")
		}
		one := a.Shape(name.Type(), at)
		if one == nil {
			return nil
		}
		if one.Kind != Struct {
			return a.refuse(at, t, "whose implementation "+name.Name()+" has its own JSON encoding", "make it a plain struct")
		}
		if one.Object.Cut {
			continue
		}
		text, _ := a.source.Doc(name)
		s.Cases = append(s.Cases, Case{Shape: one, Description: text})
	}
	if len(s.Cases) == 0 {
		return a.refuse(at, t, "an interface that no struct of its package implements", "declare a struct with its methods")
	}
	if !byValue(s.Cases) && !byMember(s.Cases) {
		return a.refuse(at, t, "whose implementations cannot be distinguished by their JSON",
			"give each struct a required field that the others do not have, or a required field with the same name whose type has a single constant")
	}
	return s
}

func isSealed(i *types.Interface) bool {
	for m := range i.Methods() {
		if !m.Exported() {
			return true
		}
	}
	return false
}

// implementers returns the types in a package that implement an interface, in source order.
func (a *Analyzer) implementers(pkg *types.Package, i *types.Interface) []*types.TypeName {
	return slices.DeleteFunc(DeclarationsOf[*types.TypeName](a.list, pkg), func(t *types.TypeName) bool {
		return t.IsAlias() || types.IsInterface(t.Type()) || !types.Implements(types.NewPointer(t.Type()), i)
	})
}

// byValue looks for a field that all cases have, with a different constant in each case.
func byValue(cases []Case) bool {
	for _, f := range cases[0].Shape.Object.Fields() {
		seen := map[string]bool{}
		for i := range cases {
			if value := cases[i].constant(f.Name); value != "" {
				seen[value] = true
				cases[i].Member, cases[i].Value = f.Name, value
			}
		}
		if len(seen) == len(cases) {
			return true
		}
	}
	return false
}

// constant returns the only value of a field that is always present, or "" if the field may be missing or have
// other values.
func (c Case) constant(name string) string {
	for _, f := range c.Shape.Object.Fields() {
		if f.Name == name && f.Required && f.Shape.Kind == Enum && len(f.Shape.Values) == 1 {
			return f.Shape.Values[0].Name
		}
	}
	return ""
}

// byMember looks, in each case, for a field that is always present and that no other case has.
func byMember(cases []Case) bool {
	for i := range cases {
		cases[i].Member, cases[i].Value = "", ""
		for _, f := range cases[i].Shape.Object.Fields() {
			shared := false
			for j := range cases {
				shared = shared || j != i && slices.ContainsFunc(cases[j].Shape.Object.Fields(), func(g *Field) bool { return g.Name == f.Name })
			}
			if f.Required && !shared && cases[i].Shape.Object.holds(f) {
				cases[i].Member = f.Name
				break
			}
		}
		if cases[i].Member == "" {
			return false
		}
	}
	return true
}
