package jpdoc

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// Document is a result that consists of typed content blocks (JP RFD 058, Response format).
type Document struct {
	// Content is the result of this run, in reading order.
	Content []Block
	// IsError means that Content describes a failure.
	IsError bool
	// Error describes the failure. It is encoded as [wire.MetaError]. If it is nil, the failure is not transient and
	// has no trace.
	Error *ErrorMeta
	// Status says whether the tool continues. It is encoded as [wire.MetaStatus]. "" is the same as [content.Stopped].
	Status content.Status
}

// StatusWaiting is the status of a tool whose content contains a question. Handlers do not return it; they ask a
// question.
const StatusWaiting content.Status = "waiting"

// ErrorMeta is the structured form of a failure (JP RFD 058, Error responses).
type ErrorMeta struct {
	// Transient means that the same call may succeed later.
	Transient bool
	// Trace holds the causes, from outer to inner. Nil is the same as empty.
	Trace []string
	// Code is the code of the fault, and Recoverable means that the model may correct the call. The RFD does not
	// define these members. If Code is empty, both are omitted.
	Code        string
	Recoverable bool
}

// Block is a content block: content, or a question about the preceding blocks.
type Block struct {
	// Shown is a [content.Text] or a [content.Resource]; nil for a question.
	Shown    content.Block
	Question *InputRequest
}

// Text returns the block as plain text, or "" for a question.
func (b Block) Text() string { return content.Blocks{b.Shown}.Flatten() }

// InputRequest is the question of a question block (JP RFD 058, question).
type InputRequest struct {
	// ID identifies the answer. It is not empty.
	ID string
	// Text is a label of one line.
	Text string
	// Schema is the JSON Schema of the answer, a JSON object.
	Schema json.RawMessage
	// Default is any JSON value; nil means none. In the encoding, null also means none.
	Default json.RawMessage
}

// document reads a document. Data that is not a document is an error; malformed parts become
// warnings.
func document(n node, d *Document) {
	n.object(func(f *fields) {
		field(f, "content", required, &d.Content, blocks)
		if f.err != nil && !slices.ContainsFunc(f.members, func(m rawjson.Member) bool { return m.Name == "content" && m.Value.Kind() == '[' }) {
			return
		}
		f.warn() // a document with a duplicate member is not plain text: other readers may use one of the two
		field(f, "isError", lax, &d.IsError, boolean)
		f.warn()
		field(f, "_meta", lax, d, meta)
		f.warn()
	})
}

// blocks reads a list of blocks. It omits malformed blocks.
func blocks(n node, all *[]Block) {
	list(func(n node, b *Block) {
		if block(n, b); n.warn() {
			*b = Block{}
		}
	})(n, all)
	*all = slices.DeleteFunc(*all, func(b Block) bool { return b.Shown == nil && b.Question == nil })
}

func meta(n node, d *Document) {
	n.object(func(f *fields) {
		field(f, wire.MetaError, lax, &d.Error, pointer(errorMeta))
		f.warn()
		field(f, wire.MetaStatus, lax, &d.Status, status)
	})
}

func errorMeta(n node, e *ErrorMeta) {
	n.object(func(f *fields) {
		field(f, "code", lax, &e.Code, text)
		field(f, "recoverable", lax, &e.Recoverable, boolean)
		field(f, "transient", lax, &e.Transient, boolean)
		field(f, "trace", lax, &e.Trace, list(text[string]))
	})
}

func status(n node, s *content.Status) {
	var got content.Status
	text(n, &got)
	switch got {
	case content.Running, StatusWaiting, content.Stopped:
		*s = got
	default:
		n.fail("", mismatch(`"running", "waiting" or "stopped"`, shorten(got)))
	}
}

func block(n node, b *Block) {
	n.object(func(f *fields) {
		var kind string
		field(f, "type", required, &kind, text)
		switch kind {
		case "text":
			var t content.Text
			field(f, "text", required, &t.Text, text)
			field(f, "mimeType", lax, &t.MIMEType, text)
			field(f, "annotations", lax, &t.Annotations, annotations)
			b.Shown = t
		case "resource":
			var r content.Resource
			field(f, "resource", required, &r, resource)
			field(f, "formatted", lax, &r.Formatted, text)
			field(f, "annotations", lax, &r.Annotations, annotations)
			b.Shown = r
		case "question":
			field(f, "question", required, &b.Question, pointer(inputRequest))
		default:
			f.fail("type", mismatch(`"text", "resource" or "question"`, shorten(kind)))
		}
	})
	if n.err == nil && b.Shown != nil {
		bad, _ := errors.AsType[*content.Error](content.Blocks{b.Shown}.Check())
		if bad != nil {
			n.fail("", bad.Err)
		}
	}
}

// resource reads content with an identity (JP RFD 065). The content may contain annotations, but
// the annotations of the block take precedence.
func resource(n node, r *content.Resource) {
	var (
		body *string
		blob *[]byte
	)
	n.object(func(f *fields) {
		field(f, "uri", required, &r.URI, text)
		field(f, "mimeType", lax, &r.MIMEType, text)
		field(f, "text", lax, &body, pointer(text[string]))
		field(f, "blob", lax, &blob, pointer(base64Bytes))
		field(f, "name", lax, &r.Name, text)
		field(f, "title", lax, &r.Title, text)
		field(f, "description", lax, &r.Description, text)
		field(f, "annotations", lax, &r.Annotations, annotations)
		switch {
		case body == nil && blob == nil:
			f.fail("", missing("text or blob"))
		case body != nil && blob != nil:
			f.fail("", mismatch("text or blob", "both"))
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
		field(f, "default", lax, &q.Default, canonical)
	})
}

// schema reads an object in the form that serde_json writes.
func schema(n node, raw *json.RawMessage) {
	if n.is('{', "an object") {
		canonical(n, raw)
	}
}

// annotations reads the audience and the importance of a block (MCP, Annotations).
func annotations(n node, a *content.Annotations) {
	*a = content.Annotations{}
	n.object(func(f *fields) {
		field(f, "audience", lax, &a.Audience, list(text[content.Role]))
		field(f, "priority", lax, &a.Priority, pointer(number))
		field(f, "lastModified", lax, &a.LastModified, timestamp)
	})
}

// timestamp reads a time; "" is the zero time.
func timestamp(n node, t *time.Time) {
	var modified string
	if text(n, &modified); modified == "" {
		return
	}
	var err error
	if *t, err = time.Parse(time.RFC3339, modified); err != nil {
		n.fail("", mismatch("a time in RFC 3339", shorten(modified)))
	}
}

// ReadBlocks parses the output of a tool, and never fails (JP RFD 058, Response format and Malformed content
// blocks). Data that is not a JSON object with an array "content" becomes one text block, without a warning.
// Otherwise, ReadBlocks omits blocks that are malformed or of an unknown type, and malformed parts outside
// the content. Each omission causes one warning, which starts with the field's name. Unknown fields are ignored.
// The annotations of a block may also be in its resource (JP RFD 065).
//
// The document shares no memory with data, and its blocks pass [content.Blocks.Check].
func ReadBlocks(data []byte) (Document, []error) {
	var d Document
	n := node{walk: &walk{reading: true}, in: data}
	isJSON := wire.Check(data) == nil
	if isJSON {
		document(n, &d)
	}
	if !isJSON || n.err != nil {
		text := content.Text{Text: strings.ToValidUTF8(string(data), "\uFFFD")}
		return Document{Content: []Block{{Shown: text}}}, nil
	}
	return d, n.warnings
}
