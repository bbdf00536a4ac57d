// Demo drives grizzly as a JP host does, on a sample library, and prints what happens.
//
// It starts the server as a process, searches, answers the questions of the tool, and checks that the note was
// created. This program also acts as Bear: the server starts it again as its opener, with the URL of the new note.
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

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
	"github.com/jptool/jptool/examples/internal/story"
	"github.com/jptool/jptool/sdk/jp/jpdoc"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 2 && strings.HasPrefix(os.Args[1], "bear://"):
		err = playBear(os.Args[1])
	case len(os.Args) == 2:
		err = run(os.Args[1])
	default:
		err = errors.New("usage: demo GRIZZLY, where GRIZZLY is the path to the server")
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
	dir, err := os.MkdirTemp("", "grizzly-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	library := filepath.Join(dir, "database.sqlite")
	if err := beartest.WriteSample(library); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	cmd := exec.Command(path, "--jp", "--note-create", "--db", library, "--opener", self)
	cmd.Env = append(os.Environ(), libraryVariable+"="+library)
	if err := story.Tell(ctx, "grizzly", cmd, steps); err != nil {
		return err
	}
	story.Say("\nDone. Every answer came from the server.")
	return nil
}

var steps = []story.Step{
	{Title: "A search", Tool: "note_search", Arguments: `{"queries":["basil"]}`, Expect: "Basil on the windowsill"},
	{Title: "Two lines of a note", Tool: "note_get", Arguments: `{"ids":["8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A01"],"lines":["8-9"]}`, Expect: "Roast"},
	{Title: "A question, an answer, a created note", Tool: "note_create",
		Arguments: `{"title":"Pesto","tags":["Cooking"],"content":"Basil, pine nuts, oil, and no heat."}`, Answer: person, Expect: "Created the note"},
	{Title: "The note is there", Tool: "note_search", Arguments: `{"queries":["pesto"]}`, Expect: `title="Pesto"`},
}

// person answers the questions of the tool.
func person(_ context.Context, q jpdoc.Question) (json.RawMessage, error) {
	story.Say("the tool asks [%s]: %s", q.ID, q.Text)
	if q.PreAmble != "" {
		story.Say("%s", story.Indent(q.PreAmble))
	}
	answer := map[string]string{"new-tag": `"cooking"`, "confirm-create": "true"}[q.ID]
	if answer == "" {
		return nil, fmt.Errorf("unexpected question %q", q.ID)
	}
	story.Say("the person answers: %s", answer)
	return json.RawMessage(answer), nil
}
