package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/kiosk"
	"github.com/jptool/jptool/internal/longcalls"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/tasks/filestore"
)

// In scripts, the test binary acts as jptoolgen and as several servers.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"jptoolgen": main, "kiosk": kiosk.Main, "hostile": serveHostile, "foreign": serveForeign,
		"recorded": serveRecorded, "asking": serveAsking, "offering": serveOffering, "xdg-open": browser, "open": browser,
		"keepprogram": keepProgram,
		"longcalls": func() {
			server := longcalls.NewServer(&longcalls.Calls{})
			filestore.Use(server)
			sdk.Main(server)
		},
	})
}

// TestScripts runs testdata/script. UPDATE_SCRIPTS=1 rewrites the expected output in the scripts.
func TestScripts(t *testing.T) {
	goEnv := environment(t, "GOCACHE", "GOMODCACHE", "GOROOT")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		WorkdirRoot:         sameDir(t),
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, goEnv...)
			env.Vars = append(env.Vars, "GOPROXY=off", goFlags, "GOTOOLCHAIN=local", "XDG_CACHE_HOME="+filepath.Join(env.WorkDir, ".cache"), "GORACE="+os.Getenv("GORACE"), "ROOT="+root)
			// The programs of the scripts, including this one, come first in PATH.
			bin, _, _ := strings.Cut(env.Getenv("PATH"), string(os.PathListSeparator))
			env.Vars = append(env.Vars, "JPTOOLGEN="+filepath.Join(bin, "jptoolgen"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"build": build, "crlf": crlf, "module": module, "replace": replace, "status": status,
		},
	})
}

// Every code occurs in a script together with its message.
func TestEveryCodeIsShown(t *testing.T) {
	var all strings.Builder
	for _, dir := range []string{"testdata/script", "testdata/refused"} {
		for _, a := range readArchives(t, dir) {
			all.Write(txtar.Format(a))
		}
	}
	for _, k := range diag.Kinds() {
		if !strings.Contains(all.String(), ": "+string(k.Code)+": ") {
			t.Errorf("no script shows %s, %s", k.Code, k.Title)
		}
	}
}

// skipIfShort skips a test that builds many programs.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("make test-all runs this test")
	}
}

func environment(t *testing.T, names ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatalf("go env: %v", err)
	}
	var vars []string
	for i, value := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		vars = append(vars, names[i]+"="+value)
	}
	return vars
}

// requireHere makes dir a module with the given path that requires the source of this checkout.
func requireHere(t *testing.T, dir, path string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := writeModule(root, dir, path); err != nil {
		t.Fatal(err)
	}
}

// goFlags makes the go command work in modules that [writeModule] writes. Without debug information, which the
// tests do not need, it links a program in half the time.
const goFlags = "GOFLAGS=-mod=mod -ldflags=-w"

// module makes the current directory a module with the given path that requires this
// module.
func module(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: module PATH")
	}
	ts.Check(writeModule(ts.Getenv("ROOT"), ts.MkAbs("."), args[0]))
}

// writeModule makes dir a module with the given path that requires the module at root and its
// dependencies.
func writeModule(root, dir, path string) error {
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	_, requirements, _ := strings.Cut(string(own), "\n")
	const ours = "github.com/jptool/jptool"
	text := fmt.Sprintf("module %s\n%s\nrequire %s v0.0.0\n\nreplace %s => %s\n", path, requirements, ours, ours, root)
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644),
		os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
}

// status runs jptoolgen, or a program of the script whose name ends in .exe, and checks its exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status STATUS WORD...")
	}
	got, program, words := 0, "jptoolgen", args[1:]
	if strings.HasSuffix(words[0], ".exe") {
		program, words = ts.MkAbs(words[0]), words[1:]
	}
	if err := ts.Exec(program, words...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("status %d, want %s", got, args[0])
	}
}

// crlf gives a file Windows line ends and a byte order mark: crlf FILE.
func crlf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: crlf FILE")
	}
	text := "\ufeff" + strings.ReplaceAll(ts.ReadFile(args[0]), "\n", "\r\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// replace replaces text that occurs exactly once in a file.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if n := strings.Count(text, args[1]); n != 1 {
		ts.Fatalf("%s has %q %d times", args[0], args[1], n)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Replace(text, args[1], args[2], 1)), 0o666))
}
