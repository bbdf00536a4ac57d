package hostconfig

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A conflictCase is a file that already contains a server with the same name as the entry.
type conflictCase struct {
	host, entry, old string
	// shown contains the printed differences, or "" if the entries agree.
	shown string
	// replaced is the file after the entry was replaced.
	replaced string
}

var conflictCases = map[string]conflictCase{
	"JSON, another command": {
		"cursor", "plain", `{"mcpServers":{"notes":{"command":"old"},"z":{}}}`,
		`- mcpServers.notes.command: "old"|+ mcpServers.notes.command: "/usr/bin/notes"`,
		`{"mcpServers":{"notes":{"command":"/usr/bin/notes"},"z":{}}}`,
	},
	"JSON, what the user set": {
		"cursor", "names", `{"mcpServers":{"notes":{/* mine */ "command":"notes", "args":["-v"], "disabled":true, "env":{"OTHER":"secret","NOTES_DIR":"/x"}}}}`,
		`- mcpServers.notes.args: ["-v"]|- mcpServers.notes.env.NOTES_DIR: "(hidden)"|+ mcpServers.notes.env.NOTES_DIR: "${env:NOTES_DIR}"|+ mcpServers.notes.env.NOTES_TOKEN: "${env:NOTES_TOKEN}"`,
		"{\"mcpServers\":{\"notes\":{/* mine */ \"command\":\"notes\", \"disabled\":true, \"env\":{\"OTHER\":\"secret\",\"NOTES_DIR\":\"${env:NOTES_DIR}\",\n        \"NOTES_TOKEN\": \"${env:NOTES_TOKEN}\"\n      }}}}",
	},
	"JSON, equivalent": {
		"cursor", "plain", `{"mcpServers":{"notes":{"env":{"A":"b"},"args":[],"command":"\u002fusr/bin/notes","disabled":true}}}`, "", "",
	},
	"JSON, the type goes without saying": {
		"vscode", "plain", `{"servers":{"notes":{"command":"/usr/bin/notes"}}}`, "", "",
	},
	"JSON, a program instead of an address": {
		"vscode", "plain", "{\n  \"servers\": {\n    \"notes\": {\n      \"type\": \"http\",\n      \"url\": \"http://x\"\n    }\n  }\n}",
		`- servers.notes.type: "http"|+ servers.notes.type: "stdio"|+ servers.notes.command: "/usr/bin/notes"|- servers.notes.url: "http://x"`,
		"{\n  \"servers\": {\n    \"notes\": {\n      \"type\": \"stdio\",\n      \"command\": \"/usr/bin/notes\"\n    }\n  }\n}",
	},
	"JSON, no object": {
		"cursor", "plain", `{"mcpServers":{"notes":null}}`,
		`+ mcpServers.notes.command: "/usr/bin/notes"`,
		"{\"mcpServers\":{\"notes\":{\n      \"command\": \"/usr/bin/notes\"\n    }}}",
	},
	"JSON, inputs": {
		"vscode", "names", "{\n  \"inputs\": [\n    {\"id\": \"other\"},\n  ],\n  \"servers\": {\"notes\": {\"command\": \"notes\", \"env\": {\"NOTES_TOKEN\": \"x\", \"NOTES_DIR\": \"${env:NOTES_DIR}\"}}}\n}",
		`- servers.notes.env.NOTES_TOKEN: "(hidden)"|+ servers.notes.env.NOTES_TOKEN: "${input:NOTES_TOKEN}"`,
		"{\n  \"inputs\": [\n    {\"id\": \"other\"},\n    {\n      \"type\": \"promptString\",\n      \"id\": \"NOTES_TOKEN\",\n      \"description\": \"NOTES_TOKEN for notes\",\n      \"password\": true\n    },\n  ],\n" +
			"  \"servers\": {\"notes\": {\"command\": \"notes\", \"env\": {\"NOTES_TOKEN\": \"${input:NOTES_TOKEN}\", \"NOTES_DIR\": \"${env:NOTES_DIR}\"}}}\n}",
	},
	"JSON, the input is there": {
		"vscode", "names", `{"inputs":[{"id":"NOTES_TOKEN","password":false}],"servers":{"notes":{"command":"notes","env":{"NOTES_TOKEN":"${input:NOTES_TOKEN}","NOTES_DIR":"${env:NOTES_DIR}"}}}}`, "", "",
	},
	"TOML, what the user set": {
		"codex", "env", "# mine\n[mcp_servers.notes] # the notes\ncommand = \"old\"\nargs = [\n  \"-v\", # loud\n]\nstartup_timeout_sec = 5\nenv_vars = [\"OTHER\"]\n\n[mcp_servers.notes.env]\nA = \"b\"\n\n[other]\nx = 1\n",
		`- mcp_servers.notes.command: "old"|+ mcp_servers.notes.command: "notes"|- mcp_servers.notes.args: ["-v"]|+ mcp_servers.notes.env.NOTES_MODE: "fast"|- mcp_servers.notes.env_vars: ["OTHER"]|+ mcp_servers.notes.env_vars: ["NOTES_TOKEN", "NOTES_DIR"]`,
		"# mine\n[mcp_servers.notes] # the notes\ncommand = \"notes\"\nstartup_timeout_sec = 5\nenv_vars = [\"OTHER\", \"NOTES_TOKEN\", \"NOTES_DIR\"]\n\n[mcp_servers.notes.env]\nNOTES_MODE = \"fast\"\nA = \"b\"\n\n[other]\nx = 1\n",
	},
	"TOML, lines of Windows": {
		"codex", "plain", "[mcp_servers.notes]\r\ncommand = \"old\"\r\n",
		`- mcp_servers.notes.command: "old"|+ mcp_servers.notes.command: "/usr/bin/notes"`,
		"[mcp_servers.notes]\r\ncommand = \"/usr/bin/notes\"\r\n",
	},
	"TOML, equivalent": {
		"codex", "names", "[mcp_servers]\nnotes = { command = 'notes', env_vars = ['NOTES_DIR', 'X', 'NOTES_TOKEN'], env = { A = 'b' }, enabled = false }\n", "", "",
	},
	"TOML, between braces": {
		"codex", "plain", "[mcp_servers]\nnotes = { command = 'x' }\n",
		`- mcp_servers.notes.command: "x"|+ mcp_servers.notes.command: "/usr/bin/notes"`,
		"error: [mcp_servers.notes] has no separate header in the file; edit the file manually",
	},
	"JP": {
		"jp", "jp", "[conversation.tools.'*']\nrun = \"ask\"\n[providers.mcp.notes]\ntype = \"stdio\"\ncommand = \"notes\"\noptional = true\n[conversation.tools.note_get]\nsource = \"mcp.x\"\nrun = \"ask\" # mine\n[conversation.tools.create]\nsource = \"mcp.notes.note_create\"\n",
		`+ providers.mcp.notes.arguments: ["--jp"]|- conversation.tools.note_get.source: "mcp.x"|+ conversation.tools.note_get.source: "mcp.notes.note_get"`,
		"[conversation.tools.'*']\nrun = \"ask\"\n[providers.mcp.notes]\narguments = [\"--jp\"]\ntype = \"stdio\"\ncommand = \"notes\"\noptional = true\n[conversation.tools.note_get]\nsource = \"mcp.notes.note_get\"\nrun = \"ask\" # mine\n[conversation.tools.create]\nsource = \"mcp.notes.note_create\"\n",
	},
}

// An existing server with the same name is kept and the differences are reported, unless replace is set. Members
// that belong to the user are always kept.
func TestMergeOfAnotherServer(t *testing.T) {
	all := entries(t)
	for name, tt := range conflictCases {
		t.Run(name, func(t *testing.T) {
			h, _ := Find(tt.host)
			for _, mark := range []string{"", "\ufeff"} {
				old := mark + tt.old
				got, err := h.Merge([]byte(old), all[tt.entry], false)
				if tt.shown == "" {
					if err != nil || string(got) != old {
						t.Errorf("got %v\n%q\nwant\n%q", err, got, old)
					}
					continue
				}
				conflict, ok := errors.AsType[*Conflict](err)
				if !ok {
					t.Fatalf("got %v\n%s", err, got)
				}
				if shown := show(conflict); shown != tt.shown {
					t.Errorf("the differences are\n%s\nwant\n%s", shown, tt.shown)
				}
				if !strings.HasSuffix(err.Error(), " with different values") {
					t.Error(err)
				}
				got, err = h.Merge([]byte(old), all[tt.entry], true)
				if err != nil {
					got = fmt.Appendf(nil, "%serror: %v", mark, err)
				}
				if string(got) != mark+tt.replaced {
					t.Errorf("after replacing, the file is\n%q\nwant\n%q", got, mark+tt.replaced)
				}
				if again, err2 := h.Merge(got, all[tt.entry], false); err == nil && (err2 != nil || string(again) != string(got)) {
					t.Errorf("merging again: %v\n%s", err2, again)
				}
			}
		})
	}
}

func show(c *Conflict) string {
	var lines []string
	for _, d := range c.Differences {
		if d.Have != "" {
			lines = append(lines, "- "+d.Path+": "+d.Have)
		}
		if d.Want != "" {
			lines = append(lines, "+ "+d.Path+": "+d.Want)
		}
	}
	return strings.Join(lines, "|")
}

// Literal secrets are rejected for every host.
func TestSecretsAreRefused(t *testing.T) {
	for name, e := range map[string]Entry{
		"a variable":         {Command: []string{"notes"}, Env: []string{"NOTES_TOKEN=abc"}},
		"a prefix":           {Command: []string{"notes"}, Env: []string{"NOTES_X=ghp_0123456789abcdef"}},
		"a flag":             {Command: []string{"notes", "--api-key=abc"}},
		"a flag and value":   {Command: []string{"notes", "--api-token", "abc"}},
		"an argument":        {Command: []string{"notes", "serve", "ghp_0123456789abcdef"}},
		"an option":          {Command: []string{"notes", "--option", "find.api_token=abc"}},
		"the query of a URL": {URL: "https://example.com/mcp?token=abc"},
	} {
		e.Name, e.Contract = "notes", contract(t)
		for _, h := range Hosts() {
			if text, err := h.Snippet(e); err == nil || !strings.Contains(err.Error(), "looks like a secret, and secrets must not be written to a file") || strings.Contains(err.Error(), "abc") {
				t.Errorf("%s, %s: got %v\n%s", name, h.Name, err, text)
			}
		}
	}
	for name, command := range map[string][]string{
		"a reference":       {"notes", "--api-token", "${env:TOKEN}"},
		"a file":            {"notes", "--http-token-file", "/run/secrets/token"},
		"no value":          {"notes", "--no-auth", "serve"},
		"a path":            {"notes", "/home/kim/projects/2026/notes-0123456789abcdef0123456789"},
		"a tool's option":   {"notes", "--option", "find.limit=5"},
		"a flag and a flag": {"notes", "--token", "--verbose"},
	} {
		h, _ := Find("cursor")
		if _, err := h.Snippet(Entry{Name: "notes", Command: command}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
