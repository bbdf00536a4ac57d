package scaffold

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/hostconfig"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/templates"
)

// UPDATE_PROJECT=1 rewrites the expected files of a project.
func TestProject(t *testing.T) {
	const golden = "testdata/project.txtar"
	files, err := Project{Name: "my-notes", Module: "example.com/team/notes/v2", Version: "v1.2.3"}.Files()
	if err != nil {
		t.Fatal(err)
	}
	var archive txtar.Archive
	for _, f := range files {
		archive.Files = append(archive.Files, txtar.File{Name: f.Path, Data: f.Data})
	}
	got := txtar.Format(&archive)
	if os.Getenv("UPDATE_PROJECT") != "" {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the files of a new project differ from %s:\n%s", golden, got)
	}
}

// The template for JP's configuration equals the output of "config jp" for the template's tool.
func TestJPConfiguration(t *testing.T) {
	text, err := os.ReadFile("../../../../templates/server/jp.lock.json")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := lock.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	contract.Tools = slices.DeleteFunc(contract.Tools, func(tool manifest.Tool) bool { return tool.Name != "save" })
	jp, ok := hostconfig.Find("jp")
	if !ok {
		t.Fatal("unknown host jp")
	}
	entry := hostconfig.Entry{
		Name: "my-notes", Command: []string{"PROGRAM"}, As: hostconfig.JPLocal, Contract: contract,
	}
	want, err := jp.Merge(nil, entry, false)
	if err != nil {
		t.Fatal(err)
	}
	got, err := templates.Files.ReadFile("project/jp.toml")
	if err != nil || string(got) != string(want) {
		t.Errorf("%v; the template is\n%s\nwant\n%s", err, got, want)
	}
}

func TestProjectRefusesNames(t *testing.T) {
	for _, p := range []Project{
		{Name: ""}, {Name: "Notes"}, {Name: "1x"}, {Name: "../x"}, {Name: "a b"}, {Name: strings.Repeat("a", 41)},
		{Name: "x", Module: "has space"}, {Name: "x", Module: "../up"}, {Name: "x", Module: "nodot"},
	} {
		if _, err := p.Files(); err == nil {
			t.Errorf("%+v was accepted", p)
		}
	}
}

func TestWriteReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "b"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := Write(dir, []File{{"a", []byte("new")}, {"b", []byte("new")}})
	if !errors.Is(err, fs.ErrExist) || !strings.HasPrefix(err.Error(), "b: ") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a was written although b could not be")
	}
	if err := Write(dir, []File{{"c", []byte("new")}, {"c/d", []byte("new")}}); err == nil {
		t.Error("a file below a file was written")
	} else if _, err := os.Stat(filepath.Join(dir, "c")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("c stays although c/d could not be written")
	}
	if err := Write(dir, []File{{"../up", nil}}); err == nil {
		t.Error("a file above the directory was written")
	}
	if err := Write(dir, []File{{"deep/er/c", []byte("new")}}); err != nil {
		t.Error(err)
	}
}

// The go command treats some file names specially.
func TestToolIsBuiltEverywhere(t *testing.T) {
	dir := t.TempDir()
	source := "package main\n\n// Notes keeps notes.\n//\n//jp:server\ntype Notes struct{}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"word_count": "word_count.go", "test": "test.go", "linux": "linux.go", "unix": "unix.go",
		"run_test": "run_test_tool.go", "save_windows": "save_windows_tool.go",
		"to_arm64": "to_arm64_tool.go", "on_js_wasm": "on_js_wasm_tool.go",
	} {
		files, err := Add(dir, "tool", name)
		if err != nil {
			t.Fatal(err)
		}
		if got := files[0].Path; got != want {
			t.Errorf("the source of %s is %s, want %s", name, got, want)
		}
		if got := files[1].Path; got != strings.TrimSuffix(want, ".go")+"_test.go" {
			t.Errorf("the test of %s is %s", name, got)
		}
	}
}
