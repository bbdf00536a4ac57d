package model

import (
	"go/types"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/internal/phrase"
)

// A foreignLine is one type of a //jp:foreign line.
type foreignLine struct {
	word directive.Arg
	// of is the type, or nil for all types of pkg.
	of   *types.TypeName
	pkg  *types.Package
	look schema.Look
	used bool
}

// foreignLines reads the //jp:foreign lines of the server.
func (b *builder) foreignLines(server *types.TypeName) {
	n, _ := b.docs.find(server)
	for _, line := range n.directives {
		if line.Name != "foreign" {
			continue
		}
		look, ok := b.look(line)
		if !ok {
			continue
		}
		for _, word := range line.Words {
			f := &foreignLine{word: word, look: look}
			var near string
			if f.of, f.pkg, near = b.foreignType(word.Value); f.of == nil && f.pkg == nil {
				finding := b.list.Add(word.Pos, diag.BadArgument, "%q is not a type that this package can refer to", word.Value)
				if finding.Suggest("write package.Type, with the package's name or import path, or package.* for all of its types"); near != "" {
					finding.Suggest("did you mean %s?", near)
				}
				continue
			}
			if b.docs.Ours(f.pkg) {
				b.list.Add(word.Pos, diag.BadArgument, "%s belongs to this module", word.Value).Suggest("write //jp:schema above the type, or //jp:allow above the line with the finding")
				continue
			}
			if slices.ContainsFunc(b.docs.foreign, func(o *foreignLine) bool { return o.of == f.of && o.pkg == f.pkg }) {
				b.list.Add(word.Pos, diag.Repeated, "%s has two //jp:foreign lines", word.Value).Suggest("delete one")
			}
			b.docs.foreign = append(b.docs.foreign, f)
		}
	}
}

// look returns what a //jp:foreign line says.
func (b *builder) look(line directive.Directive) (look schema.Look, ok bool) {
	given := 0
	for _, name := range []string{"type", "as", "reason"} {
		if _, has := line.Get(name); has {
			given++
		}
	}
	if given != 1 {
		b.list.Add(line.Pos, diag.BadArgument, "//jp:foreign needs one of type, as and reason").
			Suggest("write type= for the JSON type, as= for a type with the same JSON, or reason= to accept the findings")
		return look, false
	}
	b.checkForm(line)
	if as, has := line.Get("as"); has {
		of, _, _ := b.foreignType(as.Value)
		if of == nil {
			b.list.Add(as.ValuePos, diag.BadArgument, "%q is not a type that this package can refer to", as.Value).Suggest("write the name of a type of this package")
			return look, false
		}
		look.As = of.Type()
		return look, true
	}
	if kind, has := line.Get("type"); has && kind.Value != "any" {
		look.Custom = customOf(line)
	}
	_, look.Accepted = line.Get("reason")
	return look, true
}

// foreignType returns the type with the given name, or the package whose types a name such as lib.* stands for. If there
// is none, it returns the name of a similar type.
func (b *builder) foreignType(name string) (of *types.TypeName, pkg *types.Package, near string) {
	scopes := b.scopes()
	for _, prefix := range prefixes(name) {
		p := scopes[prefix]
		if p == nil {
			continue
		}
		rest := strings.TrimPrefix(strings.TrimPrefix(name, prefix), ".")
		if rest == "*" {
			return nil, p, ""
		}
		if t, ok := p.Scope().Lookup(rest).(*types.TypeName); ok {
			if named, ok := types.Unalias(t.Type()).(*types.Named); ok {
				t = named.Obj()
			}
			return t, t.Pkg(), ""
		}
		if like, ok := phrase.Nearest(rest, p.Scope().Names()); ok {
			near = strings.TrimSuffix(name, rest) + like
		}
	}
	return nil, nil, near
}

// Look implements [schema.Source].
func (d *docs) Look(t *types.TypeName) *schema.Look {
	var found *foreignLine
	for _, f := range d.foreign {
		if f.of == t || f.of == nil && f.pkg == t.Pkg() && found == nil {
			found = f
		}
	}
	if found == nil {
		return nil
	}
	found.used = found.used || !found.look.Accepted
	return &found.look
}

// reportForeign adds the findings about types of other modules to the list, and reports the //jp:foreign lines without
// effect.
func (b *builder) reportForeign(foreign *schema.Foreign) {
	accepted := foreign.Report(b.list, func(t *types.TypeName) bool {
		look := b.docs.Look(t)
		return look != nil && look.Accepted
	})
	for _, f := range b.docs.foreign {
		for t := range accepted {
			f.used = f.used || f.of == t || f.of == nil && f.pkg == t.Pkg()
		}
		switch {
		case f.used:
		case f.look.Accepted:
			b.list.Add(f.word.Pos, diag.IdleAllow, "there is no finding inside %s", f.word.Value).Suggest("delete it")
		default:
			b.list.Add(f.word.Pos, diag.BadArgument, "no tool uses %s", f.word.Value).Suggest("delete it")
		}
	}
}

// checkForm reports arguments that describe a JSON type and cannot be combined.
func (b *builder) checkForm(line directive.Directive) {
	kind, _ := line.Get("type")
	if _, has := line.Get("items"); kind.Value == "array" && !has {
		b.list.Add(line.Pos, diag.MissingArgument, "//jp:%s type=array requires items", line.Name).Suggest("add items=string, or another type")
	}
	for name, only := range map[string]string{"items": "array", "format": "string", "pattern": "string"} {
		if a, has := line.Get(name); has && kind.Value != only && (kind.Value != "" || line.Name == "foreign") {
			b.list.Add(a.Pos, diag.BadArgument, "%s requires type=%s, not type=%s", name, only, kind.Value).Suggest("delete it")
		}
	}
	if a, has := line.Get("pattern"); has {
		if must := schema.PortablePattern(a.Value); must != "" {
			b.list.Add(a.ValuePos, diag.BadArgument, "invalid pattern %q", a.Value).Suggest("write %s", must)
		}
	}
}

// customOf returns the JSON type that a line describes.
func customOf(line directive.Directive) *schema.Custom {
	value := func(name string) string {
		a, _ := line.Get(name)
		return a.Value
	}
	return &schema.Custom{Type: value("type"), Items: value("items"), Format: value("format"), Pattern: value("pattern")}
}
