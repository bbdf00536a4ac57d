package content_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/content"
)

func TestFlatten(t *testing.T) {
	main := content.File("/p", "main.rs", []byte("fn main() {}"))
	formatted := main
	formatted.Formatted = "1: fn main() {}\n"
	for name, test := range map[string]struct {
		blocks content.Blocks
		want   string
	}{
		"none":               {nil, ""},
		"nil block":          {content.Blocks{nil, content.Text{Text: "a"}}, "a"},
		"texts":              {content.Blocks{content.Text{Text: "a\n"}, content.Text{}, content.Text{Text: "b"}}, "a\n\n\nb"},
		"one file":           {content.Blocks{main}, "fn main() {}"},
		"running file":       {content.Blocks{main, content.Running}, "fn main() {}"},
		"empty file":         {content.Blocks{content.File("/p", "a", nil)}, ""},
		"text and file":      {content.Blocks{content.Text{Text: "Found:"}, main}, "Found:\n\nfile:///p/main.rs\nfn main() {}"},
		"files":              {content.Blocks{main, content.File("/p", "a", nil)}, "file:///p/main.rs\nfn main() {}\n\nfile:///p/a"},
		"formatted":          {content.Blocks{formatted}, "1: fn main() {}\n"},
		"text and formatted": {content.Blocks{content.Text{Text: "Found:"}, formatted}, "Found:\n\n1: fn main() {}\n"},
		"blob":               {content.Blocks{content.Resource{URI: "file:///p/a", Blob: []byte("ab")}}, "[binary, 2 bytes] file:///p/a"},
		"empty blob":         {content.Blocks{content.Resource{URI: "file:///p/a", MIMEType: "image/png", Blob: []byte{}}}, "[image/png, 0 bytes] file:///p/a"},
		"media": {content.Blocks{content.Image{Data: make([]byte, 1234), MIMEType: "image/png"}, content.Audio{Data: []byte("a"), MIMEType: "audio/wav"}},
			"[image/png, 1234 bytes]\n\n[audio/wav, 1 byte]"},
		"link": {content.Blocks{content.Link{URI: "https://example.org/", Name: "Example"}}, "Example <https://example.org/>"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.blocks.Flatten(); got != test.want {
				t.Errorf("Flatten() = %q, want %q", got, test.want)
			}
		})
	}
	if got := (content.Blocks{content.Image{Data: []byte(strings.Repeat("secret", 99)), MIMEType: "image/png"}}).Flatten(); len(got) > 40 {
		t.Errorf("a picture becomes %q", got)
	}
}

func TestStatus(t *testing.T) {
	if got := content.Of("x").Status(); got != "" {
		t.Errorf("a result without a status has %q", got)
	}
	if got := (content.Blocks{nil, content.Text{}, content.Running}).Status(); got != content.Running {
		t.Errorf("the status is %q", got)
	}
}

// A handler that reads files returns them as resources: each protocol shows what it supports.
func ExampleFile() {
	blocks := content.Blocks{
		content.Text{Text: "2 files changed."},
		content.File("/project", "./src/../src/main.rs", []byte("fn main() {}")),
		content.File("/project", "logo.png", []byte("\x89PNG\r\n\x1a\n\x00")),
	}
	fmt.Println(blocks.Check())
	fmt.Println(blocks.Flatten())
	// Output:
	// <nil>
	// 2 files changed.
	//
	// file:///project/src/main.rs
	// fn main() {}
	//
	// [image/png, 9 bytes] file:///project/logo.png
}

// A tool that continues after its result adds a status.
func ExampleStatus() {
	result := content.Blocks{content.Text{Text: "Stage this hunk? [y/n/...]"}, content.Running}
	fmt.Println(result.Flatten(), "|", result.Status())
	// Output: Stage this hunk? [y/n/...] | running
}

// Annotations mark what a person should see and a model does not need.
func ExampleAnnotations() {
	chart := content.Image{
		Data: []byte("<svg/>"), MIMEType: "image/svg+xml",
		Annotations: content.Annotations{Audience: []content.Role{content.User}, Priority: new(0.2)},
	}
	fmt.Println(content.Blocks{chart}.Check())

	chart.Annotations.Audience = []content.Role{"everybody"}
	fmt.Println(content.Blocks{chart}.Check())
	// Output:
	// <nil>
	// block 1 (image): unknown role "everybody" in the audience
}
