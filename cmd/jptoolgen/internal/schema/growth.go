package schema

import (
	"go/types"
)

// A growth finds generic types that contain instances of themselves with ever larger type arguments. Such a type has no
// end: the Go compiler rejects it, but package go/types expands it step by step for as long as it is asked.
type growth struct {
	walked map[*types.Named]bool
	// flows holds the type parameters whose arguments contain a type parameter. The value is true if an argument
	// is larger than the type parameter alone.
	flows  map[*types.TypeParam]map[*types.TypeParam]bool
	owners map[*types.TypeParam]*types.Named
	// endless holds the generic types that grow.
	endless map[*types.Named]bool
}

func newGrowth() *growth {
	return &growth{
		walked: map[*types.Named]bool{}, flows: map[*types.TypeParam]map[*types.TypeParam]bool{},
		owners: map[*types.TypeParam]*types.Named{}, endless: map[*types.Named]bool{},
	}
}

// of returns the type that grows among the parts of t, or nil if there is none.
func (g *growth) of(t types.Type) (found *types.Named) {
	known := len(g.owners)
	walk(t, g.walked, g.flow)
	if len(g.owners) > known {
		g.findCycles()
	}
	if len(g.endless) > 0 {
		walk(t, map[*types.Named]bool{}, func(n *types.Named) {
			if g.endless[n.Origin()] && found == nil {
				found = n
			}
		})
	}
	return found
}

// flow records the type parameters in the arguments of an instance.
func (g *growth) flow(n *types.Named) {
	for i := range n.TypeArgs().Len() {
		to, arg := n.Origin().TypeParams().At(i), n.TypeArgs().At(i)
		g.owners[to] = n.Origin()
		walkParts(arg, func(part types.Type) {
			from, ok := part.(*types.TypeParam)
			if !ok {
				return
			}
			if g.flows[from] == nil {
				g.flows[from] = map[*types.TypeParam]bool{}
			}
			g.flows[from][to] = g.flows[from][to] || arg != part
		})
	}
}

// findCycles finds the type parameters that flow back into themselves in a larger type.
func (g *growth) findCycles() {
	for from, all := range g.flows {
		for to, grows := range all {
			if grows && g.leads(to, from, map[*types.TypeParam]bool{}) {
				g.endless[g.owners[to]] = true
			}
		}
	}
}

func (g *growth) leads(from, to *types.TypeParam, seen map[*types.TypeParam]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	for next := range g.flows[from] {
		if g.leads(next, to, seen) {
			return true
		}
	}
	return false
}

// walk calls visit for the named types that t consists of. It enters each generic type once, in its generic form.
func walk(t types.Type, entered map[*types.Named]bool, visit func(*types.Named)) {
	walkParts(t, func(part types.Type) {
		if n, ok := part.(*types.Named); ok {
			visit(n)
			if !entered[n.Origin()] {
				entered[n.Origin()] = true
				walk(n.Origin().Underlying(), entered, visit)
			}
		}
	})
}

// walkParts calls visit for t and the types that it is written with. It does not enter the declarations of named types.
func walkParts(t types.Type, visit func(types.Type)) {
	t = types.Unalias(t)
	visit(t)
	each := func(t types.Type) { walkParts(t, visit) }
	switch t := t.(type) {
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			each(arg)
		}
	case *types.Pointer, *types.Slice, *types.Array, *types.Chan:
		each(t.(interface{ Elem() types.Type }).Elem())
	case *types.Map:
		each(t.Key())
		each(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			each(f.Type())
		}
	case *types.Signature:
		for v := range t.Params().Variables() {
			each(v.Type())
		}
		for v := range t.Results().Variables() {
			each(v.Type())
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			each(m.Signature())
		}
		for e := range t.EmbeddedTypes() {
			each(e)
		}
	}
}
