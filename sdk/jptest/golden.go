package jptest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Golden compares the text of the result, or the code and the message of the fault, with testdata/NAME.txt, and
// the structured content with testdata/NAME.json, and fails the test if they differ. It ignores the latter on
// wires without structured content. With JPTOOL_UPDATE=1 in the environment it writes the files.
func (o Outcome) Golden(t testing.TB, name string) {
	t.Helper()
	text := o.Text
	if o.Code != "" {
		text = string(o.Code) + ": " + o.Message
	}
	o.golden(t, name+".txt", text)
	if o.kit.options.Wire.structured {
		o.golden(t, name+".json", indented(o.Structured))
	}
}

// golden compares a text with a file. If text is "", the file must not exist.
func (o Outcome) golden(t testing.TB, name, text string) {
	t.Helper()
	if text != "" {
		text = o.kit.masked(text) + "\n"
	}
	path := "testdata/" + name
	if os.Getenv("JPTOOL_UPDATE") != "" {
		if err := update(path, text); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	unix := strings.NewReplacer("\r\n", "\n") // git may change line ends on Windows
	if unix.Replace(text) != unix.Replace(string(want)) {
		t.Errorf("%s: the result differs from %s; run with JPTOOL_UPDATE=1 to write the file; got\n%s\nwant\n%s", o.Tool, path, text, want)
	}
}

func update(path, text string) error {
	if text == "" {
		return os.RemoveAll(path)
	}
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
}
