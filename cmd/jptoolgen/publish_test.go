package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/cli"
)

// The server.json of each example, on its own and hosted, matches the registry's schema and lists every flag that the
// help of the program lists, and the variables that the program reads.
func TestPublishedExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the examples twice")
	}
	data, err := os.ReadFile("internal/registry/testdata/server.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, arguments string
		variables       []string
	}{
		{"hello", "", []string{"HELLO_TOOLSETS", "JPTOOL_STATE_KEYS"}},
		{"grizzly", "", []string{"GRIZZLY_DB", "RUST_LOG", "GRIZZLY_NOTE_SEARCH_MAX_RESULTS"}},
		{"bookworm", "mcp", []string{"BOOKWORM_CACHE_DIR", "WRM_LOG", "WRM_LOG_FILE"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir, err := filepath.Abs(filepath.Join("../../examples", tc.name))
			if err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(t.TempDir(), tc.name)
			build := exec.Command("go", "build", "-o", program, ".")
			build.Dir = dir
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			help, err := exec.Command(program, append(strings.Fields(tc.arguments), "--help")...).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, help)
			}
			for _, more := range [][]string{nil, {"--remote", "https://tools.example.com/mcp"}, {"--image", "ghcr.io/us/x:1.0.0"}} {
				args := append([]string{"publish", "--dry-run", dir}, more...)
				args = append(append(args, "--"), strings.Fields(tc.arguments)...)
				var out, errs strings.Builder
				env := cli.Env{Dir: t.TempDir(), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
				if status := cli.Run(t.Context(), env, args); status != 0 {
					t.Fatalf("%q: status %d: %s", args, status, errs.String())
				}
				var value any
				if err := json.Unmarshal([]byte(out.String()), &value); err != nil {
					t.Fatal(err)
				}
				if err := resolved.Validate(value); err != nil {
					t.Errorf("%q: %v", args, err)
				}
				if more != nil && more[0] == "--remote" {
					continue // a hosted server has no program
				}
				flags := regexp.MustCompile(`(?m)^ +(?:-\w, )?(--[\w-]+)`).FindAllStringSubmatch(string(help), -1)
				if len(flags) < 20 {
					t.Fatalf("the help has %d flags: %s", len(flags), help)
				}
				for _, flag := range flags {
					if !strings.Contains(out.String(), `"name": "`+flag[1]+`"`) {
						t.Errorf("%q: %s is not listed", args, flag[1])
					}
				}
				for _, variable := range tc.variables {
					if !strings.Contains(out.String(), `"name": "`+variable+`"`) {
						t.Errorf("%q: %s is not listed", args, variable)
					}
				}
			}
		})
	}
}
