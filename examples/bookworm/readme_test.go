package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/bookworm/internal/crates"
)

// The README mentions every flag and variable of bookworm, and no others.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	want := []string{"Enable transitional JP tool protocol. Will be replaced by typed content blocks per RFD 058."}
	known := map[string]bool{}
	for _, tool := range crates.NewServer(&crates.Crates{}).Contract().Tools {
		want = append(want, "\n| `"+tool.Name+"` |")
		for _, q := range tool.Questions {
			row := regexp.MustCompile("(?m)^\\| `" + q.ID + "` \\|.*`" + tool.Name + "`")
			if !row.MatchString(readme) {
				t.Errorf("the README lacks question %s of %s", q.ID, tool.Name)
			}
			known[q.ID] = true
		}
		var options struct {
			Properties map[string]struct{ Default json.RawMessage }
		}
		if err := json.Unmarshal(tool.Options, &options); err != nil {
			t.Fatal(err)
		}
		for name, option := range options.Properties {
			row := regexp.MustCompile(fmt.Sprintf("(?m)^\\| `%s` \\| (all|.*`%s`.*) \\| %s \\|", name, tool.Name, option.Default))
			if !row.MatchString(readme) {
				t.Errorf("the README lacks option %s of %s, default %s", name, tool.Name, option.Default)
			}
			known[name] = true
		}
	}
	for flag, variable := range variables {
		row := regexp.MustCompile("(?m)^\\| `--" + flag + "( [A-Z]+)?` \\| `" + variable + "` \\|")
		if !row.MatchString(readme) {
			t.Errorf("the README lacks --%s and %s", flag, variable)
		}
	}
	for _, text := range want {
		if !strings.Contains(readme, text) {
			t.Errorf("the README lacks %q", text)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^(?:questions|options)\.([a-z_-]+)`).FindAllStringSubmatch(readme, -1) {
		if !known[m[1]] {
			t.Errorf("the README configures %q, which is not there", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`(?s)`+"```json\n(.*?)```").FindAllStringSubmatch(readme, -1) {
		if !json.Valid([]byte(m[1])) {
			t.Errorf("the README contains invalid JSON:\n%s", m[1])
		}
	}
}

// The binary prints the published contract.
func TestPrintedContract(t *testing.T) {
	want, err := os.ReadFile("internal/crates/jp.lock.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := newSandbox(t).command(t, "mcp", "contract").Output()
	if err != nil || string(got) != string(want) {
		t.Errorf("%v; %d bytes, want %d as in the file", err, len(got), len(want))
	}
}
