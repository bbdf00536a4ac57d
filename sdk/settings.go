package sdk

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Variable declares an environment variable that the program reads itself, for what describes the program to others:
// the command "settings" and server.json.
func (s *Server) Variable(name, description string, secret bool) {
	s.variables = append(s.variables, manifest.Setting{Name: name, Description: description, Type: "string", Secret: secret})
}

// settingsOf returns everything that an operator can set: the flags, and the variables that the program reads through
// this package.
func (s *Server) settingsOf(flags *pflag.FlagSet) manifest.Settings {
	all := manifest.Settings{Flags: []manifest.Setting{}, Variables: []manifest.Setting{}}
	flags.VisitAll(func(f *pflag.Flag) { all.Flags = append(all.Flags, flagSetting(f)) })
	add := func(v manifest.Setting) {
		if !slices.ContainsFunc(all.Variables, func(known manifest.Setting) bool { return known.Name == v.Name }) {
			all.Variables = append(all.Variables, v)
		}
	}
	for t := range s.contracts {
		var required []string
		_ = json.Unmarshal(rawjson.Get(jsontext.Value(t.Options), "required"), &required) // without options, there are none
		for _, m := range rawjson.Parts(rawjson.Get(jsontext.Value(t.Options), "properties")) {
			v := optionSetting(m.Value)
			v.Name, v.Secret = t.Variable(s.Name(), m.Name), isSecret(t, m.Name)
			v.Required = slices.Contains(required, m.Name)
			add(v)
		}
	}
	for _, v := range s.variables {
		add(v)
	}
	for _, f := range selectors {
		if flag := flags.Lookup(f.flag); flag != nil {
			v := flagSetting(flag)
			v.Name, v.Repeated = f.variable(s), false
			v.Description = "Sets --" + f.flag + "."
			add(v)
		}
	}
	add(manifest.Setting{
		Name: stateKeys, Type: "string", Secret: true,
		Description: "Keys for the state of calls, which all processes of a server need: each 32 bytes in base64, separated by commas.",
	})
	return all
}

func flagSetting(f *pflag.Flag) manifest.Setting {
	value, usage := pflag.UnquoteUsage(f)
	s := manifest.Setting{Name: "--" + f.Name, Description: usage, Type: "string", Value: value}
	kind := f.Value.Type()
	s.Repeated = strings.HasSuffix(kind, "Array") || strings.HasSuffix(kind, "Slice") || kind == "count"
	switch {
	case kind == "bool":
		s.Type, s.Value = "boolean", ""
	case strings.HasPrefix(kind, "int") || strings.HasPrefix(kind, "uint") || strings.HasPrefix(kind, "float"):
		s.Type = "number"
	case strings.EqualFold(value, "file") || strings.EqualFold(value, "dir"):
		s.Type = "filepath"
	}
	if !slices.Contains([]string{"", "[]", "false", "0", "0s"}, f.DefValue) {
		s.Default = f.DefValue
	}
	return s
}

// optionSetting returns the setting for an option with a schema.
func optionSetting(schema jsontext.Value) manifest.Setting {
	var p struct {
		Type        any    `json:"type"`
		Description string `json:"description"`
		Default     any    `json:"default"`
		Enum        []any  `json:"enum"`
	}
	_ = json.Unmarshal(schema, &p) // the contract has been checked; what it lacks stays empty
	s := manifest.Setting{Description: p.Description, Type: "string"}
	switch p.Type {
	case "integer", "number":
		s.Type = "number"
	case "boolean":
		s.Type = "boolean"
	}
	text := func(v any) string {
		if t, ok := v.(string); ok {
			return t
		}
		data, _ := json.Marshal(v) // it was decoded from JSON
		return string(data)
	}
	if p.Default != nil {
		s.Default = text(p.Default)
	}
	for _, v := range p.Enum {
		if v != nil {
			s.Choices = append(s.Choices, text(v))
		}
	}
	return s
}
