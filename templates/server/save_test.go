package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/access"
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

func TestSaveDoesNotAskIfFilesAreReadOnly(t *testing.T) {
	host := sdk.Host{Root: t.TempDir(), Access: &access.Policy{FS: []access.FSRule{{Path: ".", Read: true}}}}
	if err := os.WriteFile(filepath.Join(host.Root, "a.txt"), []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := NewServer(&MyNotes{}).Call(t.Context(), "save", json.RawMessage(`{"path":"a.txt","text":"two"}`), host)
	if fault.CodeOf(err) != fault.PermissionDenied {
		t.Errorf("got %v; want a permission_denied error", err)
	}
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
