// Demo drives bookworm as a JP host does, and prints what happens.
//
// It serves a small crate over HTTP in place of crates.io and docs.rs, starts bookworm as a process that uses
// only this server, and answers the question that bookworm asks before a download.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/jptool/jptool/examples/bookworm/internal/cratestest"
	"github.com/jptool/jptool/examples/internal/story"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/jphost"
)

func main() {
	err := errors.New("usage: demo BOOKWORM, where BOOKWORM is the path to the server")
	if len(os.Args) == 2 {
		err = run(os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// run runs the demo with the server program at path.
func run(path string) error {
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
	story.Say("%s acts as crates.io and docs.rs, and serves the crate tea-time.", web.URL)
	// The crate is small, so this user wants to be asked about downloads of more than a kilobyte.
	cmd := exec.Command(path, "mcp", "--jp", "--crates-io-url", web.URL, "--docs-rs-url", web.URL, "--cache", cache,
		"--option", "crate_search_items.confirm_above_bytes=1000")
	if err := story.Tell(ctx, "bookworm", cmd, steps(person(web))); err != nil {
		return err
	}
	story.Say("\nDone. Downloads of the archive: %d. Every answer came from the server.", web.Count("GET", "/download"))
	return nil
}

func steps(person jphost.Answerer) []story.Step {
	return []story.Step{
		{Title: "A search for a crate", Tool: "crates_search", Arguments: `{"query":"clock"}`, Expect: "<name>tea-time</name>"},
		{Title: "A question before a download", Tool: "crate_search_items", Arguments: `{"crate_name":"tea-time","query":"fill"}`, Answer: person, Expect: "tea_time::Teapot::fill"},
		{Title: "Five lines of its source", Tool: "crate_resource", Arguments: `{"uri":"crate://tea-time/1.2.0/src/tea_time/lib.rs.html#105-109"}`, Expect: "pub fn new"},
		{Title: "The README", Tool: "crate_readme", Arguments: `{"crate_name":"tea-time"}`, Expect: "by the clock"},
	}
}

// person answers the questions of the tool and checks that nothing was downloaded before.
func person(web *cratestest.Server) jphost.Answerer {
	return func(_ context.Context, q jpdoc.Question) (json.RawMessage, error) {
		story.Say("the tool asks [%s]: %s", q.ID, q.Text)
		if q.ID != "confirm-fetch" {
			return nil, fmt.Errorf("unexpected question %q", q.ID)
		}
		if n := web.Count("GET", "/download"); n > 0 {
			return nil, fmt.Errorf("downloads before the confirmation: %d", n)
		}
		story.Say("the person answers: true")
		return json.RawMessage("true"), nil
	}
}
