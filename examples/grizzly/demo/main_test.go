package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain runs the test binary as Bear if the environment asks for it, as main does.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && strings.HasPrefix(os.Args[1], "bear://") {
		if err := playBear(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func TestTell(t *testing.T) {
	if err := run(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a story without a server: no error")
	}
	server := filepath.Join(t.TempDir(), "grizzly")
	if out, err := exec.Command("go", "build", "-o", server, "..").CombinedOutput(); err != nil {
		t.Fatalf("building the server: %v\n%s", err, out)
	}
	if err := run(server); err != nil {
		t.Error(err)
	}
}
