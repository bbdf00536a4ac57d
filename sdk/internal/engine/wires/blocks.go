package wires

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A document is a result in typed content blocks (JP RFD 058, Response format). In each object, the type
// comes first.
type document struct {
	Content []any `json:"content"`
	IsError bool  `json:"isError,omitzero"`
	Meta    struct {
		Error  *failed        `json:"computer.jp/error,omitzero"`
		Status content.Status `json:"computer.jp/status,omitzero"`
	} `json:"_meta,omitzero"`
}

// failed describes a failure (JP RFD 058, Error responses). The RFD lacks Code and Recoverable.
type failed struct {
	Code        string   `json:"code,omitzero"`
	Recoverable *bool    `json:"recoverable,omitzero"`
	Transient   bool     `json:"transient"`
	Trace       []string `json:"trace"`
}

type textBlock struct {
	Type        string       `json:"type"`
	Text        string       `json:"text"`
	MIMEType    string       `json:"mimeType,omitzero"`
	Annotations *annotations `json:"annotations,omitzero"`
}

type resourceBlock struct {
	Type        string       `json:"type"`
	Resource    resource     `json:"resource"`
	Formatted   string       `json:"formatted,omitzero"`
	Annotations *annotations `json:"annotations,omitzero"`
}

type resource struct {
	URI         string  `json:"uri"`
	MIMEType    string  `json:"mimeType,omitzero"`
	Text        *string `json:"text,omitzero"`
	Blob        []byte  `json:"blob,omitzero"`
	Name        string  `json:"name,omitzero"`
	Title       string  `json:"title,omitzero"`
	Description string  `json:"description,omitzero"`
}

type questionBlock struct {
	Type     string       `json:"type"`
	Question inputRequest `json:"question"`
}

type inputRequest struct {
	ID      string         `json:"id"`
	Text    string         `json:"text"`
	Schema  jsontext.Value `json:"schema"`
	Default jsontext.Value `json:"default,omitzero"`
}

type annotations struct {
	Audience     []content.Role `json:"audience,omitzero"`
	Priority     jsontext.Value `json:"priority,omitzero"`
	LastModified string         `json:"lastModified,omitzero"`
}

func annotationsOf(a content.Annotations) *annotations {
	if a.IsZero() {
		return nil
	}
	out := &annotations{Audience: a.Audience, LastModified: a.Modified()}
	if a.Priority != nil { // JP writes floats with a decimal place
		out.Priority = strconv.AppendFloat(nil, *a.Priority, 'f', -1, 64)
		if *a.Priority == 0 || *a.Priority == 1 {
			out.Priority = append(out.Priority, ".0"...)
		}
	}
	return out
}

// blocks is the version with typed content blocks (JP RFD 058), which can contain several questions.
var blocks = &host{version: wire.VersionBlocks, forms: true, write: inBlocks}

func inBlocks(f *fault.Error, pending []question.Question, r handler.Result) ([]byte, error) {
	d := document{Content: []any{}}
	var err error
	switch {
	case f != nil:
		d.fail(f)
	case pending != nil:
		d.Meta.Status = "waiting"
		for _, q := range pending {
			err = cmp.Or(err, d.ask(q))
		}
	default:
		err = d.show(r.Blocks)
		for _, w := range r.Warnings {
			d.addText("Note: " + w)
		}
		if d.Meta.Status = r.Blocks.Status(); d.Meta.Status != "" {
			err = cmp.Or(err, d.check(d.Meta.Status))
		}
	}
	return encode(d, err)
}

func (d *document) addText(text string) {
	d.Content = append(d.Content, textBlock{Type: "text", Text: text})
}

// check returns an error for a block that clients would reject.
func (d *document) check(b content.Block) error {
	if err := (content.Blocks{b}).Check(); err != nil {
		return fmt.Errorf("content.%d: %s", len(d.Content), errors.Unwrap(err))
	}
	return nil
}

func (d *document) show(blocks content.Blocks) error {
	for _, b := range blocks {
		switch b := b.(type) {
		case content.Status:
		case content.Text:
			if err := d.check(b); err != nil {
				return err
			}
			d.Content = append(d.Content, textBlock{"text", b.Text, b.MIMEType, annotationsOf(b.Annotations)})
		case content.Resource:
			if err := d.check(b); err != nil {
				return err
			}
			r := resource{b.URI, b.MIMEType, nil, b.Blob, b.Name, b.Title, b.Description}
			if b.Blob == nil {
				r.Text = &b.Text
			}
			d.Content = append(d.Content, resourceBlock{"resource", r, b.Formatted, annotationsOf(b.Annotations)})
		default:
			// JP ignores blocks of unknown kinds; sending text preserves the content.
			d.addText(content.Blocks{b}.Flatten())
		}
	}
	return nil
}

// ask appends a question, after the content that is shown with it. The schema has no default.
func (d *document) ask(q question.Question) error {
	if err := d.show(q.Context); err != nil {
		return err
	}
	if q.Context.Status() == content.Stopped {
		d.Meta.Status = "" // in RFD 058, tools that run once omit the status, which means the same
	}
	if len(q.Context) == 0 && q.Preamble != "" {
		d.addText(q.Preamble)
	}
	q, meanings := titlesAsValues(q)
	if meanings != "" {
		d.addText(meanings)
	}
	request := inputRequest{ID: q.ID, Text: q.Message}
	if q.Default != "" {
		request.Default, q.Default = jsontext.Value(q.Default), ""
	}
	request.Schema = jsontext.Value(q.Schema())
	d.Content = append(d.Content, questionBlock{"question", request})
	return nil
}

// fail sets the document to a fault. It omits values that are defaults in RFD 058: an error without a code is
// internal, not transient and not recoverable.
func (d *document) fail(f *fault.Error) {
	e := failed{Transient: f.Transient, Trace: f.Trace()}
	text := f.Message
	if f.Code != fault.Internal {
		text, e.Code, e.Recoverable = f.Error(), string(f.Code), &f.Recoverable
	}
	d.addText(text)
	d.IsError = true
	if e.Code != "" || e.Transient || len(e.Trace) > 0 {
		d.Meta.Error = &e
	}
}
