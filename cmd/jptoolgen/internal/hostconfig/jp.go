package hostconfig

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// jpFormat is the configuration format of JP. A local tool needs its own table, because JP only offers tools
// that the user has listed. An MCP server needs a provider. JP's loader rejects a file with an unknown key.
type jpFormat struct{}

// anyTool holds the defaults for all tools. JP has no default for run.
var anyTool = table{path: []string{"conversation", "tools", "*"}, text: []byte("[conversation.tools.'*']\nrun = \"ask\"\n")}

// snippet writes the defaults for all tools as a comment, because TOML allows a table only once and "jp init"
// writes this table.
func (f jpFormat) snippet(e Entry) ([]byte, error) {
	tables, err := f.tables(e)
	if err != nil {
		return nil, err
	}
	text := ""
	if e.As == JPPlugin {
		name, script, err := e.Plugin()
		if err != nil {
			return nil, err
		}
		text = "# JP runs the executable file " + name + ", which --write writes:\n"
		for line := range bytes.Lines(script) {
			text += "#   " + string(line)
		}
		text += "\n"
	}
	text += "# JP requires this table once; jp init writes it:\n"
	for line := range strings.Lines(string(anyTool.text)) {
		text += "# " + line
	}
	return join(append([]table{{text: []byte(text)}}, tables...)), nil
}

func (f jpFormat) merge(old []byte, e Entry, replace bool) ([]byte, error) {
	tables, err := f.tables(e)
	if err != nil {
		return nil, err
	}
	have, err := parseTOML(old)
	if err != nil {
		return nil, fmt.Errorf("the file is not valid TOML: %w", err)
	}
	if err := checkAnyTool(have); err != nil {
		return nil, err
	}
	listed := toolTables(have)
	all := []table{anyTool}
	for _, t := range tables {
		if t.tool == nil {
			all = append(all, t)
			continue
		}
		for _, name := range e.tablesOf(listed, t.tool.Name) {
			this := t
			this.path = []string{"conversation", "tools", name}
			this.fields = e.fields(*t.tool, name, listed[name])
			this.stale = e.stale(*t.tool, t.text)
			all = append(all, this)
		}
	}
	text, err := addTables(old, all, replace)
	if err != nil {
		return nil, err
	}
	return text, e.broken(text)
}

// checkAnyTool returns an error if a file has a table for all tools that JP rejects.
func checkAnyTool(have map[string]any) error {
	if any, ok := at(have, anyTool.path); ok && !has(any, "run") {
		return errors.New(`[conversation.tools.'*'] has no key "run", so JP cannot start tools; add run = "ask" to it`)
	}
	return nil
}

// toolTables returns the tables of tools in a file, keyed by name.
func toolTables(file map[string]any) map[string]any {
	listed, _ := at(file, []string{"conversation", "tools"})
	tables, _ := listed.(map[string]any)
	tables = maps.Clone(tables)
	delete(tables, "*")
	return tables
}

// tables returns the tables that JP needs for the entry.
func (f jpFormat) tables(e Entry) ([]table, error) {
	if e.URL != "" {
		return nil, errors.New("JP cannot connect to a server by URL; use a target that runs a program")
	}
	if pairs, _, err := e.splitEnv("JP"); err != nil {
		return nil, err
	} else if len(pairs) > 0 {
		return nil, errors.New("JP's configuration cannot set environment variables; set them in the environment of JP, and pass --env NAME")
	}
	if c := e.Contract; c == nil || len(c.Tools) == 0 && (e.As.IsProcess() || len(c.Resources)+len(c.Templates) == 0) {
		return nil, errors.New("JP's configuration must list every tool, but this server has no tools; add a tool to the server, or use another target")
	}
	var all []table
	switch {
	case e.As == JPPlugin:
		if _, _, err := e.Plugin(); err != nil {
			return nil, err
		}
	case e.As != JPLocal:
		if strings.Contains(e.Name, ".") {
			return nil, fmt.Errorf("server name %q contains a dot, which JP does not support; set another name with --name", e.Name)
		}
		all = append(all, f.provider(e))
	}
	for i := range e.Contract.Tools {
		t := &e.Contract.Tools[i]
		var b bytes.Buffer
		if err := f.tool(&b, e, *t); err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.Name, err)
		}
		path := []string{"conversation", "tools", t.Name}
		all = append(all, table{path: path, written: path, text: b.Bytes(), tool: t})
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

// tablesOf returns the names of the tables in JP's file that configure a tool of the server. If there is none, it
// returns the name of the table to add.
func (e Entry) tablesOf(listed map[string]any, tool string) []string {
	var exact, similar []string
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		switch configured, match := e.toolInTable(name, listed[name]); {
		case configured != tool:
		case match == exactMatch:
			exact = append(exact, name)
		case match == similarMatch:
			similar = append(similar, name)
		}
	}
	switch {
	case len(exact) > 0:
		return exact
	case len(similar) == 1 && !slices.Contains(similar, tool):
		return similar
	}
	return []string{tool}
}

// A match tells how sure it is that a table configures a tool of the server.
type match int

const (
	noMatch      match = iota
	similarMatch       // the program has the same name, but another directory or other arguments
	exactMatch
)

// toolInTable returns the name of the server's tool that a table in JP's file configures.
func (e Entry) toolInTable(name string, listed any) (tool string, m match) {
	table, _ := listed.(map[string]any)
	source, _ := table["source"].(string)
	for _, server := range []string{"mcp." + e.Name, "command." + e.Name} {
		if source == server {
			return name, exactMatch
		}
		if tool, ok := strings.CutPrefix(source, server+"."); ok {
			return tool, exactMatch
		}
	}
	if modeOf(source) != JPLocal || len(e.Command) == 0 {
		return "", noMatch
	}
	program, _ := at(table, []string{"command", "program"})
	words, _ := at(table, []string{"command", "args"})
	args, _ := words.([]any)
	tail := len(args) - 4
	if tail < 0 || args[tail] != "call" || args[tail+2] != "{{tool}}" || args[tail+3] != "{{context}}" {
		return "", noMatch
	}
	tool, _ = args[tail+1].(string)
	path, _ := program.(string)
	want := untemplateAll(e.Command)
	switch {
	case path == want[0] && reflect.DeepEqual(ownArguments(args[:tail]), ownArguments(anys(want[1:]))):
		return tool, exactMatch
	case programName(path) == programName(want[0]):
		return tool, similarMatch
	}
	return "", noMatch
}

func programName(path string) string {
	return strings.TrimSuffix(filepath.Base(strings.ReplaceAll(path, `\`, "/")), ".exe")
}

// ownArguments returns the arguments without those that depend on how JP runs the program: --jp and --root.
func ownArguments(args []any) []any {
	all := []any{}
	for i := 0; i < len(args); i++ {
		arg, _ := args[i].(string)
		switch {
		case arg == "--root":
			i++
		case arg == "--jp", strings.HasPrefix(arg, "--jp="), strings.HasPrefix(arg, "--root="):
		default:
			all = append(all, args[i])
		}
	}
	return all
}

func anys(words []string) []any {
	all := make([]any, len(words))
	for i, w := range words {
		all[i] = w
	}
	return all
}

func has(v any, name string) bool {
	m, _ := v.(map[string]any)
	return m[name] != nil
}

// A Broken error lists the parts of a file that make every command of JP fail.
type Broken struct{ Parts []string }

func (b *Broken) Error() string { return strings.Join(b.Parts, "\n") }

// broken returns an error if JP's loader would reject tables of tools in a file, whoever wrote them.
func (e Entry) broken(text []byte) error {
	have, err := parseTOML(text)
	if err != nil {
		return err
	}
	listed := toolTables(have)
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		where := "[" + keys([]string{"conversation", "tools", name}) + "]"
		table, _ := listed[name].(map[string]any)
		source, _ := table["source"].(string)
		kind, _, _ := strings.Cut(source, ".")
		if access, ok := table["access"].(map[string]any); ok {
			if kind == "mcp" || kind == "builtin" {
				parts = append(parts, where+" has access rules, which JP supports only for tools that it starts as processes, so every jp command fails; "+
					"delete the key access")
			}
			for _, section := range slices.Sorted(maps.Keys(access)) {
				if section != "fs" {
					parts = append(parts, fmt.Sprintf(
						"%s has access.%s, which JP does not support, so every jp command fails; delete it", where, section))
				}
			}
		}
		if style, _ := at(table, []string{"style", "parameters"}); style == "tool" && (kind == "mcp" || kind == "builtin") {
			parts = append(parts, where+` has style.parameters = "tool", which JP supports only for tools that it starts as processes, `+
				"so every jp command fails; delete it")
		}
	}
	if len(parts) > 0 {
		return &Broken{parts}
	}
	return nil
}

// Outdated returns notes about the tables in JP's file for tools that the server does not have under this name, for
// tools that run without approval although they are not read-only, and about answers that JP does not use. If a server
// lacks a tool in the file, JP drops the tool, aborts the query, or offers a tool that fails.
func (e Entry) Outdated(file []byte) []string {
	if e.As == "" {
		return nil
	}
	have, _ := parseTOML(bytes.TrimPrefix(file, []byte(mark))) // Merge reports a file that cannot be parsed
	listed := toolTables(have)
	var all []string
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		tool, match := e.toolInTable(name, listed[name])
		if match == noMatch || match == similarMatch && !slices.Contains(e.tablesOf(listed, tool), name) {
			continue
		}
		where := keys([]string{"conversation", "tools", name})
		table, _ := listed[name].(map[string]any)
		now, former, ok := e.Contract.Resolve(tool)
		switch {
		case !ok:
			all = append(all, fmt.Sprintf("[%s] configures tool %s, which %s does not have; delete the table", where, tool, e.Name))
			continue
		case former != nil:
			all = append(all, fmt.Sprintf("[%s] configures %s, a former name of %s; move the settings to the table of %[3]s, and delete this table", where, tool, now.Name))
			continue
		case (table["run"] == "unattended" || table["run"] == "allow") && !isReadOnly(*now):
			all = append(all, fmt.Sprintf("[%s] runs the tool without approval, but the tool is not read-only; set run = \"ask\" to require approval for each call", where))
		}
		questions, _ := table["questions"].(map[string]any)
		for _, id := range slices.Sorted(maps.Keys(questions)) {
			if why := e.unused(*now, id); why != "" && has(questions[id], "answer") {
				all = append(all, fmt.Sprintf("[%s] sets questions.%s.answer, which JP does not use: %s", where, key(id), why))
			}
		}
	}
	if e.As.IsProcess() {
		provider := []string{"providers", "mcp", e.Name}
		uses := func(t any) bool {
			table, _ := t.(map[string]any)
			source, _ := table["source"].(string)
			return source == "mcp."+e.Name || strings.HasPrefix(source, "mcp."+e.Name+".")
		}
		if _, ok := at(have, provider); ok && !slices.ContainsFunc(slices.Collect(maps.Values(listed)), uses) {
			all = append(all, fmt.Sprintf("no tool in the file uses [%s]; delete the table if you do not need it", keys(provider)))
		}
	}
	return all
}

// isReadOnly reports whether a tool changes nothing.
func isReadOnly(t manifest.Tool) bool {
	return t.Annotations.ReadOnly != nil && *t.Annotations.ReadOnly
}
