// Package hostconfig writes configuration entries for MCP hosts.
//
// A [Host] knows the path and the format of the configuration file, and adds a server to it without losing
// existing content.
package hostconfig

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// An Entry describes how a host starts a server or connects to it.
type Entry struct {
	// Name is the name of the server in the host.
	Name string
	// Command is the program and its arguments. It is empty for a server at URL.
	Command []string
	// Env holds environment variables for the program in the form NAME=VALUE. ${NAME} in a value refers to a
	// variable of the host's environment and is written in the syntax of the host. A literal secret is an error.
	Env []string
	// Root is the absolute root directory of the tools. If it is empty, the host chooses it.
	Root string
	// Project is set if Root is the user's project. For hosts that have a variable for the project, that
	// variable is written instead.
	Project bool
	// URL is the URL of a running server.
	URL string
	// Contract is the contract of the server. Hosts that list tools in their configuration need it.
	Contract *manifest.Server
	// As is the mode in which JP runs the tools. Other hosts ignore it.
	As JPMode
	// OlderJP is set for versions of JP before [JPChange].
	OlderJP bool
}

// Places holds the directories that contain configuration files.
type Places struct {
	// Project is the root of the user's project.
	Project string
	// Home is the user's home directory.
	Home string
	// Config is the user's configuration directory, as returned by os.UserConfigDir.
	Config string
}

// A Host is a program that starts MCP servers.
type Host struct {
	// Name is the name of the host on the command line.
	Name string
	// Title is the name of the host in text for people.
	Title string
	// project and user return the paths of the configuration files of a project and of the user. Either is nil
	// if the host has no such file. Entries are written to the project's file if both exist.
	project, user func(Places) string
	kind          format
	// root is the host's variable for the user's project, or "" if it has none.
	root string
}

// A format writes entries in the configuration format of a host.
type format interface {
	// snippet returns a file that contains only the entry.
	snippet(Entry) ([]byte, error)
	// merge adds the entry to a file, or changes the existing entry with the same name.
	merge(old []byte, e Entry, replace bool) ([]byte, error)
}

// Hosts returns all known hosts in the order of the help text.
func Hosts() []Host {
	home := func(elem ...string) func(Places) string {
		return func(p Places) string { return filepath.Join(append([]string{p.Home}, elem...)...) }
	}
	config := func(elem ...string) func(Places) string {
		return func(p Places) string { return filepath.Join(append([]string{p.Config}, elem...)...) }
	}
	project := func(elem ...string) func(Places) string {
		return func(p Places) string { return filepath.Join(append([]string{p.Project}, elem...)...) }
	}
	braces := func(prefix string) func(name string) string {
		return func(name string) string { return "${" + prefix + name + "}" }
	}
	zed := config("zed", "settings.json")
	if runtime.GOOS == "darwin" {
		zed = home(".config", "zed", "settings.json")
	}
	return []Host{
		{Name: "jp", Title: "JP", project: project(".jp", "config.toml"), kind: jpFormat{}},
		{Name: "claude-desktop", Title: "Claude Desktop", user: config("Claude", "claude_desktop_config.json"), kind: jsonFormat{
			member:  "mcpServers",
			instead: "Claude Desktop's configuration file cannot refer to environment variables, and its servers inherit only a few of them; write a script that sets the variable and starts the server, and use --command SCRIPT",
		}},
		{Name: "claude-code", Title: "Claude Code", project: project(".mcp.json"), user: home(".claude.json"), kind: jsonFormat{
			member: "mcpServers", stdio: "stdio", remote: "http", url: "url", reference: braces(""),
		}, root: "${CLAUDE_PROJECT_DIR:-.}"},
		{Name: "vscode", Title: "VS Code", project: project(".vscode", "mcp.json"), user: config("Code", "User", "mcp.json"), kind: jsonFormat{
			member: "servers", stdio: "stdio", remote: "http", url: "url", reference: braces("env:"), inputs: true,
		}, root: "${workspaceFolder}"},
		{Name: "cursor", Title: "Cursor", project: project(".cursor", "mcp.json"), user: home(".cursor", "mcp.json"), kind: jsonFormat{
			member: "mcpServers", url: "url", reference: braces("env:"),
		}, root: "${workspaceFolder}"},
		{Name: "codex", Title: "Codex", user: home(".codex", "config.toml"), kind: codexFormat{}},
		{Name: "zed", Title: "Zed", user: zed, kind: jsonFormat{
			member: "context_servers", url: "url",
			instead: "Zed's settings cannot refer to environment variables, but its servers inherit all of them; omit --env, and set the variable in the environment of Zed",
		}},
		{Name: "gemini", Title: "Gemini CLI", project: project(".gemini", "settings.json"), user: home(".gemini", "settings.json"), kind: jsonFormat{
			member: "mcpServers", url: "httpUrl", reference: braces(""),
		}},
	}
}

// Find returns the host with the given name.
func Find(name string) (Host, bool) {
	for _, h := range Hosts() {
		if h.Name == name {
			return h, true
		}
	}
	return Host{}, false
}

// Path returns the path of the configuration file to write.
func (h Host) Path(p Places) string {
	if h.project != nil {
		return h.project(p)
	}
	return h.user(p)
}

// NamesProject reports whether the host has a variable for the user's project.
func (h Host) NamesProject() bool { return h.root != "" }

// Snippet returns a file that contains only the entry.
func (h Host) Snippet(e Entry) ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	return h.kind.snippet(h.complete(e))
}

// mark is a byte order mark, which some editors write at the start of a file.
const mark = "\ufeff"

// Merge returns the text of a configuration file with the entry added. Comments and other content stay
// unchanged. If the file already contains the entry, Merge returns it unchanged. If it contains a different
// entry with the same name, Merge returns a [Conflict], or replaces the differing values if replace is set.
// Members that this package does not write belong to the user and stay unchanged. New lines have the same line
// endings as the file. Merge returns an error if the file is not in the host's format.
func (h Host) Merge(old []byte, e Entry, replace bool) ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	return keepForm(old, func(text []byte) ([]byte, error) { return h.kind.merge(text, h.complete(e), replace) })
}

// keepForm changes a file without its byte order mark and with Unix line endings, and restores both.
func keepForm(old []byte, edit func(text []byte) ([]byte, error)) ([]byte, error) {
	text, marked := bytes.CutPrefix(old, []byte(mark))
	lines := bytes.Count(text, []byte("\n"))
	windows := lines > 0 && lines == bytes.Count(text, []byte("\r\n"))
	if windows {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	text, err := edit(text)
	if windows && err == nil {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	if marked && err == nil {
		text = append([]byte(mark), text...)
	}
	return text, err
}

// complete returns the entry with references to the secrets that the server requires, and with the --root
// argument if it has a root.
func (h Host) complete(e Entry) Entry {
	if h.canRefer() {
		e.Env = append(slices.Clip(e.Env), e.missing()...)
	}
	if e.Root == "" {
		return e
	}
	root := e.Root
	if e.Project && h.root != "" {
		root = h.root
	}
	e.Command = append(slices.Clone(e.Command), "--root", root)
	return e
}

func (e Entry) check() error {
	if e.Name == "" {
		return errors.New("the server has no name; set one with --name")
	}
	if (len(e.Command) == 0) == (e.URL == "") {
		return fmt.Errorf("server %s: set either a command or a URL", e.Name)
	}
	return e.checkSecrets()
}
