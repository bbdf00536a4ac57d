// Package hostconfig is what a host's configuration says of a server.
//
// A [Host] knows the file that its users configure, the words in it, and how to
// put a server there without losing what stands in it already.
package hostconfig

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// An Entry is a server as a host is to start it.
type Entry struct {
	// Name is what the host calls the server.
	Name string
	// Command is the program and its arguments; empty for a server at URL.
	Command []string
	// Env are variables for the program, each NAME=VALUE. ${NAME} in a value stands for a variable of the
	// host's environment, which the file refers to in the host's own way. A secret is never written.
	Env []string
	// Root is the directory that tools work in, absolute; "" leaves it to the host.
	Root string
	// Project says that Root is the user's project. Hosts with a word for that are told by it.
	Project bool
	// URL is that of a server that runs already.
	URL string
	// Contract is what the server publishes. Hosts that list tools in their
	// configuration need it.
	Contract *manifest.Server
	// Local makes tools that JP runs as commands, without MCP.
	Local bool
}

// Places are directories that configuration lies in.
type Places struct {
	// Project is the root of the user's project.
	Project string
	// Home is the user's home directory.
	Home string
	// Config is the user's directory for configuration, as os.UserConfigDir has it.
	Config string
}

// A Host is a program that starts servers.
type Host struct {
	// Name is how the command line calls it.
	Name string
	// Title is its name in prose.
	Title string
	path  func(Places) string
	kind  format
	// project is what stands for the user's project in the host's file, "" for a host without.
	project string
}

// A format writes entries in a host's language.
type format interface {
	// snippet is a whole file that configures the entry alone.
	snippet(Entry) ([]byte, error)
	// merge adds the entry to a file, or changes the one that is there under its name.
	merge(old []byte, e Entry, replace bool) ([]byte, error)
}

// Hosts returns all that are known, in the order that a help text lists them.
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
	braces := func(prefix string) func(variable, name string) string {
		return func(_, name string) string { return "${" + prefix + name + "}" }
	}
	return []Host{
		{Name: "jp", Title: "JP", path: project(".jp", "config.toml"), kind: jpFormat{}},
		{Name: "claude-desktop", Title: "Claude Desktop", path: config("Claude", "claude_desktop_config.json"), kind: jsonFormat{
			member:  "mcpServers",
			instead: "Claude Desktop's file cannot refer to the environment, and its servers inherit little of it: write a script that sets the variable and starts the server, and name it by --command SCRIPT",
		}},
		{Name: "claude-code", Title: "Claude Code", path: project(".mcp.json"), kind: jsonFormat{
			member: "mcpServers", stdio: "stdio", remote: "http", url: "url", reference: braces(""),
		}, project: "${CLAUDE_PROJECT_DIR:-.}"},
		{Name: "vscode", Title: "VS Code", path: project(".vscode", "mcp.json"), kind: jsonFormat{
			member: "servers", stdio: "stdio", remote: "http", url: "url", reference: vscodeReference, inputs: true,
		}, project: "${workspaceFolder}"},
		{Name: "cursor", Title: "Cursor", path: project(".cursor", "mcp.json"), kind: jsonFormat{
			member: "mcpServers", url: "url", reference: braces("env:"),
		}, project: "${workspaceFolder}"},
		{Name: "codex", Title: "Codex", path: home(".codex", "config.toml"), kind: codexFormat{}},
		{Name: "zed", Title: "Zed", path: config("zed", "settings.json"), kind: jsonFormat{
			member: "context_servers", url: "url",
			instead: "Zed's settings cannot refer to the environment, and its servers inherit all of it: leave --env out, and set the variable where Zed is started",
		}},
		{Name: "gemini", Title: "Gemini CLI", path: project(".gemini", "settings.json"), kind: jsonFormat{
			member: "mcpServers", url: "httpUrl", reference: braces(""),
		}},
	}
}

// vscodeReference has VS Code ask for a secret, and take another variable from the environment.
func vscodeReference(variable, name string) string {
	if secret.Named(variable) || secret.Named(name) {
		return "${input:" + name + "}"
	}
	return "${env:" + name + "}"
}

// Find returns the host of that name.
func Find(name string) (Host, bool) {
	for _, h := range Hosts() {
		if h.Name == name {
			return h, true
		}
	}
	return Host{}, false
}

// Path is the file that the host reads.
func (h Host) Path(p Places) string { return h.path(p) }

// NamesProject reports whether the host has a word for the project that it works in.
func (h Host) NamesProject() bool { return h.project != "" }

// Snippet returns a whole file that configures the entry and nothing else.
func (h Host) Snippet(e Entry) ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	return h.kind.snippet(h.rooted(e))
}

// mark is a byte order mark, which some editors begin a file with.
const mark = "\ufeff"

// Merge returns the text of a configuration file with the entry in it. Comments and
// everything else stay as they are. A file that configures the entry already comes
// back as it is. Where it has another server of that name, what that says otherwise is
// a [Conflict], or is replaced; all else in its entry is its user's and stays. What
// cannot be read as the host's format is an error.
func (h Host) Merge(old []byte, e Entry, replace bool) ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	text, marked := bytes.CutPrefix(old, []byte(mark))
	text, err := h.kind.merge(text, h.rooted(e), replace)
	if marked && err == nil {
		text = append([]byte(mark), text...)
	}
	return text, err
}

// rooted returns an entry whose arguments say what its root is.
func (h Host) rooted(e Entry) Entry {
	if e.Root == "" {
		return e
	}
	root := e.Root
	if e.Project && h.project != "" {
		root = h.project
	}
	e.Command = append(slices.Clone(e.Command), "--root", root)
	return e
}

func (e Entry) check() error {
	if e.Name == "" {
		return errors.New("the server has no name")
	}
	if (len(e.Command) == 0) == (e.URL == "") {
		return fmt.Errorf("server %s: a command or an address, and not both, says how it is reached", e.Name)
	}
	return e.checkSecrets()
}
