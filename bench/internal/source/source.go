// Package source writes servers with any number of tools, for which jptoolgen generates code.
package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/jptool/jptool/sdk" // the generated servers import this package

	"github.com/jptool/jptool/bench/internal/search"
)

// Write creates the directory dir and writes a package main with a server of n tools into it. Each tool has its
// own types. The same n produces the same text.
func Write(dir string, n int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(head)
	for i := 1; i <= n; i++ {
		b.WriteString(strings.NewReplacer("NAME", search.Name(i), "99", fmt.Sprint(i)).Replace(one))
	}
	for name, text := range map[string]string{"tools.go": b.String(), "main.go": plain, "probe.go": probed} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

const head = `// Command notes serves notes.
package main

import (
	"context"
	"strconv"
)

// Notes searches notes.
//
//jp:server name=notes
type Notes struct{}

// Kind is a kind of note.
type Kind string

const (
	Note Kind = "note" // A note.
	Task Kind = "task" // A task.
	Link Kind = "link" // A link.
)

// Window is a span of days.
type Window struct {
	// The first day.
	From string ` + "`json:\"from\"`" + `
	// The last day.
	To string ` + "`json:\"to\"`" + `
	// The time zone of both.
	Zone string ` + "`json:\"zone\"`" + `
}

// Hit is one match.
type Hit struct {
	// Id of the note.
	ID string ` + "`json:\"id\"`" + `
	// Its title.
	Title string ` + "`json:\"title\"`" + `
	// The line that matches.
	Line int ` + "`json:\"line\"`" + `
}
`

const one = `
// In99 is the input of a search.
type In99 struct {
	// Words to find.
	Query string ` + "`json:\"query\" jsonschema:\"minLength=1\"`" + `
	// Folder to search.
	Folder string ` + "`json:\"folder\"`" + `
	// Kind of the notes.
	Kind Kind ` + "`json:\"kind\"`" + `
	// Maximum number of hits to return.
	Limit int ` + "`json:\"limit\" jsonschema:\"minimum=1,maximum=100\"`" + `
	// Number of hits to skip.
	Offset int ` + "`json:\"offset\" jsonschema:\"minimum=0,maximum=10000\"`" + `
	// Tags that a note must have.
	Tags []string ` + "`json:\"tags\"`" + `
	// Days to search.
	Window Window ` + "`json:\"window\"`" + `
	// Whether to search archived notes.
	Archived bool ` + "`json:\"archived\"`" + `
}

// Out99 is the output of a search.
type Out99 struct {
	// Number of hits.
	Total int ` + "`json:\"total\"`" + `
	// Kind of the notes.
	Kind Kind ` + "`json:\"kind\"`" + `
	// Score of the best hit.
	Score float64 ` + "`json:\"score\"`" + `
	// The hits, best first.
	Hits []Hit ` + "`json:\"hits\"`" + `
	// Cursor of the next page.
	Next string ` + "`json:\"next\"`" + `
	// Whether all hits are included.
	Complete bool ` + "`json:\"complete\"`" + `
}

// Search the notes by words, folder, tags and days.
//
//jp:tool name=NAME readonly=true
func (n *Notes) Search99(_ context.Context, in In99) (Out99, error) {
	return Out99{
		Total: in.Limit + in.Offset,
		Kind:  in.Kind,
		Score: 0.75,
		Hits: []Hit{
			{ID: "n-1", Title: "Minutes of " + in.Folder, Line: 3},
			{ID: "n-2", Title: "Plans for " + in.Window.From, Line: 14},
			{ID: "n-3", Title: "Letters to the harbour office", Line: len(in.Tags)},
		},
		Next:     strconv.Itoa(in.Offset + in.Limit),
		Complete: in.Archived,
	}, nil
}
`

const plain = `//go:build !probe

package main

import "github.com/jptool/jptool/sdk"

func main() { sdk.Main(NewServer(&Notes{})) }
`

const probed = `//go:build probe

package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/jptool/jptool/bench/internal/probe"
)

func main() {
	ctx, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	stop := probe.Start()
	status := NewServer(&Notes{}).Run(ctx, os.Args[1:], nil)
	stop()
	os.Exit(status)
}
`
