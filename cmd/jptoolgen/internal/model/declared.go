package model

import (
	"go/types"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/internal/declared"
)

// declared reports declarations that the contract lacks because their file is not built. s.Declared has the
// declarations in the files of all platforms, unless err says why they could not be read.
func (b *builder) declared(s *Server, err error) {
	if err != nil {
		b.list.Add(s.Pos, diag.GoError, "cannot read the source: %v", err)
	}
	for _, d := range s.Declared {
		if b.built(d) || !declared.Together(s.Constraint, d.Constraint) {
			continue
		}
		same := slices.IndexFunc(s.Declared, func(o declared.Declaration) bool { return o.String() == d.String() && b.built(o) })
		switch {
		case same < 0:
			b.list.AddAt(d.Pos, diag.NotBuilt, "%s is not part of the contract: its file is not built for this platform and these build tags", d).
				Suggest("move it to a file without a build constraint")
		case s.Declared[same].Digest != d.Digest:
			b.list.AddAt(d.Pos, diag.NotBuilt, "%s differs from the one at %s, from which the contract is generated", d, diag.Rel(b.list.Dir(), s.Declared[same].Pos.String())).
				Suggest("make them identical, or move it to a file without a build constraint")
		}
	}
}

// built reports whether a declaration is in a file that is part of this build.
func (b *builder) built(d declared.Declaration) bool {
	if d.Package == "" {
		return !slices.Contains(b.pkg.Ignored, d.Pos.Filename)
	}
	p := imported(b.pkg.Types, d.Package, map[*types.Package]bool{})
	return p == nil || d.Kind == declared.Method || p.Scope().Lookup(d.Name) != nil
}

// imported returns the package with the given path if the package by imports it directly or indirectly.
func imported(by *types.Package, path string, seen map[*types.Package]bool) *types.Package {
	for _, p := range by.Imports() {
		if seen[p] {
			continue
		}
		seen[p] = true
		if p.Path() == path {
			return p
		}
		if found := imported(p, path, seen); found != nil {
			return found
		}
	}
	return nil
}
