package jpbridge

import (
	"encoding/json"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool"
)

// Blocks returns the outcome of a call as a JSON document with typed content blocks (JP RFD 058). It also
// returns the value for MCP's isError, which is true for an error. Each pending question follows the content
// that is shown with it.
func Blocks(result tool.Result, err error) (text string, isError bool) {
	return format(blocks).render(result, err)
}

func blocks(f *fault.Error, pending []question.Question, r tool.Result) ([]byte, error) {
	switch {
	case f != nil:
		return wire.AppendBlocks(nil, failed(f))
	case pending != nil:
		return wire.AppendBlocks(nil, waiting(pending))
	}
	return wire.AppendBlocks(nil, answered(r))
}

// answered returns the document of a result, with warnings about the call at the end.
func answered(r tool.Result) wire.Document {
	d := wire.Document{Status: r.Blocks.Status()}
	for _, b := range r.Blocks {
		switch b.(type) {
		case content.Status:
			continue
		case content.Text, content.Resource:
		default:
			// JP ignores blocks of unknown kinds; sending text preserves the content.
			b = content.Text{Text: content.Blocks{b}.Flatten()}
		}
		d.Content = append(d.Content, wire.Block{Shown: b})
	}
	for _, w := range r.Warnings {
		d.Content = append(d.Content, shown("Note: "+w))
	}
	return d
}

func shown(text string) wire.Block { return wire.Block{Shown: content.Text{Text: text}} }

// waiting returns a document with questions, each after the content that is shown with it. The status is
// "waiting", or omitted if some content has the status [content.Stopped].
func waiting(pending []question.Question) wire.Document {
	d := wire.Document{Status: wire.StatusWaiting}
	for _, q := range pending {
		one := asking(q)
		d.Content = append(d.Content, one.Content...)
		if one.Status == content.Stopped {
			d.Status = "" // RFD 058 shows tools that run once without a status, which means the same
		}
	}
	return d
}

// asking returns a document with a question after the content that is shown with it. The schema describes
// valid answers; the default is a separate field.
func asking(q question.Question) wire.Document {
	d := answered(tool.Result{Blocks: q.Context})
	if len(q.Context) == 0 && q.Preamble != "" {
		d.Content = append(d.Content, shown(q.Preamble))
	}
	q, meanings := titled(q)
	if meanings != "" {
		d.Content = append(d.Content, shown(meanings))
	}
	request := wire.InputRequest{ID: q.ID, Text: q.Message}
	if q.Default != "" {
		request.Default, q.Default = json.RawMessage(q.Default), ""
	}
	request.Schema = q.Schema()
	d.Content = append(d.Content, wire.Block{Question: &request})
	return d
}

// failed returns the document for a fault. It omits values that are defaults in RFD 058: an error
// without a code is internal, not transient and not recoverable.
func failed(f *fault.Error) wire.Document {
	text := f.Error()
	e := wire.ErrorMeta{Code: string(f.Code), Recoverable: f.Recoverable, Transient: f.Transient, Trace: f.Trace()}
	if f.Code == fault.Internal {
		text, e.Code = f.Message, ""
	}
	d := wire.Document{Content: []wire.Block{shown(text)}, IsError: true}
	if e.Code != "" || e.Transient || len(e.Trace) > 0 {
		d.Error = &e
	}
	return d
}
