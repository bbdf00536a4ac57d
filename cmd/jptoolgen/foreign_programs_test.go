//go:build programs

package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// The reference server of the TypeScript SDK, by the versions and digests of its lock file.
func TestEverythingServer(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "everything"))); err != nil {
		t.Fatal(err)
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir, install.WaitDelay = dir, time.Second
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v: %s", err, out)
	}
	script := filepath.Join(dir, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js")
	server := exec.CommandContext(t.Context(), "node", script, "streamableHttp")
	server.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", freePort(t)))
	for name, a := range map[string]acquaintance{
		"standard streams": {program: []string{"node", script}},
		"HTTP":             {address: servingAt(t, server)},
	} {
		a.call, a.says = []string{"echo", "message=hello"}, "Echo: hello"
		a.asks, a.told = []string{"trigger-elicitation-request", "--answer=name=Kim"}, "Kim"
		t.Run(name, func(t *testing.T) { meet(t, a) })
	}
}

// freePort returns a port that nobody serves at. The server takes no listener.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
