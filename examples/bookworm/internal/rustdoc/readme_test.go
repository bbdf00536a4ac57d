package rustdoc_test

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/bookworm/internal/rustdoc"
	"github.com/jptool/jptool/examples/bookworm/sample"
)

func TestReadme(t *testing.T) {
	got, err := rustdoc.Readme(sample.Readme + `<p><a href="docs/x.md">more</a> at <a href="https://example.com/a">a</a><script>x()</script></p>`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# tea-time\n\nBrew tea **by the clock**.\n\n```rust\nuse tea_time::{Brew, Teapot};\n", "\n|green|2|\n", "more at [a](https://example.com/a)"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "x()") {
		t.Errorf("a script is in\n%s", got)
	}
}
