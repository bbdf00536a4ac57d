package sdk

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// baseOptions returns one layer of options for each tool from the environment and the --option
// flags, which override it. Values are strings, which the decoder converts to the option's
// type.
func (s *Server) baseOptions(flags []string) (map[string]json.RawMessage, error) {
	set := optionValues{}
	for _, t := range s.contract.Tools {
		for _, option := range optionNames(t) {
			for _, old := range t.Aliases {
				if value, ok := os.LookupEnv(manifest.Variable(s.contract.Name, old.Name, option)); ok {
					set.put(t.Name, option, value)
				}
			}
			if value, ok := os.LookupEnv(manifest.Variable(s.contract.Name, t.Name, option)); ok {
				set.put(t.Name, option, value)
			}
		}
	}
	if err := s.readOptions("--option", flags, set.put); err != nil {
		return nil, err
	}
	return s.layers(set)
}

// pinnedOptions returns one layer of options for each tool from the --pin flags.
func (s *Server) pinnedOptions(flags []string) (map[string]json.RawMessage, error) {
	set := optionValues{}
	if err := s.readOptions("--pin", flags, set.put); err != nil {
		return nil, err
	}
	return s.layers(set)
}

// optionValues are option values by tool and option.
type optionValues map[string]map[string]string

func (v optionValues) put(tool, option, value string) {
	if v[tool] == nil {
		v[tool] = map[string]string{}
	}
	v[tool][option] = value
}

// readOptions reads flags of the form TOOL.OPTION=VALUE.
func (s *Server) readOptions(name string, flags []string, put func(tool, option, value string)) error {
	for _, flag := range flags {
		path, value, ok := strings.Cut(flag, "=")
		tool, option, dotted := strings.Cut(path, ".")
		if !ok || !dotted {
			return fmt.Errorf("%s %q: write TOOL.OPTION=VALUE", name, flag)
		}
		t, _, known := s.contract.Resolve(tool)
		if !known {
			return fmt.Errorf("%s %q: there is no tool %q", name, flag, tool)
		}
		if names := optionNames(*t); !slices.Contains(names, option) {
			return fmt.Errorf("%s %q: tool %q has the options %s", name, flag, tool, strings.Join(names, ", "))
		}
		put(t.Name, option, value)
	}
	return nil
}

// layers returns the values as an object of options for each tool, after validation.
func (s *Server) layers(set optionValues) (map[string]json.RawMessage, error) {
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
