package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

func TestTell(t *testing.T) {
	if err := run(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a story without a server: no error")
	}
	server := filepath.Join(t.TempDir(), "bookworm")
	if out, err := exec.Command("go", "build", "-o", server, "..").CombinedOutput(); err != nil {
		t.Fatalf("building the server: %v\n%s", err, out)
	}
	if err := run(server); err != nil {
		t.Error(err)
	}
}
