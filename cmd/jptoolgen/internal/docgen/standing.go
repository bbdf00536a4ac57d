package docgen

import (
	"fmt"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

// standing says what callers may rely on beside schemas: the state after a change, files, the
// version, and former names.
func (w *writer) standing(t manifest.Tool) {
	if t.Mutates {
		w.line("Its result tells the state after the change, as %s.", code("state_after"))
		w.line("")
	}
	if t.Files {
		w.line("It works with files below the directory that %s names.", code("--root"))
		w.line("")
	}
	if t.Version != "" {
		w.line("This is version %s of it.", plain(t.Version))
		w.line("")
	}
	var names []string
	for _, a := range t.Aliases {
		names = append(names, fmt.Sprintf("%s until %s", code(a.Name), plain(a.Until)))
	}
	if len(names) > 0 {
		w.line("It can still be called by former names: %s.", join(names))
		w.line("")
	}
}
