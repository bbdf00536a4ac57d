package hostconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/jptool/jptool/sdk/manifest"
)

// jpFormat is JP's configuration: a provider, and a table for each tool, since JP
// offers no tool that its user has not listed. JP's loader refuses a file with a
// key it does not know.
type jpFormat struct{}

// anyTool has the defaults of all tools; JP has no default of its own for run.
const anyTool = "[conversation.tools.'*']\nrun = \"ask\"\n"

func (f jpFormat) snippet(e Entry) ([]byte, error) {
	text, _, err := f.tables(e)
	if err != nil {
		return nil, err
	}
	return append([]byte(anyTool+"\n"), text...), nil
}

func (f jpFormat) merge(old []byte, e Entry) ([]byte, error) {
	text, tables, err := f.tables(e)
	if err != nil {
		return nil, err
	}
	var have map[string]any
	if _, err := toml.Decode(string(old), &have); err != nil {
		return nil, fmt.Errorf("the file is not TOML: %w", err)
	}
	if _, ok := at(have, []string{"conversation", "tools", "*", "run"}); !ok {
		if _, ok := at(have, []string{"conversation", "tools", "*"}); ok {
			return nil, errors.New(`[conversation.tools.'*'] says nothing of run, without which JP starts no tool: add run = "ask" to it`)
		}
		text = append([]byte(anyTool+"\n"), text...)
		tables = append(tables, []string{"conversation", "tools", "*"})
	}
	return addTables(old, text, tables)
}

// tables returns the text of the entry's tables, and their paths.
func (f jpFormat) tables(e Entry) ([]byte, [][]string, error) {
	if e.URL != "" {
		return nil, nil, errors.New("JP starts servers itself: name a command, not an address")
	}
	if len(e.Env) > 0 {
		return nil, nil, errors.New("JP's configuration sets no variables; servers inherit JP's own environment")
	}
	if e.Contract == nil || len(e.Contract.Tools) == 0 {
		return nil, nil, errors.New("JP's configuration lists every tool, and no tool of the server is known")
	}
	var b bytes.Buffer
	var paths [][]string
	if !e.Local {
		paths = append(paths, []string{"providers", "mcp", e.Name})
		fmt.Fprintf(&b, "[providers.mcp.%s]\ntype = \"stdio\"\ncommand = %s\n", key(e.Name), str(e.Command[0]))
		if len(e.Command) > 1 {
			fmt.Fprintf(&b, "arguments = %s\n", list(e.Command[1:]))
		}
		b.WriteString("startup_timeout_secs = 60 # unset means to wait for ever\n")
	}
	for i, t := range e.Contract.Tools {
		if i > 0 || !e.Local {
			b.WriteByte('\n')
		}
		paths = append(paths, []string{"conversation", "tools", t.Name})
		f.tool(&b, e, t)
	}
	return b.Bytes(), paths, nil
}

func (f jpFormat) tool(b *bytes.Buffer, e Entry, t manifest.Tool) {
	table := "conversation.tools." + key(t.Name)
	fmt.Fprintf(b, "[%s]\n", table)
	run := "ask"
	if t.Annotations.ReadOnly != nil && *t.Annotations.ReadOnly {
		run = "unattended"
	}
	if e.Local {
		args := append(append([]string{}, e.Command[1:]...), "call", t.Name, "{{tool}}", "{{context}}")
		fmt.Fprintf(b, "source = \"local\"\nrun = %q\nsummary = %s\n", run, str(firstSentence(t.Description)))
		fmt.Fprintf(b, "command = { program = %s, args = %s, shell = false }\n", str(e.Command[0]), list(args))
		fmt.Fprintf(b, "description = %s\n", str(t.Description))
	} else {
		fmt.Fprintf(b, "source = %s\nrun = %q\n", str("mcp."+e.Name+"."+t.Name), run)
	}
	for _, q := range t.Questions {
		fmt.Fprintf(b, "questions.%s.target = \"user\" # %s\n", key(q.ID), comment(q.Description))
	}
	for _, p := range properties(t.Options) {
		line := fmt.Sprintf("options.%s = ", key(p.name))
		if text, ok := value(p.fields["default"]); ok {
			fmt.Fprintf(b, "%s%s # %s\n", line, text, comment(p.description()))
		} else {
			fmt.Fprintf(b, "# %s… %s\n", line, comment(p.description()))
		}
	}
	for _, p := range properties(t.Input) {
		f.parameter(b, table, p, e.Local)
	}
}

// parameter writes what JP does not learn from the server. It asks a local tool for
// no schema, and sends a property without a type to no model.
func (f jpFormat) parameter(b *bytes.Buffer, table string, p property, local bool) {
	kind, typed := p.fields["type"].(string)
	if typed && !local {
		return
	}
	if !typed {
		kind = typeOf(p.fields)
	}
	fmt.Fprintf(b, "\n[%s.parameters.%s]\ntype = %q\n", table, key(p.name), kind)
	if !local {
		return
	}
	if p.required {
		b.WriteString("required = true\n")
	}
	fmt.Fprintf(b, "summary = %s\n", str(p.description()))
	for _, word := range []string{"enum", "default"} {
		if text, ok := value(p.fields[word]); ok {
			fmt.Fprintf(b, "%s = %s\n", word, text)
		}
	}
	if items, ok := p.fields["items"].(map[string]any); ok {
		if kind, ok := items["type"].(string); ok {
			fmt.Fprintf(b, "items.type = %q\n", kind)
		}
		if text, ok := value(items["enum"]); ok {
			fmt.Fprintf(b, "items.enum = %s\n", text)
		}
	}
}

// A property is a member of an object's schema.
type property struct {
	name     string
	required bool
	fields   map[string]any
}

func (p property) description() string {
	text, _ := p.fields["description"].(string)
	return text
}

// properties returns those of an object's schema, in its order.
func properties(schema manifest.Schema) []property {
	var s struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if len(schema) == 0 || json.Unmarshal(schema, &s) != nil || len(s.Properties) == 0 {
		return nil
	}
	required := map[string]bool{}
	for _, name := range s.Required {
		required[name] = true
	}
	d := json.NewDecoder(bytes.NewReader(s.Properties))
	d.UseNumber()
	var all []property
	if _, err := d.Token(); err != nil {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return all
		}
		p := property{name: fmt.Sprint(name)}
		p.required = required[p.name]
		var v any
		if d.Decode(&v) != nil {
			return all
		}
		p.fields, _ = v.(map[string]any)
		all = append(all, p)
	}
	return all
}

// typeOf guesses the type of a schema that has none, from its constants.
func typeOf(fields map[string]any) string {
	values, _ := fields["enum"].([]any)
	if c, ok := fields["const"]; ok {
		values = append(values, c)
	}
	for _, v := range values {
		switch v.(type) {
		case bool:
			return "boolean"
		case json.Number:
			return "number"
		}
	}
	if _, ok := fields["properties"]; ok {
		return "object"
	}
	if _, ok := fields["items"]; ok {
		return "array"
	}
	return "string"
}

// comment makes a text fit behind a #.
func comment(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == ' ' }), " ")
}

// firstSentence returns the first sentence of a text, which JP shows to models that
// have not asked for more.
func firstSentence(text string) string {
	text = comment(text)
	if i := strings.Index(text, ". "); i >= 0 {
		return text[:i+1]
	}
	return text
}
