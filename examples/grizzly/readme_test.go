package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/notes"
)

// The README mentions every setting of the server, and no others.
func TestReadme(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	want := []string{
		"Enable transitional JP tool protocol. Will be replaced by typed content blocks per RFD 058.",
	}
	known := map[string]bool{}
	for _, tool := range notes.NewServer(&notes.Notes{}).Contract().Tools {
		want = append(want, "| `"+tool.Name+"` |")
		for _, q := range tool.Questions {
			want = append(want, "| `"+q.ID+"` | `"+tool.Name+"` |")
			known[q.ID] = true
		}
		var options struct {
			Properties map[string]struct{ Default json.RawMessage }
		}
		if err := json.Unmarshal([]byte(tool.Options), &options); err != nil {
			t.Fatal(err)
		}
		for name, option := range options.Properties {
			value := string(option.Default)
			if value == "" {
				value = "false"
			}
			want = append(want, "| `"+tool.Name+"."+name+"` | "+value+" |")
			known[name] = true
		}
	}
	help, err := command(t, nil, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--db", "--note-create", "--opener"} {
		if !strings.Contains(string(help), "      "+flag+" ") {
			t.Errorf("--help lacks %s", flag)
		}
		want = append(want, "| `"+flag)
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
	t.Parallel()
	want, err := os.ReadFile("internal/notes/jp.lock.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := command(t, nil, "contract").Output()
	if err != nil || string(got) != string(want) {
		t.Errorf("%v; %d bytes, want %d as in the file", err, len(got), len(want))
	}
}
