package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// baseOptions returns one layer of options for each tool from the environment and the --option
// flags, which override it. Values are strings, which the decoder converts to the option's
// type.
func (s *Server) baseOptions(flags []string) (map[string]json.RawMessage, error) {
	set := optionValues{}
	for _, t := range s.contract.Tools {
		for _, option := range optionNames(t) {
			// The variable for the current name overrides the variables for former names.
			for _, named := range append(slices.Clip(t.Aliases), manifest.Alias{Name: t.Name}) {
				as := manifest.Tool{Name: named.Name, Shared: t.Shared}
				variable := as.Variable(s.contract.Name, option)
				value, ok := os.LookupEnv(variable)
				if ok && (value != "" || !isSecret(t, option)) { // hosts pass "" for a secret that the user has not set
					set.put(t.Name, option, optionValue{value, "environment variable " + variable})
				}
			}
		}
	}
	return s.layers(set, "--option", flags)
}

// An optionValue is the text of an option, and the flag or variable that sets it.
type optionValue struct{ text, source string }

// optionValues are option values by tool and option.
type optionValues map[string]map[string]optionValue

func (v optionValues) put(tool, option string, value optionValue) {
	if v[tool] == nil {
		v[tool] = map[string]optionValue{}
	}
	v[tool][option] = value
}

// optionOf resolves TOOL.OPTION, or OPTION for all tools that share the option.
func (s *Server) optionOf(path string) (tools []manifest.Tool, option string, err error) {
	for _, t := range s.contract.Tools {
		if slices.Contains(t.Shared, path) {
			tools = append(tools, t)
		}
	}
	if tools != nil {
		return tools, path, nil
	}
	tool, option, dotted := s.splitOption(path)
	t, _, known := s.contract.Resolve(tool)
	switch {
	case !dotted:
		return nil, "", errors.New("use TOOL.OPTION=VALUE")
	case !known:
		return nil, "", fmt.Errorf("there is no tool %q", tool)
	case !slices.Contains(optionNames(*t), option):
		return nil, "", fmt.Errorf("unknown option; tool %q has the options %s", tool, strings.Join(optionNames(*t), ", "))
	case slices.Contains(t.Shared, option):
		return nil, "", fmt.Errorf("all tools share this option: use %s=VALUE", option)
	}
	return []manifest.Tool{*t}, option, nil
}

func isSecret(t manifest.Tool, option string) bool {
	return slices.ContainsFunc(manifest.Secrets(t.Options), func(s manifest.Secret) bool { return s.Name == option })
}

// splitOption splits TOOL.OPTION. Either name may contain dots, so it splits at the first dot where both names are
// known.
func (s *Server) splitOption(path string) (tool, option string, ok bool) {
	tool, option, ok = strings.Cut(path, ".")
	for i, r := range path {
		if r != '.' {
			continue
		}
		if t, _, known := s.contract.Resolve(path[:i]); known {
			tool, option = path[:i], path[i+1:]
			if slices.Contains(optionNames(*t), option) {
				break
			}
		}
	}
	return tool, option, ok
}

// layers validates the values and returns one JSON object of options for each tool. The values of flags
// with the given name, of the form TOOL.OPTION=VALUE, or OPTION=VALUE for a shared option, override those
// in set.
func (s *Server) layers(set optionValues, name string, flags []string) (map[string]json.RawMessage, error) {
	for _, flag := range flags {
		path, value, ok := strings.Cut(flag, "=")
		tools, option, err := s.optionOf(path)
		if err == nil && !ok {
			err = fmt.Errorf("use %s=VALUE", path)
		}
		if err != nil {
			return nil, fmt.Errorf("%s %q: %w", name, path, err) // without the value, which may be a secret
		}
		for _, t := range tools {
			if isSecret(t, option) {
				return nil, fmt.Errorf("%s %s: the option is a secret, and other users can see command lines: set the environment variable %s",
					name, path, t.Variable(s.contract.Name, option))
			}
			set.put(t.Name, option, optionValue{value, name + " " + path})
		}
	}
	layers := make(map[string]json.RawMessage, len(set))
	for _, tool := range slices.Sorted(maps.Keys(set)) {
		texts := make(map[string]string, len(set[tool]))
		for _, option := range slices.Sorted(maps.Keys(set[tool])) {
			value := set[tool][option]
			data, _ := json.Marshal(map[string]string{option: value.text}) // a map of strings can be encoded
			if err := s.tools[tool].CheckOptions(data); err != nil {
				return nil, fmt.Errorf("%s: %w", value.source, err)
			}
			texts[option] = value.text
		}
		layers[tool], _ = json.Marshal(texts)
	}
	return layers, nil
}

// optionNames returns the names of a tool's options, sorted.
func optionNames(t manifest.Tool) []string {
	var names []string
	for _, m := range rawjson.Parts(rawjson.Get(jsontext.Value(t.Options), "properties")) {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}
