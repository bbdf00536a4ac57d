package model

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/internal/declared"
)

// checkDeclared reports declarations that the contract lacks because their file is not built. s.Declared
// holds the declarations in the files of all platforms. err is set if they could not be read.
func (b *builder) checkDeclared(s *Server, err error) {
	if err != nil {
		b.list.Add(s.Pos, diag.GoError, "cannot read the source: %v", err)
	}
	for _, d := range s.Declared {
		if b.isBuilt(d) || d.Kind == declared.Constant && b.docs.isUnbuilt(d) || !together(s.Constraint, b.constraintAt(d)) {
			continue
		}
		same := slices.IndexFunc(s.Declared, func(o declared.Declaration) bool { return o.String() == d.String() && b.isBuilt(o) })
		switch {
		case same < 0:
			b.list.AddAt(d.Pos, diag.NotBuilt, "%s is not part of the contract: its file is not built for this platform with these build tags", d).
				Suggest("move it to a file without a build constraint")
		case s.Declared[same].Digest != d.Digest:
			b.list.AddAt(d.Pos, diag.NotBuilt, "%s differs from the declaration at %s, from which the contract is generated", d, diag.Rel(b.list.Dir(), s.Declared[same].Pos.String())).
				Suggest("make both declarations identical, or move this one to a file without a build constraint")
		}
	}
}

// isBuilt reports whether a declaration is in a file that is part of this build.
func (b *builder) isBuilt(d declared.Declaration) bool {
	if d.Package == "" {
		return !slices.Contains(b.pkg.Ignored, d.Pos.Filename)
	}
	all := Imports(b.pkg.Types)
	i := slices.IndexFunc(all, func(p *types.Package) bool { return p.Path() == d.Package })
	if i < 0 || d.Kind == declared.Method || d.Kind == declared.Constant && !token.IsExported(d.Name) || !all[i].Complete() {
		return true // export data lacks constants that are not exported, and parts of packages that are not imported here
	}
	return all[i].Scope().Lookup(d.Name) != nil
}

// constraintAt returns the build constraint of the file that contains a declaration.
func (b *builder) constraintAt(d declared.Declaration) string {
	file, err := b.pkg.Parse(d.Pos.Filename)
	if err != nil {
		return "" // the file has changed since it was read
	}
	return constraintOf(file, d.Pos.Filename)
}

// Imports returns the packages that p imports directly or indirectly, nearest first.
func Imports(p *types.Package) []*types.Package {
	all := []*types.Package{p}
	seen := map[*types.Package]bool{}
	for i := 0; i < len(all); i++ {
		for _, imported := range all[i].Imports() {
			if !seen[imported] {
				seen[imported] = true
				all = append(all, imported)
			}
		}
	}
	return all[1:]
}
