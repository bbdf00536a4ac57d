package jptest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/sdk/jptest"
)

// A golden file is written once, and equals the result on every wire.
func TestGolden(t *testing.T) {
	t.Chdir(t.TempDir())
	golden := func(w jptest.Wire, tool, name string, args any) string {
		failures, _ := run(func(t testing.TB) { newKit(t, w).Call(tool, args).Golden(t, name) })
		return failures
	}
	if got := golden(jptest.MCP, "names", "new", nil); !strings.Contains(got, `names: the result differs from testdata/new.txt; run with JPTOOL_UPDATE=1 to write the file; got`) || !strings.Contains(got, "testdata/new.json") {
		t.Errorf("without files: %s", got)
	}
	t.Setenv("JPTOOL_UPDATE", "1")
	write(t, "fault.json", "left over")
	if got := golden(jptest.InProcess, "names", "names", nil) + golden(jptest.MCP, "fail", "fault", object{"how": "coded"}) +
		golden(jptest.JPOutcome, "fail", "panic", object{"how": "panic"}); got != "" {
		t.Fatal(got)
	}
	for name, want := range map[string]string{
		"names.txt":  `["Ada","Bo"]` + "\n",
		"names.json": "{\n  \"result\": [\n    \"Ada\",\n    \"Bo\"\n  ]\n}\n",
		"fault.txt":  "overheated: the kettle ran dry\n",
		"fault.json": "",
		"panic.txt":  "internal: the tool crashed; see the server's log for incident …\n",
	} {
		if got, err := os.ReadFile(filepath.Join("testdata", name)); string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
		}
	}
	t.Setenv("JPTOOL_UPDATE", "")
	for _, w := range jptest.Wires() {
		if got := golden(w, "names", "names", nil) + golden(w, "fail", "fault", object{"how": "coded"}) + golden(w, "fail", "panic", object{"how": "panic"}); got != "" {
			t.Errorf("%s: %s", w, got)
		}
		if got := golden(w, "fail", "fault", object{"how": "uncoded"}); !strings.Contains(got, "got\ninternal: out of luck\n\nwant\noverheated: the kettle ran dry\n") {
			t.Errorf("%s: another fault: %s", w, got)
		}
	}
	write(t, "names.txt", "[\"Ada\",\"Bo\"]\r\n")
	if got := golden(jptest.MCP, "names", "names", nil); got != "" {
		t.Errorf("line endings of Windows: %s", got)
	}
	write(t, "names.json", "{}\n")
	if got := golden(jptest.MCP, "names", "names", nil); !strings.Contains(got, "testdata/names.json") {
		t.Errorf("another structured content: %s", got)
	}
	if got := golden(jptest.JPOutcome, "names", "names", nil); got != "" {
		t.Errorf("a wire without structured content: %s", got)
	}
}

// The root of a call is not part of its golden file.
func TestGoldenRoot(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "place.txt", `{"root":"ROOT","workspace":"","conversation":"","tags":[]}`+"\n")
	for _, w := range jptest.Wires(jptest.JPOutcome, jptest.JPLocal) {
		k := jptest.NewWith(t, fixture.NewServer(&fixture.Fixture{}), jptest.Options{Wire: w, Root: t.TempDir()})
		k.Call("place", nil).Golden(t, "place")
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
