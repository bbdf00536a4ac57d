// Demo drives bookworm as a JP host would, and tells what happens.
//
// It serves a small crate over HTTP, as crates.io and docs.rs would, starts bookworm
// as a process that knows no other address, and lets it ask before it downloads.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/sdk/host"
	"github.com/jptool/jptool/sdk/wire"
)

func main() {
	err := errors.New("usage: demo BOOKWORM, the path of the server")
	if len(os.Args) == 2 {
		err = tell(os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// tell runs the story against the server at path.
func tell(path string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cache, err := os.MkdirTemp("", "bookworm-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	web := cratestest.New(cratestest.Sample("1.2.0", "1.1.0"))
	defer web.Close()
	say("%s plays crates.io and docs.rs, with the crate tea-time.", web.URL)
	// The crate is small, so the user of this story wants to be asked about a kilobyte.
	cmd := exec.Command(path, "mcp", "--jp", "--crates-io-url", web.URL, "--docs-rs-url", web.URL, "--cache", cache,
		"--option", "crate_search_items.confirm_above_bytes=1000")
	h, err := host.Start(ctx, cmd, host.Options{Stderr: os.Stderr, Trace: trace})
	if err != nil {
		return err
	}
	defer h.Close()
	tools, err := h.Tools(ctx)
	if err != nil {
		return err
	}
	say("bookworm is up, over a real pipe, with %d tools:", len(tools))
	for _, t := range tools {
		say("  %s", t.Name)
	}
	for _, step := range steps {
		say("\n== %s", step.title)
		say("the model calls %s %s", step.tool, step.arguments)
		reply, err := h.Call(ctx, step.tool, json.RawMessage(step.arguments), person(web))
		if err != nil {
			return err
		}
		if reply.Kind != host.OK || !strings.Contains(reply.Text, step.expect) {
			return fmt.Errorf("%s ended as %s: %s", step.tool, reply.Kind, reply.Text)
		}
		say("the model reads:\n%s", indent(reply.Text))
	}
	say("\nThe story is told; the archive was downloaded %d time, and every answer came from the server.", web.Count("GET", "/download"))
	return nil
}

// A step is one call of the story.
type step struct{ title, tool, arguments, expect string }

var steps = []step{
	{"A search for a crate", "crates_search", `{"query":"clock"}`, "<name>tea-time</name>"},
	{"A question before a download", "crate_search_items", `{"crate_name":"tea-time","query":"fill"}`, "tea_time::Teapot::fill"},
	{"Five lines of its source", "crate_resource", `{"uri":"crate://tea-time/1.2.0/src/tea_time/lib.rs#L105-L109"}`, "pub fn new"},
	{"The README", "crate_readme", `{"crate_name":"tea-time"}`, "by the clock"},
}

// person answers what the tool asks, before anything was downloaded.
func person(web *cratestest.Server) host.Answerer {
	return func(_ context.Context, q wire.Question) (json.RawMessage, error) {
		say("the tool asks [%s]: %s", q.ID, q.Text)
		if n := web.Count("GET", "/download"); q.ID != "confirm-fetch" || n > 0 {
			return nil, fmt.Errorf("the story has no answer to %q after %d downloads", q.ID, n)
		}
		say("the person answers: true")
		return json.RawMessage("true"), nil
	}
}

// trace shows the calls as they stand on the wire when asked to.
func trace(d host.Direction, line []byte) {
	if os.Getenv("DEMO_TRACE") != "" {
		fmt.Fprintf(os.Stderr, "%v %s\n", d, line)
	}
}

func say(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}
