package sdk

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/jptool/jptool/sdk/manifest"
)

// baseOptions returns what the environment and the --option flags set, as one
// layer of options a tool; flags overrule the environment. Values are handed on
// as strings, which the decoder reads as the option's type.
func (s *Server) baseOptions(flags []string) (map[string]json.RawMessage, error) {
	set := map[string]map[string]string{}
	put := func(tool, option, value string) {
		if set[tool] == nil {
			set[tool] = map[string]string{}
		}
		set[tool][option] = value
	}
	for _, t := range s.contract.Tools {
		for _, option := range optionNames(t) {
			for _, old := range t.Aliases {
				if value, ok := os.LookupEnv(manifest.Variable(s.contract.Name, old.Name, option)); ok {
					put(t.Name, option, value)
				}
			}
			if value, ok := os.LookupEnv(manifest.Variable(s.contract.Name, t.Name, option)); ok {
				put(t.Name, option, value)
			}
		}
	}
	for _, flag := range flags {
		name, value, ok := strings.Cut(flag, "=")
		tool, option, dotted := strings.Cut(name, ".")
		if !ok || !dotted {
			return nil, fmt.Errorf("--option %q: write TOOL.OPTION=VALUE", flag)
		}
		t, _, known := s.contract.Resolve(tool)
		if !known {
			return nil, fmt.Errorf("--option %q: there is no tool %q", flag, tool)
		}
		if names := optionNames(*t); !slices.Contains(names, option) {
			return nil, fmt.Errorf("--option %q: tool %q has the options %s", flag, tool, strings.Join(names, ", "))
		}
		put(t.Name, option, value)
	}
	layers := make(map[string]json.RawMessage, len(set))
	for tool, values := range set {
		data, err := json.Marshal(values)
		if err != nil {
			return nil, fmt.Errorf("options of %q: %w", tool, err)
		}
		if err := s.tools[tool].CheckOptions(data); err != nil {
			return nil, fmt.Errorf("options of %q: %w", tool, err)
		}
		layers[tool] = data
	}
	return layers, nil
}

// optionNames returns the names of a tool's options, sorted.
func optionNames(t manifest.Tool) []string {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if len(t.Options) == 0 || json.Unmarshal(t.Options, &schema) != nil {
		return nil
	}
	names := make([]string, 0, len(schema.Properties))
	for name := range schema.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
