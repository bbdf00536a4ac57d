package jpbridge

import (
	"fmt"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool"
)

// A Render returns how a call ended, as the one text that a JP host reads, and
// whether it failed. The error is as of [tool.Tool.Run].
type Render func(result tool.Result, err error) (text string, failed bool)

// RenderIn returns the Render of a version of JP's protocol, and for one that
// is not spoken an error that names those that are.
func RenderIn(version string) (Render, error) {
	if version == wire.VersionBlocks {
		return Blocks, nil
	}
	codec, err := wire.CodecFor(version)
	if err != nil {
		return nil, fmt.Errorf("the versions spoken are %s, %s and %s", wire.VersionOutcome, wire.VersionOutcome082, wire.VersionBlocks)
	}
	return func(result tool.Result, err error) (string, bool) { return Outcome(codec, result, err) }, nil
}

// ShowsForms reports whether a version of JP's protocol has questions of several
// fields. An Outcome asks for one thing at a time.
func ShowsForms(version string) bool { return version == wire.VersionBlocks }

// Plain returns text that is for a person as it is, which a JP host takes too; but
// one that a host of any version would take apart goes out rendered, since whoever
// wrote it must not speak for the tool.
func (render Render) Plain(text string) string {
	if wire.LooksLikeOutcome(text) || !isText(text) {
		text, _ = render(tool.Text(text))
	}
	return text
}

// isText reports whether a host of content blocks takes text for nothing but text.
func isText(text string) bool {
	d, _ := wire.ReadBlocks([]byte(text))
	if len(d.Content) != 1 {
		return false
	}
	t, ok := d.Content[0].Shown.(content.Text)
	return ok && t.Text == text
}
