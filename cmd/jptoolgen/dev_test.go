package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client's session continues when a tool is added to the source, and the child processes of the replaced
// program exit.
func TestDevKeepsTheSession(t *testing.T) {
	t.Parallel()
	dir := sameDir(t)
	requireHere(t, dir, "example.com/shelf")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const tool = "\n// %[1]s says its name.\n//\n//jp:tool readonly=true\nfunc (*Shelf) %[1]s(context.Context) (string, error) { return %[1]q, nil }\n"
	write("main.go", "package main\n\nimport (\n\t\"context\"\n\t\"os/exec\"\n\n\t\"github.com/jptool/jptool/sdk\"\n)\n\n// Shelf has tools.\n//\n//jp:server\ntype Shelf struct{}\n\nfunc main() { _ = exec.Command(\"hostile\", \"child\").Start(); sdk.Main(NewServer(&Shelf{})) }\n"+fmt.Sprintf(tool, "First"))

	alive, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(alive, "jptoolgen", "dev")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	address, children := listenForChild(t)
	cmd.Env = append(append(os.Environ(), "GOPROXY=off", goFlags, "HOSTILE_ADDRESS="+address, "XDG_CACHE_HOME="+t.TempDir()), environment(t, "GOCACHE")...)
	changed := make(chan struct{}, 8)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
	})
	session, err := client.Connect(alive, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := func() (names []string) {
		t.Helper()
		list, err := session.ListTools(alive, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		return names
	}
	if got := names(); !slices.Equal(got, []string{"first"}) {
		t.Fatalf("got %v", got)
	}
	write("second.go", "package main\n\nimport \"context\"\n"+fmt.Sprintf(tool, "Second"))
	select {
	case <-changed:
	case <-alive.Done():
		t.Fatal("the client was not notified")
	}
	expectEnded(t, <-children)
	if got := names(); !slices.Equal(got, []string{"first", "second"}) {
		t.Errorf("got %v", got)
	}
	if err := session.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
}
