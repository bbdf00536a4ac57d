package model

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// codes returns the error codes that the packages of the toolsets declare, sorted by name.
func (b *builder) codes(sets []toolset) []Code {
	codes := b.codesOf(b.pkg.Types)
	seen := map[*types.Package]bool{b.pkg.Types: true}
	for _, p := range sets {
		pkg := p.named.Obj().Pkg()
		if seen[pkg] {
			continue
		}
		seen[pkg] = true
		for _, c := range b.codesOf(pkg) {
			same := slices.IndexFunc(codes, func(o Code) bool { return o.Name == c.Name && o.Description != c.Description })
			if same >= 0 {
				b.list.Add(b.docs.Pos(c.Const), diag.DuplicateName, "error code %s has a different meaning at %s", c.Name, b.list.Place(b.docs.Pos(codes[same].Const))).
					Suggest("use a different value, or the same comment")
			}
			codes = append(codes, c)
		}
	}
	slices.SortStableFunc(codes, func(x, y Code) int { return strings.Compare(x.Name, y.Name) })
	return slices.CompactFunc(codes, func(x, y Code) bool { return x.Name == y.Name })
}

// codesOf returns the error codes of a package, that is, its constants of type fault.Code. The codes of another
// package must be exported.
func (b *builder) codesOf(pkg *types.Package) []Code {
	var codes []Code
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !sdktypes.Is(c.Type(), sdktypes.Fault, "Code") || pkg != b.pkg.Types && !c.Exported() {
			continue
		}
		code := fault.Code(constant.StringVal(c.Val()))
		if code.IsBase() { // an alias of a base code
			if b.docs.Form(c).Literal {
				b.list.Add(c.Pos(), diag.RepeatedValue, "error code %s has the same value as the base code %q", name, code).
					Suggest("use the constant of package fault, or give the code a different value")
			}
			continue
		}
		if !code.Valid() {
			f := b.list.Add(c.Pos(), diag.UnknownFault, "invalid error code %q: must match [a-z][a-z0-9_]* and be at most 40 characters", code)
			if good := schema.Snake(string(code)); schema.ValidName(good) {
				f.Suggest("write %q", good)
			} else {
				f.Suggest("write a word such as \"rate_limited\"")
			}
		}
		text := b.describe(c, b.docs.Pos(c), "error code "+c.Name(), "when it is returned", "")
		codes = append(codes, Code{manifest.Code{Name: string(code), Description: text}, c})
	}
	return codes
}

// fails reads a //jp:fails line.
func (b *builder) fails(s *Server, line directive.Directive) []string {
	var known, all []string
	for _, c := range fault.Base() {
		known = append(known, string(c))
	}
	for _, c := range s.Codes {
		known = append(known, c.Name)
	}
	for _, w := range line.Words {
		if slices.Contains(known, w.Value) {
			all = append(all, w.Value)
			continue
		}
		f := b.list.Add(w.Pos, diag.UnknownFault, "unknown error code %s", w.Value)
		if near, ok := phrase.Nearest(w.Value, known); ok {
			f.Suggest("did you mean %s?", near)
		} else {
			f.Suggest("declare it as a constant of type fault.Code, or write one of %s", strings.Join(known, ", "))
		}
	}
	slices.Sort(all)
	return all
}
