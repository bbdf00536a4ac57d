// Package conformance provides the server that MCP's official conformance suite requires.
//
// The suite prescribes the names of tools, resources and prompts, their results and their questions. All are written as
// a user would write them, except what needs deprecated features of MCP, such as sampling and roots: deprecated.go adds
// that with go-sdk.
package conformance

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"sync"
	"time"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
)

//go:generate go tool jptoolgen

// Conformance provides the tools, resources and prompts of MCP's conformance suite.
//
//jp:server name=conformance names=camel
type Conformance struct {
	watchers sync.Map // keyed by channels of changes
}

// pause is the time between two messages of a call, as required by the suite.
const pause = 50 * time.Millisecond

// wait returns after a pause, or when ctx is done.
func wait(ctx context.Context) error {
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// picture returns a PNG of one pixel.
func picture() content.Image {
	var b bytes.Buffer
	// Writing to a buffer cannot fail.
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1)))
	return content.Image{MIMEType: "image/png", Data: b.Bytes()}
}

// silence returns a WAV file with one sample: the header, the format (8000 samples per second, 8 bits each),
// and the data.
func silence() content.Audio {
	data := []byte("RIFF\x26\x00\x00\x00WAVE" +
		"fmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00" +
		"data\x01\x00\x00\x00\x80\x00")
	return content.Audio{MIMEType: "audio/wav", Data: data}
}

// SimpleText returns text.
//
//jp:tool name=test_simple_text readonly=true
func (c *Conformance) SimpleText(context.Context) (string, error) {
	return "Plain text.", nil
}

// ImageContent returns an image.
//
//jp:tool name=test_image_content readonly=true
func (c *Conformance) ImageContent(context.Context) (content.Blocks, error) {
	return content.Blocks{picture()}, nil
}

// AudioContent returns a sound.
//
//jp:tool name=test_audio_content readonly=true
func (c *Conformance) AudioContent(context.Context) (content.Blocks, error) {
	return content.Blocks{silence()}, nil
}

// EmbeddedResource returns a resource.
//
//jp:tool name=test_embedded_resource readonly=true
func (c *Conformance) EmbeddedResource(context.Context) (content.Blocks, error) {
	//jp:allow JP729 reason="the suite requires this URI, which no method reads"
	return content.Blocks{content.Resource{URI: "test://embedded-resource", MIMEType: "text/plain", Text: "A resource inside a result."}}, nil
}

// MultipleContentTypes returns text, an image and a resource.
//
//jp:tool name=test_multiple_content_types readonly=true
func (c *Conformance) MultipleContentTypes(context.Context) (content.Blocks, error) {
	return content.Blocks{
		content.Text{Text: "Text, an image and a resource."},
		picture(),
		//jp:allow JP729 reason="the suite requires this URI, which no method reads"
		content.Resource{URI: "test://mixed-content-resource", MIMEType: "application/json", Text: `{"mixed":true}`},
	}, nil
}

// ErrorHandling always fails.
//
//jp:tool name=test_error_handling readonly=true
//jp:fails conflict
func (c *Conformance) ErrorHandling(context.Context) error {
	return fault.New(fault.Conflict, "this tool always fails")
}

// WithProgress reports its progress in three steps.
//
//jp:tool name=test_tool_with_progress readonly=true
func (c *Conformance) WithProgress(ctx context.Context, call *tool.Call) (string, error) {
	for _, done := range []float64{0, 50, 100} {
		call.Progress(done, 100, "")
		if err := wait(ctx); err != nil {
			return "", err
		}
	}
	return "all steps are done", nil
}

// WithLogging logs three messages.
//
//jp:tool name=test_tool_with_logging readonly=true
func (c *Conformance) WithLogging(ctx context.Context, call *tool.Call) (string, error) {
	for _, what := range []string{"started", "processing", "completed"} {
		call.Log().Info("tool " + what)
		if err := wait(ctx); err != nil {
			return "", err
		}
	}
	return "logged", nil
}

// LoggingTool logs a message.
//
//jp:tool name=test_logging_tool readonly=true
func (c *Conformance) LoggingTool(_ context.Context, call *tool.Call) (string, error) {
	call.Log().Info("the logging tool ran")
	return "logged", nil
}

// StreamingElicitation reports progress while it runs, so that its response is a
// stream.
//
//jp:tool name=test_streaming_elicitation readonly=true
func (c *Conformance) StreamingElicitation(ctx context.Context, call *tool.Call) (string, error) {
	call.Progress(1, 2, "half of it")
	if err := wait(ctx); err != nil {
		return "", err
	}
	call.Progress(2, 2, "all of it")
	return "streamed", nil
}
