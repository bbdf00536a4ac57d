package model

import (
	"go/types"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/schema"
)

// checkSchema reports arguments of a //jp:schema line that cannot be combined.
func (b *builder) checkSchema(t *types.TypeName) {
	line, ok := b.docs.directive(t, "schema")
	if !ok {
		return
	}
	kind, _ := line.Get("type")
	if _, has := line.Get("items"); kind.Value == "array" && !has {
		b.list.Add(line.Pos, diag.MissingArgument, "//jp:schema type=array requires items").Suggest("add items=string, or another type")
	}
	for name, only := range map[string]string{"items": "array", "format": "string", "pattern": "string"} {
		if a, has := line.Get(name); has && kind.Value != "" && kind.Value != only {
			b.list.Add(a.Pos, diag.BadArgument, "%s requires type=%s, not type=%s", name, only, kind.Value).Suggest("delete it")
		}
	}
	if a, has := line.Get("pattern"); has {
		if must := schema.PortablePattern(a.Value); must != "" {
			b.list.Add(a.ValuePos, diag.BadArgument, "invalid pattern %q", a.Value).Suggest("write %s", must)
		}
	}
}
