// Demo drives grizzly as a JP host would, on a sample library, and tells what
// happens.
//
// It starts the server as a process, searches, lets the tool ask, answers, and
// looks for the note that was created. Bear itself is played by this program: the
// server starts it again as its opener, with the address of the new note.
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

	"github.com/jptool/jptool/sdk/host"
	"github.com/jptool/jptool/sdk/wire"

	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 2 && strings.HasPrefix(os.Args[1], "bear://"):
		err = playBear(os.Args[1])
	case len(os.Args) == 2:
		err = tell(os.Args[1])
	default:
		err = errors.New("usage: demo GRIZZLY, the path of the server")
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
	h, err := host.Start(ctx, cmd, host.Options{Stderr: os.Stderr, Trace: trace})
	if err != nil {
		return err
	}
	defer h.Close()

	tools, err := h.Tools(ctx)
	if err != nil {
		return err
	}
	say("grizzly is up, over a real pipe, with %d tools:", len(tools))
	for _, t := range tools {
		say("  %s", t.Name)
	}
	for _, step := range steps {
		say("\n== %s", step.title)
		say("the model calls %s %s", step.tool, step.arguments)
		reply, err := h.Call(ctx, step.tool, json.RawMessage(step.arguments), step.answer)
		if err != nil {
			return err
		}
		if reply.Kind != host.OK || !strings.Contains(reply.Text, step.expect) {
			return fmt.Errorf("%s ended as %s: %s", step.tool, reply.Kind, reply.Text)
		}
		say("the model reads:\n%s", indent(reply.Text))
	}
	say("\nThe story is told; every answer came from the server.")
	return nil
}

// A step is one call of the story.
type step struct {
	title, tool, arguments string
	answer                 host.Answerer
	expect                 string
}

var steps = []step{
	{"A search", "note_search", `{"queries":["basil"]}`, nil, "Basil on the windowsill"},
	{"A note, two lines of it", "note_get", `{"ids":["8B2F6A10-3C4D-4E5F-8A9B-0C1D2E3F4A01"],"lines":["8-9"]}`, nil, "Roast"},
	{"A question, an answer, a created note", "note_create",
		`{"title":"Pesto","tags":["Cooking"],"content":"Basil, pine nuts, oil, and no heat."}`, person, "Created the note"},
	{"The note is there", "note_search", `{"queries":["pesto"]}`, nil, `title="Pesto"`},
}

// person answers what the tool asks.
func person(_ context.Context, q wire.Question) (json.RawMessage, error) {
	say("the tool asks [%s]: %s", q.ID, q.Text)
	if q.PreAmble != "" {
		say("%s", indent(q.PreAmble))
	}
	answer := map[string]string{"new-tag": `"cooking"`, "confirm-create": "true"}[q.ID]
	if answer == "" {
		return nil, fmt.Errorf("the story has no answer to %q", q.ID)
	}
	say("the person answers: %s", answer)
	return json.RawMessage(answer), nil
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
