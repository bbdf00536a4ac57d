package jpbridge

import (
	"errors"
	"fmt"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool"
)

// A Render returns how a call ended, as the one text that a JP host reads, and
// whether it failed. The error is as of [tool.Tool.Run].
type Render func(result tool.Result, err error) (text string, failed bool)

// RenderIn returns the Render of a version of JP's protocol, and for one that
// is not spoken an error that names those that are.
func RenderIn(version string) (Render, error) {
	switch version {
	case wire.VersionOutcome:
		return outcomeIn(wire.Snapshot()), nil
	case wire.VersionOutcome082:
		return outcomeIn(wire.RFD082()), nil
	case wire.VersionBlocks:
		return Blocks, nil
	}
	return nil, fmt.Errorf("supported versions are %s, %s and %s", wire.VersionOutcome, wire.VersionOutcome082, wire.VersionBlocks)
}

// render writes the document D for how a call ended: one of a result, of a pending question or of
// a fault.
func render[D any](
	result tool.Result, err error,
	answered func(tool.Result) D, asked func(question.Question) D, failed func(*fault.Error) D,
	write func([]byte, D) ([]byte, error),
) (text string, isError bool) {
	var document D
	if pending, ok := errors.AsType[*question.Pending](err); ok {
		document = asked(pending.Question)
	} else if isError = err != nil; isError {
		document = failed(fault.From(err))
	} else {
		document = answered(result)
	}
	data, err := write(nil, document)
	if err != nil {
		// Results are checked before they come here, and every fault can be written. A version
		// may lack what a question needs.
		isError = true
		data, _ = write(nil, failed(fault.Wrap(err, fault.Internal, "the result cannot be sent to this host: %s", err)))
	}
	return string(data), isError
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
	return len(d.Content) == 1 && d.Content[0].Text() == text
}
