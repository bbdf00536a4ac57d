package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestRefused runs the generator once on all programs in testdata/refused. Each archive contains packages below
// example.com/m, and the findings that they must have (want). UPDATE_SCRIPTS=1 rewrites the findings.
func TestRefused(t *testing.T) {
	archives := readArchives(t, "testdata/refused")
	dir := sameDir(t)
	requireHere(t, dir, "example.com/m")
	for name, a := range archives {
		for _, f := range a.Files {
			if f.Name == "want" {
				continue
			}
			file := filepath.Join(dir, name, filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			source := bytes.ReplaceAll(f.Data, []byte(`"example.com/m`), []byte(`"example.com/m/`+name))
			if err := os.WriteFile(file, source, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := findings(t, dir)
	for name, a := range archives {
		t.Run(name, func(t *testing.T) {
			found := strings.ReplaceAll(got[name], "example.com/m/"+name, "example.com/m")
			want := &a.Files[len(a.Files)-1]
			if want.Name != "want" {
				t.Fatalf("the last file is %s, not want", want.Name)
			}
			if found == string(want.Data) {
				return
			}
			if os.Getenv("UPDATE_SCRIPTS") == "" {
				t.Fatalf("got the findings\n%s\nwant\n%s", found, want.Data)
			}
			want.Data = []byte(found)
			if err := os.WriteFile("testdata/refused/"+name+".txtar", txtar.Format(a), 0o666); err != nil {
				t.Fatal(err)
			}
		})
		delete(got, name)
	}
	for name, text := range got {
		t.Errorf("findings in %q, which is not an archive:\n%s", name, text)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && (d.Name() == "jp_gen.go" || d.Name() == "jp.lock.json") {
			t.Errorf("the generator wrote %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func readArchives(t *testing.T, dir string) map[string]*txtar.Archive {
	t.Helper()
	files, err := filepath.Glob(dir + "/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives in %s: %v", dir, err)
	}
	all := map[string]*txtar.Archive{}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".txtar")] = a
	}
	return all
}

// Servers of several archives have the same name, which is only correct because the archives share no module elsewhere.
var sameServer = regexp.MustCompile(`: JP403: server name \w+ is already used at (\w+)/`)

// findings runs the generator on the module in dir, and returns the findings by top-level directory, with paths
// relative to that directory.
func findings(t *testing.T, dir string) map[string]string {
	t.Helper()
	cmd := exec.Command("jptoolgen", "./...")
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOPROXY=off", goFlags, "GOTOOLCHAIN=local", "XDG_CACHE_HOME="+t.TempDir()), environment(t, "GOCACHE")...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("jptoolgen: %v\n%s", err, &stderr)
	}
	all := map[string]string{}
	for line := range strings.Lines(stderr.String()) {
		name, rest, _ := strings.Cut(line, "/")
		if other := sameServer.FindStringSubmatch(rest); other == nil || other[1] == name {
			all[name] += rest
		}
	}
	return all
}
