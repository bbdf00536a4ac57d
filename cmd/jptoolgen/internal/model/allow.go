package model

import (
	"maps"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
)

// Allowable returns the codes of generator findings that a //jp:allow line can accept: findings about features
// that some clients do not support or show.
func Allowable() []diag.Code {
	return []diag.Code{diag.WideSchema, diag.BadServerName, diag.BadFieldName, diag.BadToolName, diag.MissingDoc, diag.LongDoc, diag.UnreadableDocs}
}

// allow removes the findings that //jp:allow lines accept, and reports the //jp:allow lines that accept no
// finding.
func (b *builder) allow() {
	for _, name := range slices.Sorted(maps.Keys(b.docs.files)) {
		file := b.docs.files[name]
		if file == nil {
			continue
		}
		for _, pos := range slices.Sorted(maps.Keys(file.sites)) {
			for _, line := range file.sites[pos] {
				if line.Name == "allow" {
					b.allowLine(line, file.ours)
				}
			}
		}
	}
}

func (b *builder) allowLine(line directive.Directive, ours bool) {
	for _, a := range line.Allowances(b.pkg.Fset) {
		if !slices.Contains(Allowable(), a.Code) {
			continue // package jpvet checks this line
		}
		removed := b.list.Remove(func(f diag.Finding) bool { return !f.Firm && a.Allows(f.Code, f.Pos) })
		if !removed && ours {
			b.list.Add(a.Pos, diag.IdleAllow, "//jp:allow %s does not match any finding", a.Code).Suggest("delete it")
		}
	}
}
