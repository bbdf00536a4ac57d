package hostconfig

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

func contract(t *testing.T) *manifest.Server {
	t.Helper()
	data, err := os.ReadFile("testdata/contract.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := lock.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func entries(t *testing.T) map[string]Entry {
	c := contract(t)
	return map[string]Entry{
		"plain":   {Name: "notes", Command: []string{"/usr/bin/notes"}, As: JPMCP, Contract: c},
		"full":    {Name: "my notes", Command: []string{`C:\notes "new".exe`, "--db", "a b"}, Env: []string{"NOTES_MODE=x=y", "NOTES_EMPTY="}, Contract: c},
		"remote":  {Name: "notes", URL: "http://127.0.0.1:8080/mcp", Contract: c},
		"env":     {Name: "notes", Command: []string{"notes"}, Env: []string{"NOTES_TOKEN=${NOTES_TOKEN}", "NOTES_DIR=${NOTES_DIR}", "NOTES_MODE=fast"}, Contract: c},
		"named":   {Name: "notes", Command: []string{"notes"}, Env: []string{"NOTES_AUTH=Bearer ${TOKEN}"}, Contract: c},
		"names":   {Name: "notes", Command: []string{"notes"}, Env: []string{"NOTES_TOKEN=${NOTES_TOKEN}", "NOTES_DIR=${NOTES_DIR}"}, Contract: c},
		"root":    {Name: "notes", Command: []string{"notes", "-v"}, Root: "/srv/notes", Contract: c},
		"project": {Name: "notes", Command: []string{"notes", "-v"}, Root: "/srv/notes", Project: true, Contract: c},
		"jp":      {Name: "notes", Command: []string{"notes", "--jp"}, As: JPMCP, Contract: c},
		"local":   {Name: "notes", Command: []string{"notes", "--db", "x"}, Env: []string{"NOTES_TOKEN=${NOTES_TOKEN}"}, As: JPLocal, Contract: c},
		"older":   {Name: "notes", Command: []string{"notes"}, As: JPLocal, OlderJP: true, Contract: c},
		"plugin":  {Name: "notes", Command: []string{"notes", "--db", "a b"}, As: JPPlugin, Contract: c},
		"before":  {Name: "notes", Command: []string{"notes"}, As: JPMCP, OlderJP: true, Contract: c},
	}
}

// jpInit contains the tables that "jp init" writes.
const jpInit = "[assistant.model.id]\nprovider = \"anthropic\"\nname = \"claude-sonnet-4-5\"\n\n[conversation.tools.'*']\nrun = \"ask\"\n\n"

// Each archive in testdata/snippets belongs to a host. Its files are the expected snippets, named after the
// entries. UPDATE_SNIPPETS=1 rewrites them.
func TestSnippets(t *testing.T) {
	all := entries(t)
	for _, h := range Hosts() {
		t.Run(h.Name, func(t *testing.T) {
			path := filepath.Join("testdata", "snippets", h.Name+".txtar")
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range archive.Files {
				e, ok := all[f.Name]
				if !ok {
					t.Fatalf("%s: unknown entry %q", path, f.Name)
				}
				got, err := h.Snippet(e)
				if err != nil {
					got = []byte("error: " + err.Error() + "\n")
				}
				if os.Getenv("UPDATE_SNIPPETS") != "" {
					archive.Files[i].Data = got
				} else if string(got) != string(f.Data) {
					t.Errorf("%s: got\n%s\nwant\n%s", f.Name, got, f.Data)
				}
				if err != nil {
					continue
				}
				whole, err := h.Merge(nil, e, false)
				if err != nil || h.Name != "jp" && string(whole) != string(got) {
					t.Errorf("%s: merging: %v\n%s", f.Name, err, whole)
				}
				for _, old := range []string{string(whole), jpInit + string(got)} { // the file as written, and as pasted by the user
					if h.Name != "jp" && old != string(whole) {
						continue
					}
					again, err := h.Merge([]byte(old), e, false)
					if err != nil || string(again) != old {
						t.Errorf("%s: merging again: %v\n%s", f.Name, err, again)
					}
				}
			}
			if os.Getenv("UPDATE_SNIPPETS") != "" {
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestMergeKeepsExistingContent(t *testing.T) {
	e := entries(t)["plain"]
	for name, tt := range map[string]struct{ host, old, want string }{
		"comments and other servers": {
			"zed",
			"// mine\n{\n  \"theme\": \"dark\", // at night\n  \"context_servers\": {\n    \"other\": {\"command\": \"x\"},\n  },\n}\n",
			"// mine\n{\n  \"theme\": \"dark\", // at night\n  \"context_servers\": {\n    \"other\": {\"command\": \"x\"},\n    \"notes\": {\n      \"command\": \"/usr/bin/notes\"\n    },\n  },\n}\n",
		},
		"a comment as the last element": {
			"cursor", "{\n\t\"mcpServers\": {\n\t\t\"a\": {} // first\n\t\t// last\n\t}\n}",
			"{\n\t\"mcpServers\": {\n\t\t\"a\": {}, // first\n\t\t// last\n\t\t\"notes\": {\n\t\t\t\"command\": \"/usr/bin/notes\"\n\t\t}\n\t}\n}",
		},
		"an empty file": {"claude-desktop", "  \n", "{\n  \"mcpServers\": {\n    \"notes\": {\n      \"command\": \"/usr/bin/notes\"\n    }\n  }\n}\n"},
		"a comment at the end": {
			"zed", "{}\n// mine", "{\n  \"context_servers\": {\n    \"notes\": {\n      \"command\": \"/usr/bin/notes\"\n    }\n  }\n}\n// mine",
		},
		"JSON with CRLF": {
			"cursor", "\ufeff{\r\n  \"a\": 1 // mine\r\n}\r\n",
			"\ufeff{\r\n  \"a\": 1, // mine\r\n  \"mcpServers\": {\r\n    \"notes\": {\r\n      \"command\": \"/usr/bin/notes\"\r\n    }\r\n  }\r\n}\r\n",
		},
		"TOML with CRLF": {
			"codex", "a = \"\"\"\r\n\"\"\"\r\n", "a = \"\"\"\r\n\"\"\"\r\n\r\n[mcp_servers.notes]\r\ncommand = \"/usr/bin/notes\"\r\n",
		},
		"other tables": {
			"codex", "# mine\n[mcp_servers.other]\ncommand = \"x\"\n",
			"# mine\n[mcp_servers.other]\ncommand = \"x\"\n\n[mcp_servers.notes]\ncommand = \"/usr/bin/notes\"\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, _ := Find(tt.host)
			got, err := h.Merge([]byte(tt.old), e, false)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, tt.want)
			}
			if again, err := h.Merge(got, e, false); err != nil || !bytes.Equal(again, got) {
				t.Errorf("merging again: %v\n%s", err, again)
			}
		})
	}
}

// User settings for existing tools stay unchanged, and new tools are added.
func TestMergeAddsToolsThatAreMissing(t *testing.T) {
	all := entries(t)
	const own = "[conversation.tools.'*']\nrun = \"unattended\"\n\n" +
		"[providers.mcp.notes]\ntype = \"stdio\"\ncommand = \"notes\"\narguments = [\"--jp\"]\noptional = true # mine\n\n"
	for name, tt := range map[string]struct{ entry, old, added string }{
		"a tool with settings": {
			"jp", own + "[conversation.tools.note_create]\nsource = \"mcp.notes.note_create\"\noptions.auto_approve = true # mine\n",
			"\n[conversation.tools.note_get]\nsource = \"mcp.notes.note_get\"\nrun = \"unattended\"\n",
		},
		"a tool with another name": {
			"jp", own + "[conversation.tools.bear_create]\nsource = \"mcp.notes.note_create\"\n[conversation.tools.get]\nsource = \"mcp.notes.note_get\"\n", "",
		},
		"a parameter that the user added": {
			"jp", own + "[conversation.tools.note_get]\nsource = \"mcp.notes.note_get\"\nparameters.id.type = \"string\"\n[conversation.tools.x]\nsource = \"mcp.notes.note_create\"\n", "",
		},
		"a time limit": {"codex", "[mcp_servers.notes]\ncommand = \"notes\"\nargs = [\"--jp\"]\nstartup_timeout_sec = 5\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h, _ := Find(tt.entry)
			got, err := h.Merge([]byte(tt.old), all["jp"], false)
			if err != nil || string(got) != tt.old+tt.added {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, tt.old+tt.added)
			}
		})
	}
}

func TestMergeRefuses(t *testing.T) {
	plain := entries(t)["plain"]
	for name, tt := range map[string]struct{ host, old, want string }{
		"invalid JSON":            {"cursor", `{"mcpServers":`, "the file is not valid JSON"},
		"not an object":           {"cursor", `[]`, "the file is not a JSON object"},
		"servers not an object":   {"vscode", `{"servers":[]}`, `"servers" in the file is not an object`},
		"invalid TOML":            {"codex", "[mcp_servers", "the file is not valid TOML"},
		"invalid TOML for JP":     {"jp", "[providers", "the file is not valid TOML"},
		"another server":          {"codex", "[mcp_servers.notes]\ncommand = \"x\"\n", "[mcp_servers.notes] already exists with different values"},
		"another provider":        {"jp", "[providers.mcp.notes]\ntype = \"stdio\"\ncommand = \"x\"\n", "[providers.mcp.notes] already exists with different values"},
		"a list of tables":        {"codex", "[[mcp_servers]]\nname = \"x\"\n", "mcp_servers is an array of tables in the file, [[mcp_servers]], but [mcp_servers.notes] must be a table; change it manually"},
		"a nested list of tables": {"codex", "[[mcp_servers.notes]]\ncommand = \"x\"\n", "mcp_servers.notes is an array of tables in the file"},
		"a value":                 {"codex", "mcp_servers = 1\n", "mcp_servers is not a table in the file; change it manually"},
		"a provider with arguments": {
			"jp", "[providers.mcp.notes]\ntype = \"stdio\"\ncommand = \"/usr/bin/notes\"\narguments = [\"x\"]\n", "[providers.mcp.notes] already exists",
		},
		"no run":              {"jp", "[conversation.tools.'*']\nformat = \"ask\"\n", `add run = "ask"`},
		"tool with that name": {"jp", "[conversation.tools.note_get]\nsource = \"mcp.x\"\n", "[conversation.tools.note_get] already exists with different values"},
		"no table":            {"jp", "[conversation.tools]\nnote_get = 1\n", "[conversation.tools.note_get] already exists"},
		"an inline table":     {"codex", "mcp_servers = {}\n", "[mcp_servers.notes] cannot be added to an inline table; add it manually"},
		"a nested inline table": {
			"jp", "[conversation]\n'tools' = { '*' = { run = \"ask\" } }\n", "[conversation.tools.note_create] cannot be added",
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, _ := Find(tt.host)
			_, err := h.Merge([]byte(tt.old), plain, false)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestPaths(t *testing.T) {
	p := Places{Project: "/p", Home: "/h", Config: "/c"}
	for name, want := range map[string]string{
		"jp": "/p/.jp/config.toml", "claude-desktop": "/c/Claude/claude_desktop_config.json", "claude-code": "/p/.mcp.json",
		"vscode": "/p/.vscode/mcp.json", "cursor": "/p/.cursor/mcp.json", "codex": "/h/.codex/config.toml",
		"zed": "/c/zed/settings.json", "gemini": "/p/.gemini/settings.json",
	} {
		h, ok := Find(name)
		if !ok {
			t.Fatalf("unknown host %s", name)
		}
		if got := filepath.ToSlash(h.Path(p)); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
