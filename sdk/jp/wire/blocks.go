package wire

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jptool/jptool/sdk/content"
)

// VersionBlocks names typed content blocks (JP RFD 058), which succeed the outcome envelope. They
// are no [Codec]: write them with [AppendBlocks] and read them with [ReadBlocks].
const VersionBlocks = "blocks"

// Document is what a tool answers in typed content blocks (JP RFD 058, Response format).
type Document struct {
	// Content is the answer of this one run, in the order of reading.
	Content []Block
	// IsError says that Content tells what went wrong.
	IsError bool
	// Error is more about the failure, under [MetaError]; nil is neither transient nor traced.
	Error *ErrorMeta
	// Status is whether the tool goes on, under [MetaStatus]; "" is the same as [content.Stopped].
	Status content.Status
}

// StatusWaiting is the status of a tool that needs an answer to a question in its content. A
// handler does not return it but asks.
const StatusWaiting content.Status = "waiting"

// ErrorMeta is the structured form of a failure (JP RFD 058, Error responses).
type ErrorMeta struct {
	// Transient says that the same call may succeed later.
	Transient bool
	// Trace holds the causes, outer to inner. Nil counts as empty.
	Trace []string
	// Code is the code of the fault and Recoverable says that the model may repair its call. The
	// RFD has neither; without a code both are left out.
	Code        string
	Recoverable bool
}

// Block is one content block: something to show, or a question, whose context is the blocks before
// it.
type Block struct {
	// Shown is a [content.Text] or a [content.Resource]; nil for a question.
	Shown    content.Block
	Question *InputRequest
}

// Text returns what a reader of plain text sees of the block; "" for a question.
func (b Block) Text() string { return content.Blocks{b.Shown}.Flatten() }

// InputRequest is what a question block asks (JP RFD 058, question).
type InputRequest struct {
	// ID names the answer and is not empty.
	ID string
	// Text is a label in one line.
	Text string
	// Schema is a JSON object: the JSON Schema of the answer.
	Schema json.RawMessage
	// Default is any JSON value; nil is none. On the wire null means none as well.
	Default json.RawMessage
}

// AppendBlocks appends d as one JSON object without newline. What says nothing is left out, save
// the content, which is never null; a block opens with its type. Text that is not UTF-8 is repaired
// with U+FFFD. A block that is neither text nor resource nor question, one that
// [content.Blocks.Check] refuses, a question without an id or whose schema is no JSON object and an
// unknown status are refused: JP skips such a block, and what it says is lost. Then dst comes back
// as it was given, and the error begins with the block or field, as "content.1".
func AppendBlocks(dst []byte, d Document) ([]byte, error) { return write(dst, d, document) }

// document fails to read what is no document. What is malformed in one becomes a warning.
func document(n node, d *Document) {
	n.object(func(f *fields) {
		field(f, "content", required, &d.Content, blocks)
		if f.err != nil && !slices.ContainsFunc(f.members, func(m member) bool { return m.name == "content" && m.value.kind() == '[' }) {
			return
		}
		f.forgive() // what is given twice is no plain text: another reader may take one of the two
		field(f, "isError", omitted, &d.IsError, boolean)
		if f.forgive(); f.reading || d.Error != nil || d.Status != "" {
			field(f, "_meta", lax, d, meta)
			f.forgive()
		}
	})
}

// blocks leaves out those that are malformed when it reads.
func blocks(n node, all *[]Block) {
	list(func(n node, b *Block) {
		if block(n, b); n.forgive() {
			*b = Block{}
		}
	})(n, all)
	if n.reading {
		*all = slices.DeleteFunc(*all, func(b Block) bool { return b.kind() == "" })
	}
}

func meta(n node, d *Document) {
	n.object(func(f *fields) {
		field(f, MetaError, omitted, &d.Error, pointer(errorMeta))
		f.forgive()
		field(f, MetaStatus, omitted, &d.Status, status)
	})
}

func errorMeta(n node, e *ErrorMeta) {
	n.object(func(f *fields) {
		field(f, "code", omitted, &e.Code, text)
		if f.reading || e.Code != "" {
			field(f, "recoverable", lax, &e.Recoverable, boolean)
		}
		field(f, "transient", lax, &e.Transient, boolean)
		field(f, "trace", lax, &e.Trace, list(text[string]))
	})
}

func status(n node, s *content.Status) {
	got := *s
	text(n, &got)
	switch got {
	case content.Running, StatusWaiting, content.Stopped:
		*s = got
	default:
		n.fail("", expected(`"running", "waiting" or "stopped"`, shorten(got)))
	}
}

func block(n node, b *Block) {
	n.object(func(f *fields) {
		kind := b.kind()
		field(f, "type", required, &kind, text)
		switch kind {
		case "text":
			t, _ := b.Shown.(content.Text)
			field(f, "text", required, &t.Text, text)
			field(f, "mimeType", omitted, &t.MIMEType, text)
			field(f, "annotations", omitted, &t.Annotations, annotations)
			b.Shown = t
		case "resource":
			r, _ := b.Shown.(content.Resource)
			field(f, "resource", required, &r, resource)
			field(f, "formatted", omitted, &r.Formatted, text)
			field(f, "annotations", omitted, &r.Annotations, annotations)
			b.Shown = r
		case "question":
			field(f, "question", required, &b.Question, pointer(inputRequest))
		default:
			f.fail("type", expected(`"text", "resource" or "question"`, shorten(kind)))
		}
	})
	if n.err == nil && b.Shown != nil {
		bad, _ := errors.AsType[*content.Error](content.Blocks{b.Shown}.Check())
		if bad != nil {
			n.fail("", bad.Err)
		}
	}
}

func (b Block) kind() string {
	switch b.Shown.(type) {
	case content.Text:
		return "text"
	case content.Resource:
		return "resource"
	}
	if b.Question != nil {
		return "question"
	}
	return ""
}

// resource is content with an identity (JP RFD 065). Its annotations may be in it, too; those of the
// block go before them.
func resource(n node, r *content.Resource) {
	var (
		body *string
		blob *[]byte
	)
	if r.Blob != nil {
		blob = &r.Blob
	} else if !n.reading {
		body = &r.Text
	}
	n.object(func(f *fields) {
		field(f, "uri", required, &r.URI, text)
		field(f, "mimeType", omitted, &r.MIMEType, text)
		field(f, "text", omitted, &body, pointer(text[string]))
		field(f, "blob", omitted, &blob, pointer(base64Bytes))
		field(f, "name", omitted, &r.Name, text)
		field(f, "title", omitted, &r.Title, text)
		field(f, "description", omitted, &r.Description, text)
		if !f.reading {
			return
		}
		field(f, "annotations", omitted, &r.Annotations, annotations)
		switch {
		case body == nil && blob == nil:
			f.fail("", missing("text or blob"))
		case body != nil && blob != nil:
			f.fail("", expected("text or blob", "both"))
		case body != nil:
			r.Text = *body
		default:
			r.Blob = *blob
		}
	})
}

func inputRequest(n node, q *InputRequest) {
	n.object(func(f *fields) {
		field(f, "id", required, &q.ID, text)
		if q.ID == "" {
			f.fail("id", missing("a name for the answer"))
		}
		field(f, "text", required, &q.Text, text)
		field(f, "schema", required, &q.Schema, schema)
		field(f, "default", omitted, &q.Default, canonical)
	})
}

// schema is an object in the form that serde_json writes.
func schema(n node, raw *json.RawMessage) {
	if n.reading && !n.is('{', "an object") {
		return
	}
	if canonical(n, raw); n.err == nil && value(*raw).kind() != '{' {
		n.fail("", expected("an object", value(*raw).typeName()))
	}
}

// annotations say for whom a block is and how much it matters (MCP, Annotations).
func annotations(n node, a *content.Annotations) {
	modified := a.Modified()
	if n.reading {
		*a = content.Annotations{}
	}
	n.object(func(f *fields) {
		field(f, "audience", omitted, &a.Audience, list(text[content.Role]))
		field(f, "priority", omitted, &a.Priority, pointer(number))
		field(f, "lastModified", omitted, &modified, text)
		if !f.reading || modified == "" {
			return
		}
		var err error
		if a.LastModified, err = time.Parse(time.RFC3339, modified); err != nil {
			f.fail("lastModified", expected("a time in RFC 3339", shorten(modified)))
		}
	})
}

// ReadBlocks reads what a tool wrote, and never fails (JP RFD 058, Response format and Malformed
// content blocks). Data that is not a JSON object with an array "content" is one block of text as
// it stands, which is no misuse. Otherwise a block that is malformed or of an unknown type is left
// out, and so is any part beside the content that is; each gives one warning, which begins with the
// field. Unknown fields are ignored. Annotations may stand in the resource too (JP RFD 065).
//
// The document holds nothing that [AppendBlocks] would refuse, and shares no memory with data.
func ReadBlocks(data []byte) (Document, []error) {
	var d Document
	n := node{walk: &walk{reading: true}, in: value(data)}
	isJSON := Check(data) == nil
	if isJSON {
		document(n, &d)
	}
	if !isJSON || n.err != nil {
		text := content.Text{Text: strings.ToValidUTF8(string(data), "\uFFFD")}
		return Document{Content: []Block{{Shown: text}}}, nil
	}
	return d, n.warnings
}
