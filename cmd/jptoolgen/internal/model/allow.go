package model

import (
	"maps"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
)

// Allowable returns the codes of findings of the generator that a //jp:allow line accepts: what some clients do
// not support or show.
func Allowable() []diag.Code {
	return []diag.Code{diag.WideSchema, diag.BadServerName, diag.BadFieldName, diag.BadToolName, diag.MissingDoc, diag.LongDoc, diag.UnreadableDocs}
}

// allow removes the findings that //jp:allow lines accept, and reports the lines of the package that accept none.
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
	at := b.pkg.Fset.Position(line.Pos)
	if !line.Behind {
		at.Line++
	}
	for _, w := range line.Words {
		code := diag.Code(w.Value)
		if !slices.Contains(Allowable(), code) {
			continue // package jpvet reads it
		}
		removed := b.list.Remove(func(f diag.Finding) bool {
			return f.Code == code && !f.Firm && f.Pos.Filename == at.Filename && f.Pos.Line == at.Line
		})
		if !removed && ours {
			b.list.Add(w.Pos, diag.IdleAllow, "//jp:allow %s does not match a finding", code).Suggest("delete it")
		}
	}
}
