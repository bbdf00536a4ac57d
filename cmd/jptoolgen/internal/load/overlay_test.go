package load

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// An overlay of go/packages' own has every dependency read from source, so that it
// may stand in only where there is no file to stand in for.
func TestLayOver(t *testing.T) {
	generated, first := t.TempDir(), t.TempDir()
	file := filepath.Join(generated, Generated)
	if err := os.WriteFile(file, []byte("package broken {"), 0o600); err != nil {
		t.Fatal(err)
	}
	const standIn = "package notes\n"
	standIns := map[string][]byte{file: []byte(standIn), filepath.Join(first, Generated): []byte(standIn)}

	config := func() *packages.Config {
		return &packages.Config{ParseFile: func(_ *token.FileSet, _ string, src []byte) (*ast.File, error) {
			return &ast.File{Name: ast.NewIdent(string(src))}, nil
		}}
	}
	c := config()
	undo, err := layOver(c, standIns, []string{generated})
	if err != nil {
		t.Fatal(err)
	}
	if c.Overlay != nil || len(c.BuildFlags) != 1 || !strings.HasPrefix(c.BuildFlags[0], "-overlay=") {
		t.Errorf("beside what was generated: overlay %v, flags %v", c.Overlay, c.BuildFlags)
	}
	for name, want := range map[string]string{file: standIn, filepath.Join(generated, "notes.go"): "as it is"} {
		if f, err := c.ParseFile(nil, name, []byte("as it is")); err != nil || f.Name.Name != want {
			t.Errorf("%s is parsed as %v, %v, want %q", name, f, err, want)
		}
	}
	table := strings.TrimPrefix(c.BuildFlags[0], "-overlay=")
	undo()
	if _, err := os.Stat(table); !os.IsNotExist(err) {
		t.Errorf("the overlay stays behind: %v", err)
	}

	c = config()
	undo, err = layOver(c, standIns, []string{generated, first})
	if err != nil {
		t.Fatal(err)
	}
	defer undo()
	if len(c.Overlay) != len(standIns) || len(c.BuildFlags) != 0 {
		t.Errorf("for a first generation: overlay of %d, flags %v", len(c.Overlay), c.BuildFlags)
	}
}
