package docgen

import (
	"fmt"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// guarantees describes properties of a tool that are not in its schemas: the state after a change, files, the
// version, and old names.
func (w *writer) guarantees(t manifest.Tool) {
	if t.Mutates {
		w.line("Its result contains the state after the change as %s.", code("state_after"))
		w.line("")
	}
	if t.Files {
		w.line("It works with files in the root directory, which %s sets.", code("--root"))
		w.line("")
	}
	if t.Budget > 0 {
		w.line("Its result has at most %d bytes of text; a longer one is cut.", t.Budget)
		w.line("")
	}
	if t.Version != "" {
		w.line("Its version is %s.", plain(t.Version))
		w.line("")
	}
	if t.Meta != nil {
		w.line("Its %s in the list of tools is %s.", code("_meta"), code(string(t.Meta)))
		w.line("")
	}
	var names []string
	for _, a := range t.Aliases {
		names = append(names, fmt.Sprintf("%s until %s", code(a.Name), plain(a.Until)))
	}
	if len(names) > 0 {
		w.line("It can still be called by old names: %s.", join(names))
		w.line("")
	}
}
