package hostconfig

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// JP rejects a script whose second line is not valid (crates/jp_plugin/src/manifest.rs).
func TestPlugin(t *testing.T) {
	for name, tt := range map[string]struct {
		description, program string
		want                 string // the description, or the error
	}{
		"a sentence":          {"Keeps notes. It also \"finds\" them.", "notes", "Keeps notes."},
		"control characters":  {"Keeps\x1b[1m \"notes\"\n\n& <more>\u2028", "notes", "Keeps [1m \"notes\" & <more>"},
		"no description":      {" \n", "notes", "notes server"},
		"a long description":  {strings.Repeat("x", 65<<10), "notes", "the first sentence of the server's description is too long"},
		"a mark":              {"Is a jp-plugin/v1 {}.", "notes", `contains "jp-plugin/v", which JP accepts only once`},
		"a mark in a program": {"Keeps notes.", "/opt/jp-plugin/v2", `contains "jp-plugin/v", which JP accepts only once`},
		"a line break":        {"Keeps notes.", "a\nb", "the command contains a control character"},
	} {
		server := &manifest.Server{Name: "notes server", Description: tt.description}
		e := Entry{Name: "n", As: JPPlugin, Command: []string{tt.program, "it's"}, Contract: server}
		file, script, err := e.Plugin()
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: got %v, want %q", name, err, tt.want)
			}
			continue
		}
		lines := strings.Split(string(script), "\n")
		var line struct {
			Protocol    int
			Description string
			Command     []string
		}
		text, ok := strings.CutPrefix(lines[1], "# jp-plugin/v1 ")
		err = json.Unmarshal([]byte(text), &line)
		if !ok || err != nil || line.Protocol != 12 || line.Description != tt.want ||
			!slices.Equal(line.Command, []string{server.Name}) {
			t.Errorf("%s: got %v from %q", name, err, lines[1])
		}
		if file != "jp-n" || len(lines) != 4 || lines[0] != "#!/bin/sh" || lines[2] != `exec notes 'it'\''s' plugin` {
			t.Errorf("%s: got %s with %q", name, file, script)
		}
		if changes, err := ComparePlugin(file, script, script); err != nil || len(changes) > 0 {
			t.Errorf("%s: %v, %v", name, changes, err)
		}
	}
}

func TestComparePlugin(t *testing.T) {
	const script = "#!/bin/sh\n# jp-plugin/v1 {}\nexec a plugin\n"
	for old, want := range map[string]bool{ // whether the file may be replaced
		"":                             false,
		"#!/bin/sh\n":                  false,
		script + "\n":                  false,
		strings.TrimSpace(script):      false,
		"#!/bin/bash" + script[9:]:     false,
		"#!/bin/sh\n\nexec a plugin\n": false,
		strings.Replace(script, "exec a", "exec b", 1): true,
		strings.Replace(script, "{}", "{\"a\":1}", 1):  true,
	} {
		changes, err := ComparePlugin("jp-n", []byte(old), []byte(script))
		if (err == nil) != want || want && len(changes) != 1 {
			t.Errorf("%q: got %v, %v", old, changes, err)
		}
	}
}
