package sdk_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// typescript returns a folder with the official TypeScript client in it, and an
// error that says why there is none. It is installed once, by the versions and
// digests of the lock file.
var typescript = sync.OnceValues(func() (string, error) {
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			return "", errors.New(program + " is not installed")
		}
	}
	dir, err := os.MkdirTemp("", "jptool-typescript-")
	if err != nil {
		return "", err
	}
	for _, name := range []string{"package.json", "package-lock.json", "call.mjs"} {
		data, err := os.ReadFile(filepath.Join("testdata", "typescript", name))
		if err != nil {
			return dir, err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return dir, err
		}
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir, install.WaitDelay = dir, time.Second
	if out, err := install.CombinedOutput(); err != nil {
		return dir, errors.New("npm ci: " + string(out))
	}
	return dir, nil
})

func TestTypeScriptClient(t *testing.T) {
	dir, err := typescript()
	if dir != "" {
		t.Cleanup(func() { os.RemoveAll(dir) })
	}
	if err != nil {
		t.Skipf("SKIPPED, no TypeScript client: %v", err)
	}
	for era, version := range map[string]string{"legacy": "2025-11-25", "modern": "2026-07-28"} {
		t.Run(era, func(t *testing.T) {
			for _, s := range scenarios {
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
		// The client checks answers itself and gives such a call up.
		if s.code == "invalid_answer" && strings.Contains(end.Error, "requested schema") {
			return ending{code: s.code, asked: len(end.Asked)}
		}
		t.Fatalf("the client failed: %s", end.Error)
	}
	return end.Result.ending(len(end.Asked))
}
