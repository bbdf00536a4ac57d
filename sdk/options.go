package sdk

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// An optionValue is the value of an option. source is the flag or variable that sets it.
type optionValue struct{ text, source string }

// layers returns one JSON object of options for each tool. Values come from flags with the given
// name, of the form TOOL.OPTION=VALUE, or OPTION=VALUE for a shared option, or else, if env is set,
// from the environment. They are strings, which the decoder converts to the option's type.
func (s *Server) layers(name string, flags []string, env bool) (map[string]json.RawMessage, error) {
	if len(flags) == 0 && !env {
		return nil, nil
	}
	flagged := map[[2]string]optionValue{} // keyed by tool and option
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
				return nil, fmt.Errorf("%s %s: the option is a secret, and other users can see command lines; set the environment variable %s",
					name, path, t.Variable(s.contract.Name, option))
			}
			flagged[[2]string{t.Name, option}] = optionValue{value, name + " " + path}
		}
	}
	layers := map[string]json.RawMessage{}
	for t := range s.contracts {
		texts := map[string]string{}
		for _, option := range optionNames(t) {
			value, ok := flagged[[2]string{t.Name, option}]
			if !ok && env {
				value, ok = s.environment(t, option)
			}
			if !ok {
				continue
			}
			data, _ := json.Marshal(map[string]string{option: value.text}) // a map of strings can always be encoded
			if err := s.handlerOf(t.Name).CheckOptions(data); err != nil {
				return nil, fmt.Errorf("%s: %w", value.source, err)
			}
			texts[option] = value.text
		}
		if len(texts) > 0 {
			layers[t.Name], _ = json.Marshal(texts)
		}
	}
	return layers, nil
}

// environment returns the value of an option from the environment, if a variable sets it.
func (s *Server) environment(t *manifest.Tool, option string) (set optionValue, ok bool) {
	// The variable for the current name overrides the variables for former names.
	for _, named := range append(slices.Clip(t.Aliases), manifest.Alias{Name: t.Name}) {
		variable := (&manifest.Tool{Name: named.Name, Shared: t.Shared}).Variable(s.contract.Name, option)
		value, found := os.LookupEnv(variable)
		if found && (value != "" || !isSecret(t, option)) { // hosts pass "" for a secret that the user has not set
			set, ok = optionValue{value, "environment variable " + variable}, true
		}
	}
	return set, ok
}

// optionOf resolves TOOL.OPTION, or OPTION for all tools that share the option.
func (s *Server) optionOf(path string) (tools []*manifest.Tool, option string, err error) {
	some, forms := false, []string(nil)
	for t := range s.contracts {
		some = some || t.Options != nil
		if slices.Contains(t.Shared, path) {
			tools = append(tools, t)
		} else if slices.Contains(optionNames(t), path) {
			forms = append(forms, t.Name+"."+path+"=VALUE")
		}
	}
	switch {
	case tools != nil:
		return tools, path, nil
	case !some:
		return nil, "", errors.New("the server has no options")
	}
	tool, _, dotted := strings.Cut(path, ".")
	switch {
	case !dotted && forms != nil:
		return nil, "", errors.New("each tool has its own value: use " + strings.Join(forms, " or "))
	case !dotted:
		return nil, "", errors.New("unknown option; use TOOL.OPTION=VALUE")
	}
	err = fmt.Errorf("there is no tool %q", tool)
	for i, r := range path {
		if r != '.' { // the names may contain dots
			continue
		}
		tool, option = path[:i], path[i+1:]
		switch t, known := s.resolve(tool); {
		case !known:
		case slices.Contains(t.Shared, option):
			return nil, "", fmt.Errorf("all tools share this option: use %s=VALUE", option)
		case slices.Contains(optionNames(t), option):
			return []*manifest.Tool{t}, option, nil
		case t.Options == nil:
			err = fmt.Errorf("tool %q has no options", tool)
		default:
			err = fmt.Errorf("unknown option; tool %q has the options %s", tool, strings.Join(optionNames(t), ", "))
		}
	}
	return nil, "", err
}

// resolve returns the contract of the tool, resource or prompt with a current or former name, as that of a tool.
func (s *Server) resolve(name string) (*manifest.Tool, bool) {
	if t, _, ok := s.contract.Resolve(name); ok {
		return t, true
	}
	for t := range s.contracts {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}

func isSecret(t *manifest.Tool, option string) bool {
	return slices.ContainsFunc(manifest.Secrets(t.Options), func(s manifest.Secret) bool { return s.Name == option })
}

// optionNames returns the sorted names of a tool's options.
func optionNames(t *manifest.Tool) []string {
	var names []string
	for _, m := range rawjson.Parts(rawjson.Get(jsontext.Value(t.Options), "properties")) {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}
