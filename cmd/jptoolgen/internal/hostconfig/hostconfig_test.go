package hostconfig

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"golang.org/x/tools/txtar"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

func contract(t *testing.T) *manifest.Server {
	t.Helper()
	data, err := os.ReadFile("testdata/contract.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := manifest.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func entries(t *testing.T) map[string]Entry {
	c := contract(t)
	return map[string]Entry{
		"plain":   {Name: "notes", Command: []string{"/usr/bin/notes"}, Contract: c},
		"full":    {Name: "my notes", Command: []string{`C:\notes "new".exe`, "--db", "a b"}, Env: []string{"NOTES_MODE=x=y", "NOTES_EMPTY="}, Contract: c},
		"remote":  {Name: "notes", URL: "http://127.0.0.1:8080/mcp", Contract: c},
		"env":     {Name: "notes", Command: []string{"notes"}, Env: []string{"NOTES_TOKEN=${NOTES_TOKEN}", "NOTES_DIR=${NOTES_DIR}", "NOTES_MODE=fast"}, Contract: c},
		"named":   {Name: "notes", Command: []string{"notes"}, Env: []string{"NOTES_AUTH=Bearer ${TOKEN}"}, Contract: c},
		"names":   {Name: "notes", Command: []string{"notes"}, Env: []string{"NOTES_TOKEN=${NOTES_TOKEN}", "NOTES_DIR=${NOTES_DIR}"}, Contract: c},
		"root":    {Name: "notes", Command: []string{"notes", "-v"}, Root: "/srv/notes", Contract: c},
		"project": {Name: "notes", Command: []string{"notes", "-v"}, Root: "/srv/notes", Project: true, Contract: c},
		"jp":      {Name: "notes", Command: []string{"notes", "--jp"}, Contract: c},
		"local":   {Name: "notes", Command: []string{"notes", "--db", "x"}, Local: true, Contract: c},
	}
}

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
					t.Fatalf("%s: there is no entry %q", path, f.Name)
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
				again, err := h.Merge(got, e, false)
				if err != nil || string(again) != string(got) {
					t.Errorf("%s: merging again: %v\n%s", f.Name, err, again)
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

func TestMergeKeepsWhatIsThere(t *testing.T) {
	e := entries(t)["plain"]
	for name, tt := range map[string]struct{ host, old, want string }{
		"comments and other servers": {
			"zed",
			"// mine\n{\n  \"theme\": \"dark\", // at night\n  \"context_servers\": {\n    \"other\": {\"command\": \"x\"},\n  },\n}\n",
			"// mine\n{\n  \"theme\": \"dark\", // at night\n  \"context_servers\": {\n    \"other\": {\"command\": \"x\"},\n    \"notes\": {\n      \"command\": \"/usr/bin/notes\"\n    },\n  },\n}\n",
		},
		"a last remark": {
			"cursor", "{\n\t\"mcpServers\": {\n\t\t\"a\": {} // first\n\t\t// last\n\t}\n}",
			"{\n\t\"mcpServers\": {\n\t\t\"a\": {}, // first\n\t\t// last\n\t\t\"notes\": {\n\t\t\t\"command\": \"/usr/bin/notes\"\n\t\t}\n\t}\n}",
		},
		"an empty file": {"claude-desktop", "  \n", "{\n  \"mcpServers\": {\n    \"notes\": {\n      \"command\": \"/usr/bin/notes\"\n    }\n  }\n}\n"},
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
			"\n[conversation.tools.note_get]\nsource = \"mcp.notes.note_get\"\nrun = \"unattended\"\n\n[conversation.tools.note_get.parameters.id]\ntype = \"number\"\n",
		},
		"a tool under another name": {
			"jp", own + "[conversation.tools.bear_create]\nsource = \"mcp.notes.note_create\"\n[conversation.tools.get]\nsource = \"mcp.notes.note_get\"\n", "",
		},
		"a parameter that is the user's": {
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
		"no JSON":                {"cursor", `{"mcpServers":`, "the file is not valid JSON"},
		"no object":              {"cursor", `[]`, "the file is not a JSON object"},
		"servers no object":      {"vscode", `{"servers":[]}`, "servers in the file is not an object"},
		"no TOML":                {"codex", "[mcp_servers", "the file is not valid TOML"},
		"no TOML for JP":         {"jp", "[providers", "the file is not valid TOML"},
		"another server":         {"codex", "[mcp_servers.notes]\ncommand = \"x\"\n", "[mcp_servers.notes] already exists with other values"},
		"another provider":       {"jp", "[providers.mcp.notes]\ntype = \"stdio\"\ncommand = \"x\"\n", "[providers.mcp.notes] already exists with other values"},
		"a list of tables":       {"codex", "[[mcp_servers]]\nname = \"x\"\n", "mcp_servers is an array of tables in the file, [[mcp_servers]], but [mcp_servers.notes] must be a table; change it by hand"},
		"a list of tables, deep": {"codex", "[[mcp_servers.notes]]\ncommand = \"x\"\n", "mcp_servers.notes is an array of tables in the file"},
		"a value":                {"codex", "mcp_servers = 1\n", "mcp_servers is not a table in the file; change it by hand"},
		"a provider with arguments": {
			"jp", "[providers.mcp.notes]\ntype = \"stdio\"\ncommand = \"/usr/bin/notes\"\narguments = [\"x\"]\n", "[providers.mcp.notes] already exists",
		},
		"no run":            {"jp", "[conversation.tools.'*']\nformat = \"ask\"\n", `add run = "ask"`},
		"tool of that name": {"jp", "[conversation.tools.note_get]\nsource = \"mcp.x\"\n", "[conversation.tools.note_get] already exists with other values"},
		"no table":          {"jp", "[conversation.tools]\nnote_get = 1\n", "[conversation.tools.note_get] already exists"},
		"a closed table":    {"codex", "mcp_servers = {}\n", "[mcp_servers.notes] cannot be added to an inline table; add it by hand"},
		"a closed table, deep": {
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

// JP aborts a query if it finds no type in a property (crates/jp_llm/src/tool.rs, merge_mcp_param).
func TestJPLearnsTypes(t *testing.T) {
	const defs = `"$defs":{"Kind":{"enum":["a","b"]},"Size":{"type":"integer"},"Loop":{"$ref":"#/$defs/Loop"},"Of":{"allOf":[{"$ref":"#/$defs/Size"}]},"a/b":{"type":"boolean"}}`
	for schema, want := range map[string]string{
		`{"type":"integer"}`:                                        "",
		`{"type":["integer","null"]}`:                               "",
		`{"anyOf":[{"type":"integer"},{"type":"null"}]}`:            "",
		`{"type":"array","items":{"type":"string"}}`:                "",
		`{"type":"array"}`:                                          "",
		`true`:                                                      `type = "string"`,
		`{"enum":[1,2]}`:                                            `type = "number"`,
		`{"const":true}`:                                            `type = "boolean"`,
		`{"oneOf":[{"type":"null"},{"type":"integer"}]}`:            `type = "integer"`,
		`{"$ref":"#/$defs/Size"}`:                                   `type = "integer"`,
		`{"$ref":"#/$defs/Of"}`:                                     `type = "integer"`,
		`{"$ref":"#/$defs/a~1b"}`:                                   `type = "boolean"`,
		`{"$ref":"#/$defs/Loop"}`:                                   `type = "string"`,
		`{"$ref":"#/$defs/Gone"}`:                                   `type = "string"`,
		`{"$ref":"https://example.com/schema"}`:                     `type = "string"`,
		`{"anyOf":[{"$ref":"#/$defs/Size"},{"type":"null"}]}`:       `type = "integer"`,
		`{"anyOf":[{"type":"null"},{"type":["integer","string"]}]}`: `type = ["integer", "string"]`,
		`{"properties":{"a":{"type":"string"}}}`:                    `type = "object"`,
		`{"type":"array","items":{"$ref":"#/$defs/Kind"}}`:          "type = \"array\"\nitems.type = \"string\"",
		`{"items":{"type":"integer"}}`:                              "type = \"array\"\nitems.type = \"integer\"",
	} {
		h, _ := Find("jp")
		got, err := h.Snippet(Entry{Name: "s", Command: []string{"s"}, Contract: &manifest.Server{Name: "s", Tools: []manifest.Tool{{
			Name: "t", Input: manifest.Schema(`{"type":"object","properties":{"q":` + schema + `},` + defs + `}`),
		}}}})
		if err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(string(got), "[conversation.tools.t.parameters.q]\n")
		if text = strings.TrimSuffix(text, "\n"); text != want {
			t.Errorf("%s: got %s, want %s", schema, text, want)
		}
	}
}

// The user has to set a default that TOML cannot express.
func TestJPOptionsThatTOMLCannotHold(t *testing.T) {
	h, _ := Find("jp")
	got, err := h.Snippet(Entry{Name: "s", Command: []string{"s"}, Contract: &manifest.Server{Name: "s", Tools: []manifest.Tool{{
		Name: "t", Options: manifest.Schema(`{"properties":{"big":{"default":18446744073709551615},"far":{"default":1e999},"none":{"default":null},
			"near":{"default":1.5},"many":{"default":[1,null]},"max":{"default":9223372036854775807}}}`),
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# options.big = …", "# options.far = …", "# options.none = …", "\noptions.near = 1.5", "# options.many = …", "\noptions.max = 9223372036854775807"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	if _, err := decode(got); err != nil {
		t.Error(err)
	}
}

// A source in JP has the form mcp.SERVER.TOOL.
func TestJPRefusesADotInTheServersName(t *testing.T) {
	e := entries(t)["jp"]
	e.Name = "io.example/notes"
	h, _ := Find("jp")
	if _, err := h.Snippet(e); err == nil || !strings.Contains(err.Error(), "use --name") {
		t.Errorf("got %v", err)
	}
}

// JP rejects a file with an unknown key, and a file without a required value.
func TestJPKnowsEveryKey(t *testing.T) {
	known := map[string]string{
		"providers.mcp.":        "type command arguments variables checksum optional startup_timeout_secs",
		"conversation.tools.":   "source enable command summary description examples parameters run format result cancellation_response style questions options access",
		"questions.":            "target answer",
		"parameters.":           "type required default enum summary description examples items properties",
		"tools.command.":        "program args shell",
		"conversation.tools.*.": "run",
	}
	holds := func(rule string, table map[string]any) {
		t.Helper()
		for k := range table {
			if !strings.Contains(" "+known[rule]+" ", " "+k+" ") {
				t.Errorf("JP does not have the key %s%s", rule, k)
			}
		}
	}
	h, _ := Find("jp")
	for _, name := range []string{"jp", "local"} {
		text, err := h.Snippet(entries(t)[name])
		if err != nil {
			t.Fatal(err)
		}
		var file map[string]map[string]map[string]map[string]any
		if _, err := toml.Decode(string(text), &file); err != nil {
			t.Fatal(err)
		}
		for _, p := range file["providers"]["mcp"] {
			holds("providers.mcp.", p)
			if p["type"] != "stdio" || p["startup_timeout_secs"] == nil {
				t.Errorf("provider %v lacks a type or a time limit", p)
			}
		}
		if file["conversation"]["tools"]["*"]["run"] != "ask" {
			t.Error("run has no default")
		}
		for tool, table := range file["conversation"]["tools"] {
			holds("conversation.tools.", table)
			for _, rule := range []string{"questions.", "parameters."} {
				inner, _ := table[strings.TrimSuffix(rule, ".")].(map[string]any)
				for _, v := range inner {
					holds(rule, v.(map[string]any))
					if rule == "parameters." && v.(map[string]any)["type"] == "" {
						t.Errorf("%s: a parameter has no type", tool)
					}
				}
			}
			if c, ok := table["command"].(map[string]any); ok {
				holds("tools.command.", c)
			}
		}
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
			t.Fatalf("there is no host %s", name)
		}
		if got := filepath.ToSlash(h.Path(p)); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}
