//go:build programs

package sdk_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// typescript returns a directory with the official TypeScript client. The versions and digests of its
// packages are those in the lock file.
func typescript(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "typescript"))); err != nil {
		t.Fatal(err)
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir, install.WaitDelay = dir, time.Second
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v: %s", err, out)
	}
	return dir
}

func TestTypeScriptClient(t *testing.T) {
	dir := typescript(t)
	for era, version := range map[string]string{"legacy": "2025-11-25", "modern": "2026-07-28"} {
		t.Run(era, func(t *testing.T) {
			for _, s := range scenarios {
				s = s.again(true)
				t.Run(s.name, func(t *testing.T) {
					got := runTypeScript(t, dir, era, version, s)
					if want := (ending{s.text, s.code, len(s.steps)}); got != want {
						t.Errorf("ended with %+v, want %+v", got, want)
					}
				})
			}
		})
	}
}

func runTypeScript(t *testing.T, dir, era, version string, s scenario) ending {
	responses := make([]json.RawMessage, len(s.steps))
	for i, step := range s.steps {
		responses[i] = json.RawMessage(s.next(t, i, step.id, step.message))
	}
	script, err := json.Marshal(responses)
	if err != nil {
		t.Fatal(err)
	}
	server := command(t)
	cmd := exec.CommandContext(t.Context(), "node", append([]string{"call.mjs", era, s.tool, s.arguments, string(script)}, server.Args...)...)
	cmd.Dir, cmd.Env = dir, server.Env
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var end struct {
		Tools   int
		Version string
		Asked   []string
		Result  result
		Error   string
	}
	if err := json.Unmarshal(out, &end); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	if end.Tools < 10 || end.Version != version {
		t.Errorf("%d tools over version %q", end.Tools, end.Version)
	}
	for i, message := range end.Asked {
		s.next(t, i, "", message)
	}
	if end.Error != "" {
		// The client checks answers itself and aborts the call.
		if s.code == "invalid_answer" && strings.Contains(end.Error, "requested schema") {
			return ending{code: s.code, asked: len(end.Asked)}
		}
		t.Fatalf("the client failed: %s", end.Error)
	}
	return end.Result.ending(len(end.Asked))
}

// TestResourcesForTypeScript uses every part of resources and prompts with the official client.
func TestResourcesForTypeScript(t *testing.T) {
	dir := typescript(t)
	for era, version := range map[string]string{"legacy": "2025-11-25", "modern": "2026-07-28"} {
		server := libraryCommand(t)
		cmd := exec.CommandContext(t.Context(), "node", append([]string{"library.mjs", era}, server.Args...)...)
		cmd.Dir, cmd.Env = dir, server.Env
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v: %s", era, err, out)
		}
		want := `{"version":"` + version + `","resources":17,"cursor":false,"templates":4,"prompts":2,` +
			`"library://about":"A library of notes.","note://3":"# Note 3\n","note://7":"# Note 7\n",` +
			`"diary://2":"Dear diary, this is page 2.","manual://index.md":"# Manual\n\nStart here.\n",` +
			`"note://99":"error -32602 there is no note \"99\"","entry":"Write a page of a diary. The mood is calm.",` +
			`"summarize":3,"complete":["10","11","12"],"told":["updated note://1","list"]}`
		if !equalJSON(t, string(out), want) {
			t.Errorf("%s: %s, want %s", era, out, want)
		}
	}
}
