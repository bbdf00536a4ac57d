package model

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/internal/phrase"
)

// An overlay is the description of a field or constant from a //jp:describe line.
type overlay struct {
	name directive.Arg
	text string
	used bool
}

// overlays reads the //jp:describe lines of the server.
func (b *builder) overlays(server *types.TypeName) {
	n, _ := b.docs.find(server)
	for _, line := range n.directives {
		if line.Name != "describe" || len(line.Words) == 0 {
			continue
		}
		if len(line.Words) > 1 {
			b.list.Add(line.Words[1].Pos, diag.BadArgument, "//jp:describe has a second name %q", line.Words[1].Value).
				Suggest("write a separate line for each name")
		}
		name := line.Words[0]
		obj, near := b.findOrSuggest(name.Value)
		if obj == nil {
			f := b.list.Add(name.Pos, diag.BadArgument, "%q is not a field or constant that this package can refer to", name.Value)
			if near != "" {
				f.Suggest("did you mean %s?", near)
			} else {
				f.Suggest("write package.Type.Field or package.Constant, with the package's name or import path")
			}
			continue
		}
		text, _ := line.Get("text")
		if old := b.docs.overlays[obj]; old != nil {
			b.list.Add(name.Pos, diag.Repeated, "%s is described twice", name.Value).Suggest("delete one")
		}
		b.docs.overlays[obj] = &overlay{name, text.Value, false}
	}
}

// idleOverlays reports the //jp:describe lines whose field or constant is not part of a tool.
func (b *builder) idleOverlays() {
	for _, o := range b.docs.overlays {
		if !o.used {
			b.list.Add(o.name.Pos, diag.BadArgument, "no tool uses %s", o.name.Value).Suggest("delete the line")
		}
	}
}

// findOrSuggest returns the field or constant with the given name. If there is none, it returns the name of a
// similar field of the same type.
func (b *builder) findOrSuggest(name string) (obj types.Object, near string) {
	scopes := b.scopes()
	for _, prefix := range prefixes(name) {
		p := scopes[prefix]
		if p == nil {
			continue
		}
		rest := strings.TrimPrefix(strings.TrimPrefix(name, prefix), ".")
		owner, field, isField := strings.Cut(rest, ".")
		found := p.Scope().Lookup(owner)
		if c, ok := found.(*types.Const); ok && !isField {
			return c, ""
		}
		if t, ok := found.(*types.TypeName); ok && isField {
			if st, ok := t.Type().Underlying().(*types.Struct); ok {
				var names []string
				for f := range st.Fields() {
					if f.Name() == field {
						return f, ""
					}
					names = append(names, f.Name())
				}
				if like, ok := phrase.Nearest(field, names); ok {
					near = strings.TrimSuffix(name, field) + like
				}
			}
		}
	}
	return nil, near
}

// scopes returns the packages that this one can refer to, by name and by import path. Its own name is "".
func (b *builder) scopes() map[string]*types.Package {
	scopes := map[string]*types.Package{"": b.pkg.Types}
	for _, p := range Imports(b.pkg.Types) {
		scopes[p.Name()] = cmp.Or(scopes[p.Name()], p) // of several packages with the same name, the nearest one takes precedence
		scopes[p.Path()] = p
	}
	return scopes
}

// prefixes returns the parts of a name that may name a package, longest first.
func prefixes(name string) []string {
	all := []string{""}
	for i, r := range name {
		if r == '.' {
			all = append(all, name[:i])
		}
	}
	slices.Reverse(all)
	return all
}
