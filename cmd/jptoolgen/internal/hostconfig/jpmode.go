package hostconfig

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A JPMode is a way in which JP runs the tools of a server.
type JPMode string

// The ways in which JP runs tools.
const (
	JPMCP    JPMode = "mcp"
	JPLocal  JPMode = "local"
	JPPlugin JPMode = "plugin"
)

// JPChange is the date of the version of JP that changed its protocols for tools.
const JPChange = "2026-08-24"

// jpModes describes all modes in the order of the help text, for JP since and before [JPChange].
var jpModes = []struct {
	mode       JPMode
	now, older string
}{
	{
		JPMCP, "JP starts an MCP server with --jp; questions, options, secrets and whole schemas work",
		"Before " + JPChange + ": JP starts an MCP server; questions and options do not work",
	},
	{
		JPLocal, "JP runs the program for each call; questions, options, access rules and formatters work",
		"Before " + JPChange + ": JP runs the program for each call with --jp=outcome-untagged; the same works",
	},
	{
		JPPlugin, "JP runs a script for each call, as a command plugin; questions, options, secrets, access rules and formatters work",
		"Before " + JPChange + ": JP has no command plugins for tools",
	},
}

// JPModes returns all modes in the order of the help text.
func JPModes() []JPMode {
	all := make([]JPMode, len(jpModes))
	for i, m := range jpModes {
		all[i] = m.mode
	}
	return all
}

// IsProcess reports whether JP starts a process for each call, and reads the parameters of the tools from its
// configuration.
func (m JPMode) IsProcess() bool { return m == JPLocal || m == JPPlugin }

// modeOf returns the mode of a table with the given source.
func modeOf(source string) JPMode {
	switch kind, _, _ := strings.Cut(source, "."); kind {
	case "local":
		return JPLocal
	case "command":
		return JPPlugin
	}
	return JPMCP
}

// source returns the source in the table with the given name for a tool of the server.
func (e Entry) source(table, tool string) string {
	switch {
	case e.As == JPLocal:
		return "local"
	case e.As == JPPlugin && table == tool:
		return "command." + e.Name
	case e.As == JPPlugin:
		return "command." + e.Name + "." + tool
	}
	return "mcp." + e.Name + "." + tool
}

// Works describes what works in a mode. older selects the versions of JP before [JPChange].
func (m JPMode) Works(older bool) string {
	for _, d := range jpModes {
		if d.mode == m && older {
			return d.older
		} else if d.mode == m {
			return d.now
		}
	}
	return ""
}

// Works describes what works in the mode of the entry.
func (e Entry) Works() string {
	if e.isPlain() && !e.OlderJP {
		return "JP starts an MCP server without --jp; JP cannot ask questions or pass options to its tools"
	}
	return e.As.Works(e.OlderJP)
}

// ChooseJPMode returns the mode that suits the tools of a server that was built with jptool, and the reason.
func (e Entry) ChooseJPMode() (mode JPMode, why string) {
	secrets, files := e.wants().secrets, e.wants().files
	switch {
	case len(e.Contract.Tools) == 0:
		return JPMCP, "the server has no tools, and JP reads resources only from MCP servers"
	case e.OlderJP:
		return JPLocal, "only local tools can ask questions and get options in this version of JP; to start an MCP server instead, add --as mcp"
	case len(secrets) > 0 && len(files) > 0:
		return JPMCP, fmt.Sprintf("%s asks for a secret, which JP cannot pass to a local tool; to limit the files of %s with access rules instead, add --as local, or add --as plugin for both", names(secrets), names(files))
	case len(secrets) > 0:
		return JPMCP, names(secrets) + " asks for a secret, which JP cannot pass to a local tool; to run the program for each call instead, add --as local"
	case len(files) > 0:
		return JPLocal, "access rules can limit the files of " + names(files) + ", but not in mode mcp; to start an MCP server instead, add --as mcp"
	}
	return JPMCP, "no tool uses files, so none needs access rules, which require local tools; to run the program for each call instead, add --as local"
}

// names joins the names of tools or questions. It shortens a long list.
func names(list []string) string {
	if len(list) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:2], ", "), len(list)-2)
	}
	return strings.Join(list, ", ")
}

// wants holds the names of the tools and questions that use a feature.
type wants struct {
	asks, persons, secrets, visits, options, files, ops []string
	maps, variants, lists                               []string // parameters that JP's configuration cannot describe
}

func (e Entry) wants() wants {
	var w wants
	collect := func(to *[]string, applies bool, name string) {
		if applies {
			*to = append(*to, name)
		}
	}
	for _, t := range e.Contract.Tools {
		collect(&w.asks, len(t.Questions) > 0, t.Name)
		for _, q := range t.Questions {
			name, needs := t.Name+"."+q.ID, question.Kind(q.Kind).Traits().Needs
			collect(&w.persons, q.Exclusive == "person", name)
			collect(&w.secrets, needs == question.NeedsSecrecy, name)
			collect(&w.visits, needs == question.NeedsPage, name)
		}
		collect(&w.options, len(t.Options) > 0, t.Name)
		collect(&w.files, t.Files, t.Name)
		for _, p := range shape.Read(jsontext.Value(t.Input)).Properties {
			collect(&w.ops, p.Name == "ops", t.Name)
			w.parameter(t.Name+"."+p.Name, p.Schema)
		}
	}
	return w
}

// parameter collects the parts of a parameter that JP's configuration cannot describe.
func (w *wants) parameter(name string, s shape.Schema) {
	if len(s.Kinds()) == 0 {
		w.lists = append(w.lists, name)
	}
	if slices.Contains(s.Kinds(), "object") && s.Open {
		w.maps = append(w.maps, name)
	}
	if len(s.Cases) > 1 {
		w.variants = append(w.variants, name)
	}
	switch {
	case s.Items != nil:
		w.parameter(name+"[]", *s.Items)
	case slices.Contains(s.Kinds(), "array"):
		w.parameter(name+"[]", shape.Schema{})
	}
	for _, p := range s.Properties {
		w.parameter(name+"."+p.Name, p.Schema)
	}
}

// isPlain reports whether JP starts the server without its protocol for tools.
func (e Entry) isPlain() bool {
	return e.As == JPMCP && !slices.ContainsFunc(e.Command, func(arg string) bool { return arg == "--jp" || strings.HasPrefix(arg, "--jp=") })
}

// Remarks returns notes about the features of the tools that do not work in the JP mode of the entry.
func (e Entry) Remarks() []string {
	w, plain := e.wants(), e.isPlain()
	var all []string
	add := func(applies bool, format string, list []string) {
		if applies && len(list) > 0 {
			all = append(all, fmt.Sprintf(format, strings.Join(list, ", ")))
		}
	}
	add(plain, "JP cannot ask the questions of %s; the default answer is used, or the call fails with input_unavailable if a question has no default", w.asks)
	add(plain, "JP does not pass options to %s; add them to the arguments of the server: -- --option TOOL.OPTION=VALUE", w.options)
	add(!e.As.IsProcess(), "JP cannot limit the access of MCP tools: %s can use all files below the root directory", w.files)
	add(!plain, "JP cannot open the page of %s; the call fails with input_unavailable", w.visits)
	add(e.As == JPLocal, "JP passes answers to local tools on the command line, where other users of the machine can read them; %s fails with input_unavailable; use --as mcp in a JP since "+JPChange, w.secrets)
	add(!plain, "JP cannot prove that a person answered %s; the call fails with input_unavailable", w.persons)
	add(e.As.IsProcess(), "JP's configuration cannot describe the values of %s, so a model may guess them; the server checks them, and --as mcp passes the whole schema", w.maps)
	add(e.As.IsProcess(), "JP's configuration cannot describe the alternatives of %s, so each alternative accepts the members of the others; the server checks them, and --as mcp passes the whole schema", w.variants)
	add(e.As.IsProcess(), "%s accepts any value, but JP's configuration cannot describe a list in a list there; --as mcp passes the whole schema", w.lists)
	add(!e.OlderJP, "%s has a parameter called ops, which JP's setting fan_out uses as well; rename the parameter, or do not set fan_out for the tool", w.ops)
	return append(all, e.resourceRemarks()...)
}
