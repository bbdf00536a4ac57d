package model

import (
	"go/types"
	"slices"
	"strings"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// aliases reads the aliases of a //jp:alias line and sorts them by name.
func (b *builder) aliases(line directive.Directive) []Alias {
	until, _ := line.Get("until")
	if _, err := time.Parse(time.DateOnly, until.Value); err != nil && until.Value != "" {
		b.list.Add(until.ValuePos, diag.BadAlias, "invalid date %q", until.Value).Suggest("use the form YYYY-MM-DD, e.g. 2030-12-31")
	}
	var all []Alias
	for _, w := range line.Words {
		if !schema.AnyNames.Valid(w.Value, schema.MaxTool) {
			b.list.Add(w.Pos, diag.BadAlias, "invalid former name %q: MCP tool names must %s", w.Value, schema.AnyNames.Rule(schema.MaxTool)).
				Suggest("delete it, because no client can call it")
			continue
		}
		all = append(all, Alias{Name: w.Value, Until: until.Value, Pos: w.Pos})
	}
	slices.SortFunc(all, func(x, y Alias) int { return strings.Compare(x.Name, y.Name) })
	return all
}

// distinctAliases reports aliases that are also names of other tools.
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
					Suggest("delete one of them")
				continue
			}
			owner[a.Name] = t
		}
	}
}

// distinctVariables finds options that are set by the same environment variable. Only a shared option may occur
// in several tools.
func (b *builder) distinctVariables(s *Server) {
	type option struct {
		name string
		of   *types.Var
	}
	owner := map[string]option{}
	for _, t := range s.Tools {
		if t.Options == nil {
			continue
		}
		of := manifest.Tool{Name: t.Name, Shared: t.Shared}
		for _, f := range t.Options.Fields() {
			variable, this := of.Variable(s.Name, f.Name), option{t.Name + "." + f.Name, f.Var}
			if other := owner[variable]; other.of != nil && (other.of != f.Var || !slices.Contains(t.Shared, f.Name)) {
				b.list.Add(b.near(f.Var, t.Pos), diag.DuplicateName, "environment variable %s would set both option %s and option %s", variable, other.name, this.name).
					Suggest("rename one of them")
			}
			owner[variable] = this
		}
	}
}
