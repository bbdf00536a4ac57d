package docgen

import (
	"fmt"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// guarantees describes properties of a tool that its schemas do not contain: the state after a change, files,
// the version, and former names.
func (w *writer) guarantees(t manifest.Tool) {
	if t.Mutates {
		w.para("Its result contains the state after the change as %s.", code("state_after"))
	}
	if t.Files {
		w.para("It works with files in the root directory, which %s sets.", code("--root"))
	}
	if t.Budget > 0 {
		w.para("Its result has at most %d bytes of text; a longer one is cut.", t.Budget)
	}
	if t.Version != "" {
		w.para("Its version is %s.", plain(t.Version))
	}
	if t.Meta != nil {
		w.para("Its %s in the list of tools is %s.", code("_meta"), code(string(t.Meta)))
	}
	var names []string
	for _, a := range t.Aliases {
		names = append(names, fmt.Sprintf("%s until %s", code(a.Name), plain(a.Until)))
	}
	if len(names) > 0 {
		w.para("It can still be called by old names: %s.", join(names))
	}
}
