package hostconfig

import (
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
)

// The host's own commands, and the entries that they cannot express.
func TestCommand(t *testing.T) {
	local := Entry{Name: "notes", Command: []string{"notes", "--log-level", "warn"}, Env: []string{"LIMIT=5"}}
	bare := Entry{Name: "notes", Command: []string{"notes"}}
	inherited := Entry{Name: "notes", Command: []string{"notes"}, Env: []string{"TOKEN=${TOKEN}"}}
	remote := Entry{Name: "notes", URL: "https://example.com/mcp"}
	rooted := Entry{Name: "notes", Command: []string{"notes"}, Root: "/p", Project: true}
	for _, tt := range []struct {
		host string
		e    Entry
		want string
	}{
		{"claude-code", local, "claude mcp add --scope project --env LIMIT=5 --transport stdio notes -- notes --log-level warn"},
		{"claude-code", inherited, "claude mcp add --scope project --env 'TOKEN=${TOKEN}' --transport stdio notes -- notes"},
		{"claude-code", remote, "claude mcp add --scope project --transport http notes https://example.com/mcp"},
		{"claude-code", rooted, "claude mcp add --scope project --transport stdio notes -- notes --root '${CLAUDE_PROJECT_DIR:-.}'"},
		{"codex", local, "codex mcp add notes --env LIMIT=5 -- notes --log-level warn"},
		{"codex", inherited, ""},
		{"codex", remote, "codex mcp add notes --url https://example.com/mcp"},
		{"gemini", local, "gemini mcp add --scope project --env LIMIT=5 --transport stdio notes notes -- --log-level warn"},
		{"gemini", bare, "gemini mcp add --scope project --transport stdio notes notes"},
		{"gemini", remote, "gemini mcp add --scope project --transport http notes https://example.com/mcp"},
		{"vscode", local, `code --add-mcp '{"name":"notes","type":"stdio","command":"notes","args":["--log-level","warn"],"env":{"LIMIT":"5"}}'`},
		{"vscode", inherited, ""},
		{"vscode", remote, `code --add-mcp '{"name":"notes","type":"http","url":"https://example.com/mcp"}'`},
		{"cursor", local, ""},
		{"jp", local, ""},
		{"claude-code", Entry{Name: "-notes", Command: []string{"notes"}}, ""},
		{"claude-code", Entry{Name: "notes", Command: []string{"notes", "--token", "ghp_0123456789abcdefghijABCDEFGHIJ012345"}}, ""},
	} {
		host, _ := Find(tt.host)
		if got := target.CommandLine(host.Command(tt.e)); got != tt.want {
			t.Errorf("%s: got  %s\nwant %s", tt.host, got, tt.want)
		}
	}
}
