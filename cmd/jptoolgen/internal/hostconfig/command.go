package hostconfig

import (
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
	"github.com/jptool/jptool/internal/rawjson"
)

// Command returns the command line with which the host's own program adds the entry to its configuration. It returns
// nil if the host has no such command, or if the command cannot express the entry.
func (h Host) Command(e Entry) []string {
	if e.check() != nil || strings.HasPrefix(e.Name, "-") {
		return nil
	}
	e = h.complete(e)
	f, _ := h.kind.(jsonFormat)
	var env []string // the environment variables, each after its flag
	references := false
	for _, v := range e.variables() {
		references = references || v.hasReferences()
		value := v.value
		if f.reference != nil {
			value = secret.Refer(value, f.reference)
		}
		env = append(env, "--env", v.name+"="+value)
	}
	switch h.Name {
	case "claude-code":
		argv := slices.Concat([]string{"claude", "mcp", "add", "--scope", "project"}, env, []string{"--transport"})
		if e.URL != "" {
			return append(argv, "http", e.Name, e.URL)
		}
		return slices.Concat(argv, []string{"stdio", e.Name, "--"}, e.Command)
	case "codex":
		argv := append([]string{"codex", "mcp", "add", e.Name}, env...)
		switch {
		case references: // codex passes the value of --env unchanged
			return nil
		case e.URL != "":
			return append(argv, "--url", e.URL)
		}
		return slices.Concat(argv, []string{"--"}, e.Command)
	case "gemini":
		argv := append([]string{"gemini", "mcp", "add", "--scope", "project"}, env...)
		if e.URL != "" {
			return append(argv, "--transport", "http", e.Name, e.URL)
		}
		argv = append(argv, "--transport", "stdio", e.Name, e.Command[0])
		if len(e.Command) > 1 {
			argv = slices.Concat(argv, []string{"--"}, e.Command[1:])
		}
		return argv
	case "vscode":
		entry, err := f.entry(e)
		if err != nil || strings.Contains(string(entry), "${input:") { // the inputs are in another part of the file
			return nil
		}
		named := `{"name":` + string(rawjson.Quote(e.Name)) + "," + strings.TrimPrefix(string(entry), "{")
		return []string{"code", "--add-mcp", named}
	}
	return nil
}
