package registry_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/registry"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// settings have every kind of flag and variable.
var settings = manifest.Settings{
	Flags: []manifest.Setting{
		{Name: "--http", Description: "serve HTTP", Type: "string", Value: "HOST:PORT"},
		{Name: "--max-calls", Description: "calls", Type: "number", Default: "256"},
		{Name: "--option", Description: "an option", Type: "string", Repeated: true},
		{Name: "--token-file", Description: "a file", Type: "filepath"},
		{Name: "--quiet", Type: "boolean"},
	},
	Variables: []manifest.Setting{
		{Name: "NOTES_TOKEN", Description: "The token.", Type: "string", Secret: true, Required: true},
		{Name: "NOTES_ORDER", Type: "string", Default: "new", Choices: []string{"new", "old"}},
	},
}

// document returns a document without problems.
func document() *registry.Document {
	return &registry.Document{
		Name: "io.github.user/notes", Description: "Keeps notes.", Version: "1.2.0",
		Repository: &registry.Repository{URL: "https://github.com/user/notes", Source: "github"},
		Packages: []registry.Package{
			{RegistryType: "mcpb", Identifier: "https://github.com/user/notes/releases/download/v1.2.0/notes.mcpb", Version: "1.2.0", FileSHA256: strings.Repeat("0a", 32)},
			{RegistryType: "oci", Identifier: "ghcr.io/user/notes:1.2.0"},
		},
		Remotes: []registry.Remote{{Type: "streamable-http", URL: "https://notes.example.com/mcp"}},
	}
}

func TestDocumentMatchesTheSchema(t *testing.T) {
	d := document()
	d.Fill([]string{"mcp"}, settings)
	text, err := d.Text()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/server.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	var value any
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(value); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	delete(value.(map[string]any), "version")
	if resolved.Validate(value) == nil {
		t.Error("the schema accepts a document without a version")
	}
	for _, s := range append(settings.Flags, settings.Variables...) {
		if n := strings.Count(string(text), `"`+s.Name+`"`); n != len(d.Packages) {
			t.Errorf("%s is listed %d times", s.Name, n)
		}
	}
	if again, err := registry.Read(text); err != nil || !registry.IsOurs(text) {
		t.Errorf("the document cannot be read: %v", err)
	} else if same, err := again.Text(); err != nil || string(same) != string(text) {
		t.Errorf("the document changes when it is read and written: %v\n%s", err, same)
	}
	if problems := d.Problems(); problems != nil {
		t.Errorf("problems: %q", problems)
	}
}

func TestProblems(t *testing.T) {
	for want, change := range map[string]func(*registry.Document){
		`name "notes" must be a domain`:                    func(d *registry.Document) { d.Name = "notes" },
		`name "a/b/c" must be`:                             func(d *registry.Document) { d.Name = "a/b/c" },
		`description must have 1 to 100`:                   func(d *registry.Document) { d.Description = "" },
		`description must have 1 to 100 characters, not 1`: func(d *registry.Document) { d.Description = strings.Repeat("x", 101) },
		`title must have at most`:                          func(d *registry.Document) { d.Title = strings.Repeat("x", 101) },
		`version is missing`:                               func(d *registry.Document) { d.Version = "" },
		`version "latest" must be one`:                     func(d *registry.Document) { d.Version = "latest" },
		`version "^1.2.0" must be one`:                     func(d *registry.Document) { d.Version = "^1.2.0" },
		`mcpb version "1.x" must be one`:                   func(d *registry.Document) { d.Packages[0].Version = "1.x" },
		`repository "user/notes" must be a URL`:            func(d *registry.Document) { d.Repository.URL = "user/notes" },
		`there is no way to run`:                           func(d *registry.Document) { d.Packages, d.Remotes = nil, nil },
		`must be the https URL of a release`:               func(d *registry.Document) { d.Packages[0].Identifier = "https://example.com/notes.mcpb" },
		`must contain "mcp"`:                               func(d *registry.Document) { d.Packages[0].Identifier = "https://github.com/user/notes/notes.zip" },
		`needs the SHA-256 digest`:                         func(d *registry.Document) { d.Packages[0].FileSHA256 = "" },
		`must end with a version`:                          func(d *registry.Document) { d.Packages[1].Identifier = "ghcr.io:443/user/notes" },
		`must contain the registry and the version`:        func(d *registry.Document) { d.Packages[1].Version = "1.2.0" },
		`remote "http://notes.example.com/mcp" must be`:    func(d *registry.Document) { d.Remotes[0].URL = "http://notes.example.com/mcp" },
		`remote "https://127.0.0.1/mcp" must be`:           func(d *registry.Document) { d.Remotes[0].URL = "https://127.0.0.1/mcp" },
		`remote type "stdio" must be`:                      func(d *registry.Document) { d.Remotes[0].Type = "stdio" },
	} {
		d := document()
		change(d)
		if got := strings.Join(d.Problems(), "\n"); !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}

func TestNameOf(t *testing.T) {
	for path, want := range map[string]string{
		"github.com/user/tools/v2": "io.github.user/notes https://github.com/user/tools",
		"github.com/user/tools/x":  "io.github.user/notes https://github.com/user/tools",
		"example.com/notes":        "com.example/notes -",
		"notes":                    " -",
	} {
		name, r := registry.NameOf(path, "notes")
		got := name + " -"
		if r != nil {
			got = name + " " + r.URL
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
