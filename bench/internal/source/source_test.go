package source

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	const n = 12
	texts := map[string]bool{}
	for range 2 {
		dir := t.TempDir()
		if err := Write(dir, n); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"tools.go", "main.go", "probe.go"} {
			if _, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, 0); err != nil {
				t.Error(err)
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, "tools.go"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(string(text), "//jp:tool "); got != n {
			t.Errorf("%d tools were written, not %d", got, n)
		}
		texts[string(text)] = true
	}
	if len(texts) != 1 {
		t.Error("two runs with the same number of tools wrote different files")
	}
}
