package hostconfig

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// jpFormat is the configuration of JP: a provider, and a table for each tool, because JP only offers tools that
// the user has listed. JP's loader rejects a file with an unknown key.
type jpFormat struct{}

// anyTool has the defaults of all tools. JP has no default for run.
var anyTool = table{path: []string{"conversation", "tools", "*"}, text: []byte("[conversation.tools.'*']\nrun = \"ask\"\n")}

func (f jpFormat) snippet(e Entry) ([]byte, error) {
	tables, err := f.tables(e)
	return join(tables), err
}

func (f jpFormat) merge(old []byte, e Entry, replace bool) ([]byte, error) {
	tables, err := f.tables(e)
	if err != nil {
		return nil, err
	}
	have, err := decode(old)
	if err != nil {
		return nil, fmt.Errorf("the file is not valid TOML: %w", err)
	}
	if any, ok := at(have, anyTool.path); ok && !has(any, "run") {
		return nil, errors.New(`[conversation.tools.'*'] has no run, so JP cannot start tools; add run = "ask" to it`)
	}
	if e.Local {
		return addTables(old, tables, replace)
	}
	listed, _ := at(have, []string{"conversation", "tools"})
	return addTables(old, slices.DeleteFunc(tables, func(t table) bool { return listsTool(listed, t) }), replace)
}

// listsTool reports whether the user has listed the tool of a table under another name.
func listsTool(tools any, t table) bool {
	text, err := decode(t.text)
	if err != nil {
		return false
	}
	this, _ := at(text, t.path)
	table, _ := this.(map[string]any)
	source, ok := table["source"]
	if !ok {
		return false
	}
	all, _ := tools.(map[string]any)
	for _, tool := range all {
		if tool, _ := tool.(map[string]any); tool["source"] == source {
			return true
		}
	}
	return false
}

func has(v any, name string) bool {
	m, _ := v.(map[string]any)
	return m[name] != nil
}

// tables returns the tables that JP needs for the entry.
func (f jpFormat) tables(e Entry) ([]table, error) {
	if e.URL != "" {
		return nil, errors.New("JP cannot use a server at an address; give a command")
	}
	if pairs, _, err := e.splitEnv("JP"); err != nil {
		return nil, err
	} else if len(pairs) > 0 {
		return nil, errors.New("JP's configuration cannot set variables; set them where JP is started and use --env NAME")
	}
	if e.Local && len(e.Env) > 0 {
		return nil, errors.New("JP's local tools inherit its whole environment; omit --env")
	}
	if e.Contract == nil || len(e.Contract.Tools) == 0 {
		return nil, errors.New("JP's configuration lists every tool, and the tools of the server are unknown")
	}
	all := []table{anyTool}
	fields := []field{{name: "source"}, {name: "command"}}
	if !e.Local {
		if strings.Contains(e.Name, ".") {
			return nil, fmt.Errorf("server name %q contains a dot, which JP does not support; use --name with another name", e.Name)
		}
		all, fields = append(all, f.provider(e)), fields[:1]
	}
	for _, t := range e.Contract.Tools {
		var b bytes.Buffer
		if err := f.tool(&b, e, t); err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.Name, err)
		}
		all = append(all, table{
			path: []string{"conversation", "tools", t.Name}, text: b.Bytes(), fields: fields,
		})
	}
	return all, nil
}

func (f jpFormat) provider(e Entry) table {
	var b bytes.Buffer
	fmt.Fprintf(&b, "[providers.mcp.%s]\ntype = \"stdio\"\ncommand = %s\n", key(e.Name), str(e.Command[0]))
	if len(e.Command) > 1 {
		fmt.Fprintf(&b, "arguments = %s\n", list(e.Command[1:]))
	}
	if _, names, _ := e.splitEnv("JP"); len(names) > 0 {
		fmt.Fprintf(&b, "variables = %s\n", list(names))
	}
	b.WriteString("startup_timeout_secs = 60 # without it, JP waits forever\n")
	return table{path: []string{"providers", "mcp", e.Name}, text: b.Bytes(), fields: []field{
		{name: "type"}, {name: "command"}, {name: "arguments"}, {name: "variables", grows: true},
	}}
}

func (f jpFormat) tool(b *bytes.Buffer, e Entry, t manifest.Tool) error {
	table := "conversation.tools." + key(t.Name)
	fmt.Fprintf(b, "[%s]\n", table)
	run := "ask"
	if t.Annotations.ReadOnly != nil && *t.Annotations.ReadOnly {
		run = "unattended"
	}
	if e.Local {
		args := append(append([]string{}, e.Command[1:]...), "call", t.Name, "{{tool}}", "{{context}}")
		fmt.Fprintf(b, "source = \"local\"\nrun = %q\nsummary = %s\n", run, str(phrase.FirstSentence(t.Description)))
		fmt.Fprintf(b, "command = { program = %s, args = %s, shell = false }\n", str(e.Command[0]), list(args))
		fmt.Fprintf(b, "description = %s\n", str(t.Description))
	} else {
		fmt.Fprintf(b, "source = %s\nrun = %q\n", str("mcp."+e.Name+"."+t.Name), run)
	}
	for _, q := range t.Questions {
		fmt.Fprintf(b, "questions.%s.target = \"user\" # %s\n", key(q.ID), phrase.OneLine(q.Description))
	}
	options, err := shape.Parse(jsontext.Value(t.Options))
	if err != nil {
		return err
	}
	for _, p := range options.Properties {
		line := fmt.Sprintf("options.%s = ", key(p.Name))
		if text, ok := literal(p.Default); ok {
			fmt.Fprintf(b, "%s%s # %s\n", line, text, phrase.OneLine(p.Description))
		} else {
			fmt.Fprintf(b, "# %s… %s\n", line, phrase.OneLine(p.Description))
		}
	}
	input, err := shape.Parse(jsontext.Value(t.Input))
	if err != nil {
		return err
	}
	for _, p := range input.Properties { // JP ignores deeper levels
		f.parameter(b, table, p, e.Local)
	}
	return nil
}

// parameter writes what JP does not read from the server. JP does not ask a local tool for a schema, and it
// aborts a query if a property has no type.
func (f jpFormat) parameter(b *bytes.Buffer, table string, p shape.Property, local bool) {
	if !local && typed(p.Schema) && (p.Items == nil || typed(*p.Items)) {
		return
	}
	fmt.Fprintf(b, "\n[%s.parameters.%s]\ntype = %s\n", table, key(p.Name), types(p.Schema))
	if local {
		if p.Required {
			b.WriteString("required = true\n")
		}
		fmt.Fprintf(b, "summary = %s\n", str(p.Description))
		if text, ok := choices(p.Schema); ok {
			fmt.Fprintf(b, "enum = %s\n", text)
		}
		if text, ok := literal(p.Default); ok {
			fmt.Fprintf(b, "default = %s\n", text)
		}
	}
	if p.Items != nil {
		fmt.Fprintf(b, "items.type = %s\n", types(*p.Items))
		if text, ok := choices(*p.Items); ok && local {
			fmt.Fprintf(b, "items.enum = %s\n", text)
		}
	}
}
