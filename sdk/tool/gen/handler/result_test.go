package handler_test

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/gen/encode"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

type textResult struct{ N int }

func (w textResult) Text() string { return "in words" }

type blocksResult struct{ N int }

func (d blocksResult) Blocks() content.Blocks {
	if d.N == 0 {
		return content.Blocks{content.Resource{URI: "not absolute", Text: "x"}}
	}
	return content.Blocks{content.Text{Text: "in blocks"}, content.Text{Text: "and more"}}
}

// A typed result is structured content, whatever its text form is.
func TestTypedResults(t *testing.T) {
	plain := handler.Wrapped(encode.Int[int])
	text := handler.Structured(func(o *encode.Object, v *textResult) { encode.Field(o, "n", &v.N, encode.Int) })
	blocks := handler.Pointer(func(o *encode.Object, v *blocksResult) { encode.Field(o, "n", &v.N, encode.Int) })
	for name, c := range map[string]struct {
		run              func() (handler.Result, error)
		text, structured string
	}{
		"JSON":   {func() (handler.Result, error) { return plain(7) }, "7", `{"result":7}`},
		"text":   {func() (handler.Result, error) { return text(textResult{7}) }, "in words", `{"n":7}`},
		"blocks": {func() (handler.Result, error) { return blocks(&blocksResult{7}) }, "in blocks\n\nand more", `{"n":7}`},
	} {
		r, err := c.run()
		if err != nil || r.Blocks.Flatten() != c.text || r.Structured != c.structured {
			t.Errorf("%s: %q, %q, %v", name, r.Blocks.Flatten(), r.Structured, err)
		}
	}
	if _, err := blocks(&blocksResult{0}); err == nil || !strings.Contains(err.Error(), "malformed result") {
		t.Errorf("malformed blocks: %v", err)
	}
}
