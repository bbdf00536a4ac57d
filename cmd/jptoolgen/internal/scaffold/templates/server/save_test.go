package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jptest"
)

func TestSaveAsksBeforeItReplaces(t *testing.T) {
	root := t.TempDir()
	kit := jptest.NewWith(t, NewServer(&MyNotes{}), jptest.Options{Root: root})
	kit.Call("save", map[string]any{"path": "a.txt", "text": "one"}).OK(t)
	kit.Call("save", map[string]any{"path": "a.txt", "text": "two"}, jptest.Answer("replace", false)).Failed(t, fault.Conflict)
	wantFile(t, filepath.Join(root, "a.txt"), "one")
	kit.Call("save", map[string]any{"path": "a.txt", "text": "two"}, jptest.Answer("replace", true)).OK(t)
	wantFile(t, filepath.Join(root, "a.txt"), "two")
}

// FuzzSave calls the tool with generated arguments; run it with: go test -fuzz FuzzSave
func FuzzSave(f *testing.F) { jptest.Fuzz(f, NewServer(&MyNotes{}), "save") }

func wantFile(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", path, got, err, want)
	}
}
