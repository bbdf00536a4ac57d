package elicit_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// go vet checks the format strings of every kind of question, as it does for package fmt. The source differs
// in each run, because Go 1.26 may print nothing for a package whose findings are cached.
func TestFormatsAreChecked(t *testing.T) {
	path, err := filepath.Abs("testdata/formats/formats.go")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replacement, overlay := filepath.Join(dir, "formats.go"), filepath.Join(dir, "overlay.json")
	files, err := json.Marshal(map[string]map[string]string{"Replace": {path: replacement}})
	if err != nil {
		t.Fatal(err)
	}
	source = fmt.Appendf(source, "\n// %s\n", time.Now().Format(time.RFC3339Nano))
	for name, data := range map[string][]byte{replacement: source, overlay: files} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("go", "vet", "-overlay", overlay, "./testdata/formats").CombinedOutput()
	if err == nil {
		t.Error("go vet finds nothing")
	}
	for _, kind := range []string{"confirm", "choice", "text", "number", "pick", "form", "secret", "visit", "part"} {
		if !strings.Contains(string(out), `format %d has arg "`+kind+`" of wrong type string`) {
			t.Errorf("the format of a %s is not checked:\n%s", kind, out)
		}
	}
}
