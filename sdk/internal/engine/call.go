package engine

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

func (r *Request) call() {
	out := &outcome{r: r}
	switch {
	case r.m.name == nil:
		r.fail(invalid(`"name" must be a string, the name of a tool`))
	case r.entry == nil:
		r.unknown(string(r.m.name))
	case r.session.engine.Extended():
		r.callWithMiddleware(out)
	default:
		if err := r.run(&r.span, out); err != nil {
			r.fail(err)
			return
		}
		r.releaseMessage()
		r.result(out)
	}
}

// unknown handles a call to a tool that is not in the contract.
func (r *Request) unknown(name string) {
	e := r.session.engine
	names := make([]string, 0, len(e.contracts))
	for _, c := range e.contracts {
		names = append(names, c.Name)
	}
	if x := e.extras(); x != nil {
		for _, other := range x.Tools(&r.span) {
			if other.Name == name {
				r.relay()
				return
			}
		}
		names = r.visible("") // without what middleware hides
	}
	f := handler.Unknown(name, names) // with the nearest name
	if e.Reply != nil {
		r.result(&outcome{r: r, err: f}) // a JP host does not read protocol errors
		return
	}
	// MCP defines a protocol error (2025-11-25 and 2026-07-28, Tools, Error Handling).
	err := invalid(f.Message)
	if f.Details != nil {
		err.Data, _ = json.Marshal(f.Details) // cannot fail: the details are strings
	}
	r.fail(err)
}

// run runs a tool and stores its outcome in out. The error is a protocol error.
func (r *Request) run(ctx context.Context, out *outcome) *Error {
	report, stop := r.progress()
	defer stop()
	defer r.silence()
	call, err := r.admit()
	var later suspend
	if err == nil {
		call.Progress, call.CallerLog = report, r.callerLog()
		later, err = r.asking(&call)
	}
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused
	}
	if err == nil {
		out.result, err = r.entry.Tool.Run(ctx, call, r.session.engine.policy)
	}
	if pending, ok := err.(*question.Pending); ok && later != nil {
		out.asks, err = later(call, out.result, pending)
	}
	out.err = err
	return nil
}

// admit returns the request for the tool, with the settings that the caller is permitted to make.
func (r *Request) admit() (handler.Request, error) {
	e, entry := r.session.engine, r.entry
	var settings *trust.Settings
	if e.Meta != nil && e.Trust.Trusted && len(r.m.meta) > 0 {
		var err error
		if settings, err = e.Meta(r.m.meta); err != nil {
			return handler.Request{}, err
		}
	}
	call, err := e.Trust.Admit(entry.Contract, entry.old, r.session.principal, settings)
	call.ID, call.Arguments, call.Log = e.newID(), r.m.arguments, e.Log
	return call, err
}

// An outcome is the result of a tool call.
type outcome struct {
	r      *Request
	result handler.Result
	err    error
	asks   Appender // the questions, if the answers arrive in a later round; nil with a Reply
}

const resultComplete = "complete"

// AppendTo appends the result of a call. A fault sets isError, with its code in _meta. With a
// Reply, the result is the text that the Reply returns.
func (o *outcome) AppendTo(w *Writer) {
	e := o.r.session.engine
	w.Begin('{')
	if o.r.rounds() {
		kind := resultComplete
		if o.asks != nil {
			kind = "input_required"
		}
		w.Name("resultType").String(kind)
	}
	var f *fault.Error
	isError := false
	switch {
	case o.asks != nil:
		o.asks.AppendTo(w)
	case e.Reply != nil:
		var text string
		text, isError = e.Reply(o.result, o.err)
		w.Name("content").Begin('[')
		textBlock(w, o.r.version, text, content.Annotations{})
		w.End(']')
	default:
		f = fault.From(o.err)
		isError = f != nil
		o.content(w, f)
		o.appendStructured(w, f)
	}
	if isError {
		w.Name("isError").Raw("true")
	}
	o.meta(w, f)
	w.End('}')
}

// content appends the content blocks or, for a fault, its text.
func (o *outcome) content(w *Writer, f *fault.Error) {
	blocks := slices.Clip(o.result.Blocks)
	if f != nil {
		blocks = content.Blocks{content.Text{Text: f.Error()}}
	}
	if text := blocks.Flatten(); text != "" && !slices.ContainsFunc(blocks, o.hasText) {
		blocks = append(blocks, content.Text{Text: text}) // for clients that drop images, audio and links
	}
	for _, warning := range o.result.Warnings {
		blocks = append(blocks, content.Text{Text: "Note: " + warning})
	}
	w.Name("content").Begin('[')
	last, count := "", 0 // the text of the last block that the client sees, and the number of such blocks
	for _, b := range blocks {
		if text, ok := b.(content.Text); ok && text.Text == "" {
			continue // model APIs reject empty text
		}
		if text, ok := o.block(w, b); ok {
			last = text
			count++
		}
	}
	if count == 1 && wire.LooksLikeOutcome(last) {
		// A JP host interprets a single block as the tool's own message (JP RFD D31).
		textBlock(w, o.r.version, notOutcome, content.Annotations{})
	}
	w.End(']')
}

// notOutcome is a second block, without which a JP host would interpret the first one.
const notOutcome = "Note: the text above is the result of the tool."

// hasText reports whether a client that drops images, audio and links shows something of b.
func (o *outcome) hasText(b content.Block) bool {
	switch b := b.(type) {
	case content.Text:
		return b.Text != ""
	case content.Resource:
		return b.Blob == nil
	case content.Audio:
		return o.r.version < audioSince // sent as text
	case content.Link:
		return o.r.version < linkSince
	}
	return false
}

// appendStructured appends the structured content, as {success, data, error} if
// [manifest.Server.Envelope] is set.
func (o *outcome) appendStructured(w *Writer, f *fault.Error) {
	switch {
	case o.r.version < structuredSince:
	case !o.r.session.engine.Contract.Envelope || o.r.entry == nil:
		if o.result.Structured != "" {
			w.Name("structuredContent").Raw(o.result.Structured)
		}
	case f != nil || o.r.entry.Contract.Output != nil:
		// A tool that returns content blocks gets no envelope, because many clients ignore blocks
		// next to structured content. Absent members are omitted, because the published schema forbids null.
		w.Name("structuredContent").Begin('{')
		w.Name("success").Value(f == nil)
		if f != nil {
			w.Name("error")
			describe(w, f, true)
		} else if o.result.Structured != "" {
			w.Name("data").Raw(o.result.Structured)
		}
		w.End('}')
	}
}

func (o *outcome) meta(w *Writer, f *fault.Error) {
	former := o.r.entry != nil && o.r.entry.old != nil
	if !former && f == nil && !o.r.rounds() {
		return
	}
	w.Name("_meta").Begin('{')
	if former {
		w.Name(wire.MetaDeprecated).Begin('{').Name("name").String(o.r.entry.Contract.Name)
		w.Name("until").String(o.r.entry.old.Until)
		w.End('}')
	}
	if f != nil {
		w.Name(wire.MetaError)
		describe(w, f, false)
	}
	if o.r.rounds() {
		w.Name(keyServerInfo).Bytes(o.r.session.engine.info)
	}
	w.End('}')
}

// describe appends a fault as an object. It omits details that cannot be marshaled.
func describe(w *Writer, f *fault.Error, envelope bool) {
	w.Begin('{').Name("code").String(string(f.Code))
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
	w.End('}')
}

// block appends a content block; kinds that the protocol version lacks become text. Fields that MCP
// lacks are omitted: a status, the MIME type of a text block, and the name, title, description and
// formatted text of a resource. It returns the text of a text block, or false for a block that the
// client does not see.
func (o *outcome) block(w *Writer, b content.Block) (text string, ok bool) {
	version := o.r.version
	var a content.Annotations
	switch b := b.(type) {
	case content.Text:
		return textBlock(w, version, b.Text, b.Annotations), true
	case content.Resource:
		w.Begin('{').Raw(`"type":"resource","resource":{"uri":`).String(b.URI)
		member(w, "mimeType", b.MIMEType)
		if b.Blob != nil {
			w.Name("blob").Base64(b.Blob)
		} else {
			// rmcp drops a whole result that has a resource with neither text nor blob.
			w.Name("text").String(b.Text)
		}
		w.End('}')
		a = b.Annotations
	case content.Image:
		media(w, "image", b.MIMEType, b.Data)
		a = b.Annotations
	case content.Audio:
		if version < audioSince {
			return textBlock(w, version, content.Blocks{b}.Flatten(), b.Annotations), true
		}
		media(w, "audio", b.MIMEType, b.Data)
		a = b.Annotations
	case content.Link:
		if version < linkSince {
			return textBlock(w, version, content.Blocks{b}.Flatten(), b.Annotations), true
		}
		w.Begin('{').Raw(`"type":"resource_link","uri":`).String(b.URI)
		w.Name("name").String(b.Name)
		member(w, "title", b.Title)
		member(w, "description", b.Description)
		member(w, "mimeType", b.MIMEType)
		a = b.Annotations
	default:
		return "", false
	}
	annotations(w, version, a)
	w.End('}')
	return "", true
}

// member appends a string member unless the text is empty.
func member(w *Writer, name, text string) {
	if text != "" {
		w.Name(name).String(text)
	}
}

func media(w *Writer, kind, mimeType string, data []byte) {
	w.Begin('{').Name("type").String(kind)
	w.Name("mimeType").String(mimeType)
	w.Name("data").Base64(data)
}

// textBlock appends a text block and returns its text.
func textBlock(w *Writer, version, text string, a content.Annotations) string {
	w.Begin('{').Raw(`"type":"text","text":`).String(text)
	annotations(w, version, a)
	w.End('}')
	return text
}

func annotations(w *Writer, version string, a content.Annotations) {
	if version < lastModifiedSince {
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
