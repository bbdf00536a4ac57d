package hostconfig

import (
	"bytes"
	"maps"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// fields returns the keys that must match in a table of JP's file that configures a tool.
func (e Entry) fields(t manifest.Tool, name string, listed any) []field {
	have, _ := listed.(map[string]any)
	source, _ := have["source"].(string)
	moves := have != nil && modeOf(source) != e.As // the table was written for another mode
	_, ours := e.toolInTable(name, listed)
	all := []field{
		{name: "questions", merge: func(have, _ any) any {
			return e.without(have, ours, func(id string) bool { return !knowsQuestion(t, id) })
		}},
		{name: "options", merge: func(have, _ any) any {
			options := shape.Read(t.Options)
			return e.without(have, ours, func(name string) bool { _, ok := options.Property(name); return !ok })
		}},
	}
	if e.As.IsProcess() {
		return append([]field{
			{name: "command"},
			{name: "source", merge: func(any, any) any {
				if e.As == JPLocal && modeOf(source) == JPLocal || source == e.source("", t.Name) {
					return source
				}
				return e.source(name, t.Name)
			}},
			{name: "style", merge: func(have, want any) any { return sameFormat(have, want, moves) }},
			{name: "format", merge: func(have, want any) any {
				if moves && have == nil {
					return want
				}
				return have
			}},
			{name: "parameters", merge: keepWords},
			{name: "summary", kept: true}, {name: "description", kept: true},
		}, all...)
	}
	style, _ := have["style"].(map[string]any)
	formats := isFormat(style["parameters"]) || style["parameters"] == "tool"
	full := e.local(t)
	keep := func(key string) func(have, _ any) any {
		return func(have, _ any) any {
			if moves && reflect.DeepEqual(have, full[key]) {
				return nil
			}
			return have
		}
	}
	return append([]field{
		{name: "source", merge: func(have, want any) any {
			if have == "mcp."+e.Name && name == t.Name {
				return have
			}
			return want
		}},
		{name: "command"},
		// JP rejects a file that sets access for an MCP tool.
		{name: "access"},
		{name: "style", merge: func(have, _ any) any {
			style, _ := have.(map[string]any)
			if !formats {
				return have
			}
			style = maps.Clone(style)
			delete(style, "parameters")
			return orNil(style)
		}},
		{name: "format", merge: func(have, _ any) any {
			if formats && have == "unattended" {
				return nil
			}
			return have
		}},
		{name: "parameters", merge: func(have, want any) any { return e.overrides(t, full, moves, have, want) }},
		{name: "summary", merge: keep("summary")}, {name: "description", merge: keep("description")},
	}, all...)
}

// stale returns the comments that only the other modes write to the table of a tool. A rule for access in the table of
// an MCP tool would make every command of JP fail.
func (e Entry) stale(t manifest.Tool, text []byte) []string {
	var all []string
	for _, e.As = range JPModes() {
		var b bytes.Buffer
		if (jpFormat{}).tool(&b, e, t) != nil {
			return nil
		}
		for line := range bytes.Lines(b.Bytes()) {
			if line = bytes.TrimSpace(line); bytes.HasPrefix(line, []byte("#")) && !bytes.Contains(text, line) {
				all = append(all, string(line))
			}
		}
	}
	return all
}

// local returns the table of a tool as a local tool, which describes all parameters.
func (e Entry) local(t manifest.Tool) map[string]any {
	var b bytes.Buffer
	e.As = JPLocal
	if (jpFormat{}).tool(&b, e, t) != nil {
		return nil
	}
	file, _ := parseTOML(b.Bytes())
	v, _ := at(file, []string{"conversation", "tools", t.Name})
	table, _ := v.(map[string]any)
	return table
}

// without returns a table without the entries that the tool does not know. If the table is not ours, it keeps all
// entries. The contract of a server that was not built with jptool has neither questions nor options, so it says
// nothing about them.
func (e Entry) without(have any, ours match, unknown func(name string) bool) any {
	table, ok := have.(map[string]any)
	if !ok || ours == noMatch || e.Contract.Listed {
		return have
	}
	table = maps.Clone(table)
	maps.DeleteFunc(table, func(name string, _ any) bool { return unknown(name) })
	return orNil(table)
}

// isFormat reports whether a style formats the arguments with a program built with jptool.
func isFormat(parameters any) bool {
	command, _ := parameters.(map[string]any)
	args, _ := command["args"].([]any)
	return len(args) >= 4 && args[len(args)-4] == "format" && args[len(args)-2] == "{{tool}}"
}

// sameFormat returns the style of a table. If it formats the arguments with a program built with jptool, or if the
// table was written for another mode, the new style has the program and flags of the new command, because JP does not
// call a tool whose arguments it cannot format. Another style belongs to the user.
func sameFormat(have, want any, moves bool) any {
	style, _ := have.(map[string]any)
	if p := style["parameters"]; !isFormat(p) && (!moves || p != nil && p != "tool") {
		return have
	}
	all := map[string]any{}
	maps.Copy(all, style)
	all["parameters"], _ = at(want.(map[string]any), []string{"parameters"})
	return all
}

// generated are the keys of a parameter that this package writes. Descriptions may have been changed by the user, to
// whom all other keys belong.
var generated = []string{"type", "required", "enum", "default", "items", "properties"}

// keepWords returns the wanted parameters. An existing parameter keeps its descriptions, because the user may have
// changed them.
func keepWords(have, want any) any {
	old, _ := have.(map[string]any)
	parameters, ok := want.(map[string]any)
	if !ok {
		return want
	}
	all := map[string]any{}
	for name, p := range parameters {
		all[name] = keepWordsOf(old[name], p)
	}
	return all
}

// keepWordsOf is like keepWords, but for one parameter or for the items of a list.
func keepWordsOf(have, want any) any {
	old, inFile := have.(map[string]any)
	p, ok := want.(map[string]any)
	if !inFile || !ok {
		return want
	}
	all := map[string]any{}
	for name, v := range old {
		if !slices.Contains(generated, name) {
			all[name] = v
		}
	}
	for _, name := range generated {
		if p[name] != nil {
			all[name] = p[name]
		}
	}
	if p["properties"] != nil {
		all["properties"] = keepWords(old["properties"], p["properties"])
	}
	if p["items"] != nil {
		all["items"] = keepWordsOf(old["items"], p["items"])
	}
	return all
}

// overrides returns the parameters of an MCP tool's table: the wanted ones, and those that the user has written. JP
// takes all others from the server. It offers a parameter that the server does not have, and drops a tool whose
// configuration contradicts the type of a parameter. full is the table of the tool as a local tool, and moves means
// that the table was written for a local tool.
func (e Entry) overrides(t manifest.Tool, full map[string]any, moves bool, have, want any) any {
	old, _ := have.(map[string]any)
	all := map[string]any{}
	if kept, ok := keepWords(have, want).(map[string]any); ok {
		all = kept
	}
	input := shape.Read(jsontext.Value(t.Input))
	printed, _ := full["parameters"].(map[string]any)
	for name, override := range old {
		p, known := input.Property(name)
		if !known || all[name] != nil || reflect.DeepEqual(override, printed[name]) {
			continue
		}
		kept := own(override, printed[name])
		if !moves {
			kept = agreeing(override, printed[name], len(p.Types) > 0)
		}
		if kept != nil && e.OlderJP && kept["type"] == nil { // there, an override without a type removes the type
			kept["type"], _ = at(printed, []string{name, "type"})
		}
		if kept != nil {
			all[name] = kept
		}
	}
	return orNil(all)
}

// agreeing returns a parameter that the user has written, without the parts that contradict the contract. typed is set
// if the schema of the server declares a type. agreeing returns nil if nothing remains.
func agreeing(have, printed any, typed bool) map[string]any {
	h, _ := have.(map[string]any)
	p, known := printed.(map[string]any)
	if !known {
		return h
	}
	if typed && h["type"] != nil && !sameTypes(h["type"], p["type"]) {
		return own(have, printed)
	}
	all := maps.Clone(h)
	if all["items"] != nil && p["items"] != nil {
		all["items"] = agreeing(all["items"], p["items"], isTyped(p["items"]))
	}
	members, _ := all["properties"].(map[string]any)
	if expected, _ := p["properties"].(map[string]any); len(expected) > 0 {
		kept := map[string]any{}
		for name, member := range members {
			if m := agreeing(member, expected[name], isTyped(expected[name])); expected[name] != nil && m != nil {
				kept[name] = m
			}
		}
		all["properties"] = orNil(kept)
	}
	maps.DeleteFunc(all, func(_ string, v any) bool {
		m, isTable := v.(map[string]any)
		return v == nil || isTable && len(m) == 0
	})
	if len(all) == 0 {
		return nil
	}
	return all
}

// own returns the keys of a parameter that only the user can have written, or nil if there are none.
func own(have, printed any) map[string]any {
	all := map[string]any{}
	h, _ := have.(map[string]any)
	p, _ := printed.(map[string]any)
	for name, v := range h {
		if !slices.Contains(generated, name) && !reflect.DeepEqual(v, p[name]) {
			all[name] = v
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// isTyped reports whether a printed parameter does not accept any value.
func isTyped(printed any) bool {
	p, _ := printed.(map[string]any)
	return !sameTypes(p["type"], anys(anyTypes)) && !sameTypes(p["type"], anys(anyTypes[1:]))
}

// sameTypes reports whether two values of the key type mean the same. The order of a list has no meaning.
func sameTypes(a, b any) bool {
	set := func(v any) map[any]bool {
		all := map[any]bool{}
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, t := range list {
			if name, ok := t.(string); ok {
				all[name] = true
			}
		}
		return all
	}
	return maps.Equal(set(a), set(b))
}
