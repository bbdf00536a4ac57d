package load

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/tools/go/packages"
)

// layOver makes c read the stand-ins, contents by file name, and returns what
// undoes it afterwards. go/packages takes an overlay of its own for a reason to read
// all dependencies from source, which takes ten times as long as their export data.
// The overlay of the go command does not; go/packages then still reads the files
// it hears of in roots, so that the contents are put in their place when they are
// parsed. That needs files that exist: the first generation of a package is the
// slow one.
func layOver(c *packages.Config, standIns map[string][]byte, roots []string) (undo func(), err error) {
	for _, root := range roots {
		if _, err := os.Stat(filepath.Join(root, Generated)); err != nil {
			c.Overlay = standIns
			return func() {}, nil
		}
	}
	dir, err := os.MkdirTemp("", "jptoolgen-")
	if err != nil {
		return nil, fmt.Errorf("laying over what is generated: %w", err)
	}
	undo = func() { os.RemoveAll(dir) }
	replace := make(map[string]string, len(standIns))
	for name, contents := range standIns {
		file := filepath.Join(dir, strconv.Itoa(len(replace))+".go")
		if err := os.WriteFile(file, contents, 0o600); err != nil {
			undo()
			return nil, fmt.Errorf("laying over what is generated: %w", err)
		}
		replace[name] = file
	}
	table, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "overlay.json"), table, 0o600)
	}
	if err != nil {
		undo()
		return nil, fmt.Errorf("laying over what is generated: %w", err)
	}
	c.BuildFlags = append(c.BuildFlags, "-overlay="+filepath.Join(dir, "overlay.json"))
	plain := c.ParseFile
	c.ParseFile = func(fset *token.FileSet, filename string, src []byte) (*ast.File, error) {
		if contents, ok := standIns[filename]; ok {
			src = contents
		}
		return plain(fset, filename, src)
	}
	return undo, nil
}
