package jpbridge

import (
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/wire"
)

// A Render returns how a call ended, as the one text that a JP host reads, and
// whether it failed. The error is as of [tool.Tool.Run].
type Render func(result tool.Result, err error) (text string, failed bool)

// RenderIn returns the Render of a version of JP's protocol, and for one that
// is not spoken an error that names those that are.
func RenderIn(version string) (Render, error) {
	codec, err := wire.CodecFor(version)
	if err != nil {
		return nil, err
	}
	return func(result tool.Result, err error) (string, bool) { return Outcome(codec, result, err) }, nil
}

// Plain returns text that is for a person as it is, which a JP host takes too; but
// one that a host would read as an Outcome goes out inside one, since whoever
// wrote it must not speak for the tool.
func (render Render) Plain(text string) string {
	if wire.LooksLikeOutcome(text) {
		text, _ = render(tool.Text(text))
	}
	return text
}
