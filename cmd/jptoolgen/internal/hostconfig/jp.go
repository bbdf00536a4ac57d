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

// jpFormat is JP's configuration: a provider, and a table for each tool, since JP
// offers no tool that its user has not listed. JP's loader refuses a file with a
// key it does not know.
type jpFormat struct{}

// anyTool has the defaults of all tools; JP has no default of its own for run.
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
		return nil, fmt.Errorf("the file is not TOML: %w", err)
	}
	if any, ok := at(have, anyTool.path); ok && !has(any, "run") {
		return nil, errors.New(`[conversation.tools.'*'] says nothing of run, without which JP starts no tool: add run = "ask" to it`)
	}
	if e.Local {
		return addTables(old, tables, replace)
	}
	listed, _ := at(have, []string{"conversation", "tools"})
	return addTables(old, slices.DeleteFunc(tables, func(t table) bool { return listsTool(listed, t) }), replace)
}

// listsTool reports whether tools have the one of a table under a name of their user's.
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

// tables returns what JP must be told of the entry.
func (f jpFormat) tables(e Entry) ([]table, error) {
	if e.URL != "" {
		return nil, errors.New("JP starts servers itself: name a command, not an address")
	}
	if pairs, _, err := e.handedOn("JP"); err != nil {
		return nil, err
	} else if len(pairs) > 0 {
		return nil, errors.New("JP's configuration sets no variables: set them where JP is started, and write --env NAME")
	}
	if e.Local && len(e.Env) > 0 {
		return nil, errors.New("JP's local tools have its whole environment: leave --env out")
	}
	if e.Contract == nil || len(e.Contract.Tools) == 0 {
		return nil, errors.New("JP's configuration lists every tool, and no tool of the server is known")
	}
	all := []table{anyTool}
	words := []word{{name: "source"}, {name: "command"}}
	if !e.Local {
		if strings.Contains(e.Name, ".") {
			return nil, fmt.Errorf("JP takes what stands before a dot for the server of a tool: give %q a name without one by --name", e.Name)
		}
		all, words = append(all, f.provider(e)), words[:1]
	}
	for _, t := range e.Contract.Tools {
		var b bytes.Buffer
		if err := f.tool(&b, e, t); err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.Name, err)
		}
		all = append(all, table{
			path: []string{"conversation", "tools", t.Name}, text: b.Bytes(), words: words,
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
	if _, names, _ := e.handedOn("JP"); len(names) > 0 {
		fmt.Fprintf(&b, "variables = %s\n", list(names))
	}
	b.WriteString("startup_timeout_secs = 60 # unset means to wait for ever\n")
	return table{path: []string{"providers", "mcp", e.Name}, text: b.Bytes(), words: []word{
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
	for _, p := range input.Properties { // JP loses what lies deeper
		f.parameter(b, table, p, e.Local)
	}
	return nil
}

// parameter writes what JP does not learn from the server. It asks a local tool for
// no schema, and gives up a query over a property without a type.
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
