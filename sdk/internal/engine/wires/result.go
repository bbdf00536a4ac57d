package wires

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// mcp renders the outcome of a call as a result of MCP. It is a part of the wires whose questions are MCP's.
type mcp struct{ *Call }

// End changes nothing: the run has the answers to all its questions, or a fault.
func (mcp) End(*handler.Run, *Outcome) {}

// Refuse returns a protocol error (MCP 2025-11-25 and 2026-07-28, Tools, Error Handling).
func (mcp) Refuse(f *fault.Error) *rpc.Error {
	err := rpc.Invalid(f.Message)
	if f.Details != nil {
		err.Data, _ = json.Marshal(f.Details) // cannot fail: the details are strings
	}
	return err
}

// Render appends the result. A fault sets isError, with its code in _meta.
func (c mcp) Render(w *rpc.Writer, o *Outcome) {
	if c.Offer != nil { // a fault is a protocol error
		c.renderOffer(w, o.Result)
		return
	}
	f := fault.From(o.Err)
	c.Open(w, Complete)
	c.content(w, o.Result, f)
	c.appendStructured(w, o.Result.Structured, f)
	c.close(w, f, f != nil)
}

// close ends a result. f is a fault whose code _meta contains, or nil.
func (c *Call) close(w *rpc.Writer, f *fault.Error, isError bool) {
	if isError {
		w.Name("isError").Raw("true")
	}
	var own func(*rpc.Writer)
	if c.Former != nil || f != nil {
		own = func(w *rpc.Writer) {
			if c.Former != nil {
				w.Name(wire.MetaDeprecated).Begin('{').Name("name").String(c.Contract.Name)
				w.Name("until").String(c.Former.Until)
				w.End('}')
			}
			if f != nil {
				w.Name(wire.MetaError)
				appendFault(w, f, false)
			}
		}
	}
	c.Meta(w, c.set.Info, own)
	w.End('}')
}

// content appends the content blocks or, for a fault, its text.
func (c *Call) content(w *rpc.Writer, r handler.Result, f *fault.Error) {
	blocks := slices.Clip(r.Blocks)
	if f != nil {
		blocks = content.Blocks{content.Text{Text: f.Error()}}
	}
	if text := blocks.Flatten(); text != "" && !slices.ContainsFunc(blocks, c.hasText) {
		blocks = append(blocks, content.Text{Text: text}) // for clients that drop images, audio and links
	}
	for _, warning := range r.Warnings {
		blocks = append(blocks, content.Text{Text: "Note: " + warning})
	}
	w.Name("content").Begin('[')
	last, count := "", 0 // the text of the last block that the client sees, and the number of such blocks
	for _, b := range blocks {
		if text, ok := b.(content.Text); ok && text.Text == "" {
			continue // model APIs reject empty text
		}
		if text, ok := c.block(w, b); ok {
			last = text
			count++
		}
	}
	if count == 1 && wire.LooksLikeOutcome(last) {
		// A JP host interprets a single block as the tool's own message (JP RFD D31).
		c.appendText(w, notOutcome, content.Annotations{})
	}
	w.End(']')
}

// notOutcome is a second block, without which a JP host would interpret the first one.
const notOutcome = "Note: the text above is the result of the tool."

// hasText reports whether a client that drops images, audio and links shows something of b.
func (c *Call) hasText(b content.Block) bool {
	switch b := b.(type) {
	case content.Text:
		return b.Text != ""
	case content.Resource:
		return b.Blob == nil
	case content.Audio:
		return !c.Has(Audio) // sent as text
	case content.Link:
		return !c.Has(Links)
	}
	return false
}

// appendStructured appends the structured content, as {success, data, error} if
// [manifest.Server.Envelope] is set.
func (c *Call) appendStructured(w *rpc.Writer, structured string, f *fault.Error) {
	switch {
	case !c.Has(Structured):
	case !c.set.Server.Envelope || c.Contract == nil:
		if structured != "" {
			w.Name("structuredContent").Raw(structured)
		}
	case f != nil || c.Contract.Output != nil:
		// A tool that returns content blocks gets no envelope, because many clients ignore blocks
		// next to structured content. Absent members are omitted, because the published schema forbids null.
		w.Name("structuredContent").Begin('{')
		w.Name("success").Value(f == nil)
		if f != nil {
			w.Name("error")
			appendFault(w, f, true)
		} else if structured != "" {
			w.Name("data").Raw(structured)
		}
		w.End('}')
	}
}

// appendFault appends a fault as an object. It omits details that cannot be marshaled.
func appendFault(w *rpc.Writer, f *fault.Error, envelope bool) {
	w.Begin('{')
	faultMembers(w, f, envelope)
	w.End('}')
}

func faultMembers(w *rpc.Writer, f *fault.Error, envelope bool) {
	w.Name("code").String(string(f.Code))
	if envelope {
		w.Name("message").String(f.Message)
	}
	if details, err := json.Marshal(f.Details); err == nil && len(f.Details) > 0 {
		w.Name("details").Bytes(details)
	}
	w.Name("recoverable").Value(f.Recoverable)
	if !envelope {
		w.Name("transient").Value(f.Transient)
	}
}

// block appends a content block; kinds that the protocol version lacks become text. Fields that MCP
// lacks are omitted: a status, the MIME type of a text block, and the name, title, description and
// formatted text of a resource. It returns the text of a text block, or false for a block that the
// client does not see.
func (c *Call) block(w *rpc.Writer, b content.Block) (text string, ok bool) {
	var a content.Annotations
	switch b := b.(type) {
	case content.Text:
		return c.appendText(w, b.Text, b.Annotations), true
	case content.Resource:
		w.Begin('{').Raw(`"type":"resource","resource":{"uri":`).String(b.URI)
		w.Member("mimeType", b.MIMEType)
		if b.Blob != nil {
			w.Name("blob").Base64(b.Blob)
		} else {
			// rmcp drops a whole result that has a resource with neither text nor blob.
			w.Name("text").String(b.Text)
		}
		w.End('}')
		a = b.Annotations
	case content.Image:
		appendMedia(w, "image", b.MIMEType, b.Data)
		a = b.Annotations
	case content.Audio:
		if !c.Has(Audio) {
			return c.appendText(w, content.Blocks{b}.Flatten(), b.Annotations), true
		}
		appendMedia(w, "audio", b.MIMEType, b.Data)
		a = b.Annotations
	case content.Link:
		if !c.Has(Links) {
			return c.appendText(w, content.Blocks{b}.Flatten(), b.Annotations), true
		}
		w.Begin('{').Raw(`"type":"resource_link","uri":`).String(b.URI)
		w.Name("name").String(b.Name)
		w.Member("title", b.Title)
		w.Member("description", b.Description)
		w.Member("mimeType", b.MIMEType)
		if b.Size > 0 {
			w.Name("size").Raw(strconv.FormatInt(b.Size, 10))
		}
		a = b.Annotations
	default:
		return "", false
	}
	c.appendAnnotations(w, a)
	w.End('}')
	return "", true
}

func appendMedia(w *rpc.Writer, kind, mimeType string, data []byte) {
	w.Begin('{').Name("type").String(kind)
	w.Name("mimeType").String(mimeType)
	w.Name("data").Base64(data)
}

// appendText appends a text block and returns its text.
func (c Client) appendText(w *rpc.Writer, text string, a content.Annotations) string {
	w.Begin('{').Raw(`"type":"text","text":`).String(text)
	c.appendAnnotations(w, a)
	w.End('}')
	return text
}

func (c Client) appendAnnotations(w *rpc.Writer, a content.Annotations) {
	if !c.Has(LastModified) {
		a.LastModified = content.Annotations{}.LastModified
	}
	if a.IsZero() {
		return
	}
	if a.Priority != nil && (math.IsNaN(*a.Priority) || math.IsInf(*a.Priority, 0)) {
		a.Priority = nil
	}
	w.Name("annotations").Value(struct {
		Audience     []content.Role `json:"audience,omitempty"`
		LastModified string         `json:"lastModified,omitempty"`
		Priority     *float64       `json:"priority,omitempty"`
	}{a.Audience, a.Modified(), a.Priority})
}
