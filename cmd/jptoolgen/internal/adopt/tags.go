package adopt

import (
	"encoding/json"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gotypes"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
)

// An entry is a key and a value of a jsonschema tag.
type entry struct{ key, value string }

// entriesOf returns the constraints of a property as entries of a jsonschema tag.
func entriesOf(p shape.Property) []entry {
	l := p.Limits
	all := []entry{
		{"title", p.Title}, {"pattern", l.Pattern},
		{"minLength", l.MinLength}, {"maxLength", l.MaxLength}, {"minItems", l.MinItems}, {"maxItems", l.MaxItems},
		{"minProperties", l.MinProperties}, {"maxProperties", l.MaxProperties},
		{"minimum", l.Minimum}, {"exclusiveMinimum", l.ExclusiveMinimum}, {"maximum", l.Maximum}, {"exclusiveMaximum", l.ExclusiveMaximum},
		{"multipleOf", l.MultipleOf},
	}
	if slices.Equal(p.Kinds(), []string{"string"}) && p.Format != gotypes.Base64 {
		all = append(all, entry{"format", p.Format})
	}
	if l.UniqueItems {
		all = append(all, entry{"uniqueItems", "true"})
	}
	all = slices.DeleteFunc(all, func(e entry) bool { return e.value == "" })
	if kind := p.Default.Kind(); kind != 0 && kind != 'n' {
		var text string
		if json.Unmarshal(p.Default, &text) != nil {
			text = string(p.Default)
		}
		all = append(all, entry{"default", text})
	}
	return all
}
