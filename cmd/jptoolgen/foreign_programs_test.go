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

// The servers use the TypeScript SDK, pinned by a lock file: the SDK's reference server, a server for version 1
// of the SDK that asks on its own stream, and a server for version 2 that supports both generations of MCP.
func TestTypeScriptServers(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "everything"))); err != nil {
		t.Fatal(err)
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir, install.WaitDelay = dir, time.Second
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v: %s", err, out)
	}
	everything := filepath.Join(dir, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js")
	server := exec.CommandContext(t.Context(), "node", everything, "streamableHttp")
	server.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", freePort(t)))
	for name, a := range map[string]foreignServer{
		"everything, over stdio": {program: []string{"node", everything}},
		"everything, over HTTP":  {address: startOnPort(t, server)},
	} {
		a.shows = "MCP 2025-11-25"
		a.call, a.says = []string{"echo", "message=hello"}, "Echo: hello"
		a.asks, a.told = []string{"trigger-elicitation-request", "--answer=name=Kim"}, "Kim"
		t.Run(name, func(t *testing.T) { meet(t, a) })
	}
	stream := exec.CommandContext(t.Context(), "node", filepath.Join(dir, "stream.mjs"))
	for name, a := range map[string]foreignServer{
		"that asks on its own stream": {address: startOnPort(t, stream), shows: "MCP 2025-11-25", call: []string{"ask"}},
		"that speaks all versions":    {program: []string{"node", filepath.Join(dir, "push.mjs")}, shows: "MCP 2026-07-28", call: []string{"push"}},
	} {
		a.call, a.says = append(a.call, "--answer=name=Kim"), "for Kim"
		a.asks, a.told = a.call, a.says
		t.Run(name, func(t *testing.T) { meet(t, a) })
	}
}

// freePort returns a free port. The server needs one because it cannot inherit a listener.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
