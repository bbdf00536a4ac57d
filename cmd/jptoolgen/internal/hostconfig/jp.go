package hostconfig

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A JPMode is a way in which JP runs the tools of a server.
type JPMode string

const (
	JPLocal JPMode = "local"
	JPMCP   JPMode = "mcp"
	JPD31   JPMode = "mcp-d31"
)

// JPModes returns all modes in the order of the help text.
func JPModes() []JPMode { return []JPMode{JPLocal, JPMCP, JPD31} }

// Works describes which features work in which version of JP.
func (m JPMode) Works() string {
	switch m {
	case JPLocal:
		return "JP runs the program for each call; questions, options and access work in every version of JP that has local tools"
	case JPMCP:
		return "JP starts an MCP server; this works in every version of JP, but without questions, options or access"
	default:
		return "JP starts an MCP server with --jp; questions and options require RFD D31, which JP did not support in August 2026"
	}
}

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
	text := "# JP requires this table once; jp init writes it:\n"
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
	if any, ok := at(have, anyTool.path); ok && !has(any, "run") {
		return nil, errors.New(`[conversation.tools.'*'] has no key "run", so JP cannot start tools; add run = "ask" to it`)
	}
	listed, _ := at(have, []string{"conversation", "tools"})
	tables = slices.DeleteFunc(tables, func(t table) bool { return listsTool(listed, t) })
	return addTables(old, append([]table{anyTool}, tables...), replace)
}

// listsTool reports whether the user has listed the tool of a table only under another name. In that case, the first
// field (the source or the command) has the same value in both tables.
func listsTool(tools any, t table) bool {
	text, err := parseTOML(t.text)
	all, ok := tools.(map[string]any)
	if t.path[0] != "conversation" || err != nil || !ok {
		return false
	}
	this, _ := at(text, append(slices.Clone(t.path), t.fields[0].name))
	lists := func(tool any) bool {
		tables, _ := tool.(map[string]any)
		return reflect.DeepEqual(tables[t.fields[0].name], this)
	}
	return !lists(all[t.path[len(t.path)-1]]) && slices.ContainsFunc(slices.Collect(maps.Values(all)), lists)
}

// Outdated returns notes about the tables in JP's file for tools that the server no longer has under this name, and
// for tools that run without approval although they are not read-only. JP aborts every query if an MCP server lacks a
// tool in the file.
func (e Entry) Outdated(file []byte) []string {
	if e.As == "" {
		return nil
	}
	have, _ := parseTOML(bytes.TrimPrefix(file, []byte(mark))) // Merge reports a file that cannot be parsed
	listed, _ := at(have, []string{"conversation", "tools"})
	tables, _ := listed.(map[string]any)
	var all []string
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		tool, ok := e.toolInTable(name, tables[name])
		if !ok {
			continue
		}
		where := keys([]string{"conversation", "tools", name})
		table, _ := tables[name].(map[string]any)
		if now, former, ok := e.Contract.Resolve(tool); !ok {
			all = append(all, fmt.Sprintf("[%s] configures tool %s, which %s does not have; delete the table", where, tool, e.Name))
		} else if former != nil {
			all = append(all, fmt.Sprintf("[%s] configures %s, a former name of %s; move the settings to the table of %[3]s, and delete this table", where, tool, now.Name))
		} else if table["run"] == "unattended" && !isReadOnly(*now) {
			all = append(all, fmt.Sprintf("[%s] runs the tool without approval, but the tool is not read-only; set run = \"ask\" to require approval for each call", where))
		}
	}
	return all
}

// toolInTable returns the name of the server's tool that a table in JP's file configures.
func (e Entry) toolInTable(name string, listed any) (tool string, ok bool) {
	table, _ := listed.(map[string]any)
	if e.As != JPLocal {
		source, _ := table["source"].(string)
		if source == "mcp."+e.Name {
			return name, true
		}
		return strings.CutPrefix(source, "mcp."+e.Name+".")
	}
	args, _ := at(table, []string{"command", "args"})
	if args, _ := args.([]any); len(args) >= 3 {
		tool, _ = args[len(args)-3].(string)
	}
	want, err := parseTOML([]byte("command = " + e.jpCommand("call", manifest.Tool{Name: tool})))
	return tool, err == nil && reflect.DeepEqual(want["command"], table["command"])
}

func has(v any, name string) bool {
	m, _ := v.(map[string]any)
	return m[name] != nil
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
	if e.Contract == nil || len(e.Contract.Tools) == 0 {
		return nil, errors.New("JP's configuration must list every tool, but this server has no tools; add a tool to the server, or use another target")
	}
	var all []table
	fields := []field{
		{name: "command"}, {name: "source"}, {name: "style", merge: sameFormat}, {name: "parameters", merge: keepWords},
		{name: "summary", kept: true}, {name: "description", kept: true},
	}
	if e.As != JPLocal {
		if strings.Contains(e.Name, ".") {
			return nil, fmt.Errorf("server name %q contains a dot, which JP does not support; set another name with --name", e.Name)
		}
		// JP rejects a file that sets access for an MCP tool, so an existing access key is removed.
		all, fields = append(all, f.provider(e)), []field{{name: "source"}, {name: "command"}, {name: "access"}}
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

// Remarks returns notes about the features that the JP mode of the entry does not support.
func (e Entry) Remarks() []string {
	var asks, persons, secrets, visits, options, files, all []string
	collect := func(to *[]string, applies bool, name string) {
		if applies {
			*to = append(*to, name)
		}
	}
	for _, t := range e.Contract.Tools {
		collect(&asks, len(t.Questions) > 0, t.Name)
		for _, q := range t.Questions {
			name := t.Name + "." + q.ID
			collect(&persons, q.Exclusive == "person", name)
			collect(&secrets, q.Kind == "secret", name)
			collect(&visits, q.Kind == "visit", name)
		}
		collect(&options, len(t.Options) > 0, t.Name)
		collect(&files, t.Files, t.Name)
	}
	add := func(applies bool, format string, names []string) {
		if applies && len(names) > 0 {
			all = append(all, fmt.Sprintf(format, strings.Join(names, ", ")))
		}
	}
	add(e.As == JPMCP, "JP cannot ask the questions of %s; the default answer is used, or the call fails with input_unavailable if a question has no default", asks)
	add(e.As == JPMCP, "JP does not pass options to %s; add them to the arguments of the server: -- --option TOOL.OPTION=VALUE", options)
	add(e.As != JPLocal, "JP cannot limit the access of MCP tools: %s can use all files below the root directory", files)
	add(e.As != JPMCP, "JP cannot open the page of %s; the call fails with input_unavailable", visits)
	add(e.As != JPMCP && !slices.Contains(e.Command, "--jp=outcome-082"), "versions of JP without RFD 082 would show the answer to %s; the call fails with input_unavailable", secrets)
	add(e.As != JPMCP, "JP cannot prove that a person answered %s; the call fails with input_unavailable", persons)
	return all
}
