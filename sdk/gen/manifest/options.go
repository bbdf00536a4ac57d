package manifest

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
)

// A Secret is an option whose value must not be shown. Only an environment variable sets it.
type Secret struct {
	Name     string
	Required bool
}

// Secrets returns the secrets in a schema of options, sorted by name. It ignores an invalid schema.
func Secrets(options Schema) (all []Secret) {
	if !bytes.Contains(options, []byte(`"writeOnly"`)) {
		return nil
	}
	var schema struct {
		Properties map[string]struct {
			WriteOnly bool `json:"writeOnly"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	if jsonv2.Unmarshal(options, &schema) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		if schema.Properties[name].WriteOnly {
			all = append(all, Secret{name, slices.Contains(schema.Required, name)})
		}
	}
	return all
}

// Variable returns the name of the environment variable for an option: server, tool (unless the
// option is shared) and option in capitals. Underscores separate them, and replace characters other
// than ASCII letters and digits.
func (t *Tool) Variable(server, option string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToUpper(server+"_"+t.prefix(option, "_")+option))
}

// Flag returns the name of the option for the --option flag: TOOL.OPTION, or OPTION for a shared one.
func (t *Tool) Flag(option string) string { return t.prefix(option, ".") + option }

func (t *Tool) prefix(option, separator string) string {
	if slices.Contains(t.Shared, option) {
		return ""
	}
	return t.Name + separator
}
