package engine

import (
	"encoding/json"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jp/wire"
)

const (
	resultComplete      = "complete"
	resultInputRequired = "input_required"
)

// AppendTo appends the result of a call: content blocks, structured content where the protocol
// version supports it, and faults as isError with their code in _meta. With a Reply it appends
// the single text of that protocol.
func (o *outcome) AppendTo(w *Writer) {
	e := o.r.session.engine
	w.Begin('{')
	if o.r.rounds {
		w.Name("resultType")
		if o.asks != nil && e.Reply == nil {
			w.Raw(`"` + resultInputRequired + `"`)
		} else {
			w.Raw(`"` + resultComplete + `"`)
		}
	}
	var failed *fault.Error
	switch {
	case o.asks != nil:
		o.asks.AppendTo(w)
	case e.Reply != nil:
		text, failed := e.Reply(o.result, o.err)
		textResult{text, failed}.AppendTo(w)
	case o.err != nil:
		failed = o.fault()
		o.failure(w, failed)
	default:
		o.success(w)
	}
	o.meta(w, failed)
	w.End('}')
}

// success appends the result of a successful call.
func (o *outcome) success(w *Writer) {
	w.Name("content")
	w.Begin('[')
	lone := "" // the text of the only block
	count := 0
	for _, b := range o.result.Blocks {
		if text, ok := o.block(w, b); ok {
			lone = text
			count++
		}
	}
	for _, warning := range o.result.Warnings {
		w.Comma()
		lone = "Note: " + warning
		textBlock(w, lone)
		count++
	}
	if count == 1 {
		guardOutcomeLookalike(w, lone)
	}
	w.End(']')
	switch {
	case o.r.session.engine.Envelope && o.r.version >= structuredSince:
		o.enveloped(w)
	case o.result.Structured != "" && o.r.version >= structuredSince:
		w.Name("structuredContent")
		w.Raw(o.result.Structured)
	}
}

// failure appends the result of a failed call, without structured content or cause.
func (o *outcome) failure(w *Writer, f *fault.Error) {
	w.Name("content")
	w.Begin('[')
	text := f.Error()
	textBlock(w, text)
	guardOutcomeLookalike(w, text)
	w.End(']')
	if o.r.session.engine.Envelope && o.r.version >= structuredSince && o.r.entry.Contract != nil {
		o.enveloped(w)
	}
	w.Name("isError")
	w.Raw("true")
}

func textBlock(w *Writer, text string) {
	w.Raw(`{"type":"text","text":`)
	w.String(text)
	w.Raw("}")
}

// guardOutcomeLookalike appends an empty block after a single text block that looks like an Outcome. A
// JP host interprets a single block as the tool's own message, whoever wrote it (JP RFD D31); two blocks
// are plain content.
func guardOutcomeLookalike(w *Writer, text string) {
	if wire.LooksLikeOutcome(text) {
		w.Raw(`,{"type":"text","text":""}`)
	}
}

// meta appends _meta: a note on a deprecated tool name, the code of a fault, and the server's
// name and version.
func (o *outcome) meta(w *Writer, f *fault.Error) {
	if o.r.entry.old == nil && f == nil && !o.r.rounds {
		return
	}
	w.Name("_meta")
	w.Begin('{')
	if o.r.entry.old != nil {
		w.Name(wire.MetaDeprecated)
		w.Raw(`{"name":`)
		w.String(o.r.entry.Contract.Name)
		w.Raw(`,"until":`)
		w.String(o.r.entry.old.Until)
		w.Raw("}")
	}
	if f != nil {
		w.Name(wire.MetaError)
		describe(w, f, false)
	}
	if o.r.rounds {
		w.Name(keyServerInfo)
		w.Bytes(o.r.session.engine.info)
	}
	w.End('}')
}

// describe appends a fault as an object, with its message if it is in an envelope. It omits details that
// cannot be marshaled, because they would prevent the response.
func describe(w *Writer, f *fault.Error, envelope bool) {
	w.Raw(`{"code":`)
	w.String(string(f.Code))
	if envelope {
		w.Name("message")
		w.String(f.Message)
	}
	if details, err := json.Marshal(f.Details); err == nil && len(f.Details) > 0 {
		w.Name("details")
		w.Bytes(details)
	}
	w.Name("recoverable")
	w.Value(f.Recoverable)
	if !envelope {
		w.Name("transient")
		w.Value(f.Transient)
	}
	w.Raw("}")
}

// enveloped appends {success, data, error} as structured content. It appends nothing for
// successful calls to tools that return content blocks, because many clients ignore blocks
// if there is structured content. Absent members are left out, since the published schema does not
// allow null.
func (o *outcome) enveloped(w *Writer) {
	if o.err == nil && o.r.entry.Contract.Output == nil {
		return
	}
	w.Name("structuredContent")
	w.Begin('{')
	w.Name("success")
	if o.err != nil {
		w.Raw("false")
		w.Name("error")
		describe(w, o.fault(), true)
	} else {
		w.Raw("true")
		if o.result.Structured != "" {
			w.Name("data")
			w.Raw(o.result.Structured)
		}
	}
	w.End('}')
}
