// Package hostconfig is what a host's configuration says of a server.
//
// A [Host] knows the file that its users configure, the words in it, and how to
// put a server there without losing what stands in it already.
package hostconfig

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/jptool/jptool/sdk/manifest"
)

// An Entry is a server as a host is to start it.
type Entry struct {
	// Name is what the host calls the server.
	Name string
	// Command is the program and its arguments; empty for a server at URL.
	Command []string
	// Env are variables for the program, each NAME=VALUE.
	Env []string
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
}

// A format writes entries in a host's language.
type format interface {
	// snippet is a whole file that configures the entry alone.
	snippet(Entry) ([]byte, error)
	// merge adds the entry to a file.
	merge(old []byte, e Entry) ([]byte, error)
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
	return []Host{
		{"jp", "JP", project(".jp", "config.toml"), jpFormat{}},
		{"claude-desktop", "Claude Desktop", config("Claude", "claude_desktop_config.json"),
			jsonFormat{member: "mcpServers"}},
		{"claude-code", "Claude Code", project(".mcp.json"),
			jsonFormat{member: "mcpServers", stdio: "stdio", remote: "http", url: "url"}},
		{"vscode", "VS Code", project(".vscode", "mcp.json"),
			jsonFormat{member: "servers", stdio: "stdio", remote: "http", url: "url"}},
		{"cursor", "Cursor", project(".cursor", "mcp.json"), jsonFormat{member: "mcpServers", url: "url"}},
		{"codex", "Codex", home(".codex", "config.toml"), codexFormat{}},
		{"zed", "Zed", config("zed", "settings.json"), jsonFormat{member: "context_servers", url: "url"}},
		{"gemini", "Gemini CLI", project(".gemini", "settings.json"), jsonFormat{member: "mcpServers", url: "httpUrl"}},
	}
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

// Snippet returns a whole file that configures the entry and nothing else.
func (h Host) Snippet(e Entry) ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	return h.kind.snippet(e)
}

// Merge returns the text of a configuration file with the entry in it. Comments and
// everything else stay as they are. A file that configures the entry already comes
// back as it is. What cannot be read as the host's format is an error. A server of that
// name that is started otherwise is replaced in a JSON file, and an error in a TOML file,
// which cannot be rewritten without touching what its user wrote.
func (h Host) Merge(old []byte, e Entry) ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	return h.kind.merge(old, e)
}

func (e Entry) check() error {
	if e.Name == "" {
		return errors.New("the server has no name")
	}
	if (len(e.Command) == 0) == (e.URL == "") {
		return fmt.Errorf("server %s: a command or an address, and not both, says how it is reached", e.Name)
	}
	return nil
}
