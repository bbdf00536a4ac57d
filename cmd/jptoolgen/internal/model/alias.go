package model

import (
	"slices"
	"strings"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// aliases reads a //jp:alias line; the result is sorted by name.
func (b *builder) aliases(line directive.Directive) []Alias {
	until, _ := line.Get("until")
	if _, err := time.Parse(time.DateOnly, until.Value); err != nil && until.Value != "" {
		b.list.Add(until.ValuePos, diag.BadAlias, "invalid date %q", until.Value).Suggest("write it as 2030-12-31")
	}
	var all []Alias
	for _, w := range line.Words {
		if !schema.ValidName(w.Value) {
			b.list.Add(w.Pos, diag.BadAlias, "invalid tool name %q: must match [a-z][a-z0-9_]* and be at most %d characters", w.Value, schema.MaxName).
				Suggest("write the former name as it was")
			continue
		}
		all = append(all, Alias{Name: w.Value, Until: until.Value, Pos: w.Pos})
	}
	slices.SortFunc(all, func(x, y Alias) int { return strings.Compare(x.Name, y.Name) })
	return all
}

// distinctAliases finds aliases that are names of another tool.
func (b *builder) distinctAliases(s *Server) {
	owner := map[string]*Tool{}
	for _, t := range s.Tools {
		if owner[t.Name] == nil {
			owner[t.Name] = t
		}
	}
	for _, t := range s.Tools {
		for _, a := range t.Aliases {
			if other := owner[a.Name]; other != nil {
				b.list.Add(a.Pos, diag.BadAlias, "alias %s is already a name of the tool at %s", a.Name, b.list.Place(other.Method.Pos())).
					Suggest("delete it here or there")
				continue
			}
			owner[a.Name] = t
		}
	}
}
