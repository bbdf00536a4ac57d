package wire

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/content"
)

// VersionBlocks is the version of typed content blocks (JP RFD 058), which succeed the outcome envelope. It has
// no [Codec]: use [AppendBlocks] and [ReadBlocks].
const VersionBlocks = "blocks"

// Document is a result in typed content blocks (JP RFD 058, Response format).
type Document struct {
	// Content is the result of this run, in reading order.
	Content []Block
	// IsError means that Content describes a failure.
	IsError bool
	// Error describes the failure, under [MetaError]; nil means not transient and without a trace.
	Error *ErrorMeta
	// Status says whether the tool continues, under [MetaStatus]; "" is the same as [content.Stopped].
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
	// Code is the code of the fault, and Recoverable means that the model may correct the call. The RFD has
	// neither; without a code both are omitted.
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

// AppendBlocks appends d as one JSON object, without a trailing newline. Fields without information are
// omitted, except the content, which is never null; a block starts with its type. Invalid UTF-8 is replaced
// with U+FFFD.
//
// AppendBlocks returns an error for:
//
//   - a block that is not text, a resource or a question, or that [content.Blocks.Check] refuses
//   - a question without an id
//   - a question whose schema is not a JSON object
//   - an unknown status
//
// JP ignores such a block, and its content would be lost. With an error, dst is returned unchanged; the text
// of the error starts with the path of the block or field, such as "content.1".
func AppendBlocks(dst []byte, d Document) ([]byte, error) { return write(dst, d, document) }

// document reads or writes a document. Data that is not a document is an error; malformed parts become
// warnings.
func document(n node, d *Document) {
	n.object(func(f *fields) {
		field(f, "content", required, &d.Content, blocks)
		if f.err != nil && !slices.ContainsFunc(f.members, func(m rawjson.Member) bool { return m.Name == "content" && m.Value.Kind() == '[' }) {
			return
		}
		f.forgive() // a document with a duplicate member is not plain text: other readers may use one of the two
		field(f, "isError", omitted, &d.IsError, boolean)
		if f.forgive(); f.reading || d.Error != nil || d.Status != "" {
			field(f, "_meta", lax, d, meta)
			f.forgive()
		}
	})
}

// blocks reads or writes a list of blocks. When reading, it omits malformed blocks.
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

// resource reads or writes content with an identity (JP RFD 065). The content may contain annotations, but
// the annotations of the block take precedence.
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

// schema reads or writes an object in the form that serde_json writes.
func schema(n node, raw *json.RawMessage) {
	if n.reading && !n.is('{', "an object") {
		return
	}
	if canonical(n, raw); n.err == nil && jsontext.Value(*raw).Kind() != '{' {
		n.fail("", expected("an object", typeName(jsontext.Value(*raw))))
	}
}

// annotations reads or writes the audience and the importance of a block (MCP, Annotations).
func annotations(n node, a *content.Annotations) {
	if n.reading {
		*a = content.Annotations{}
	}
	n.object(func(f *fields) {
		field(f, "audience", omitted, &a.Audience, list(text[content.Role]))
		field(f, "priority", omitted, &a.Priority, pointer(number))
		field(f, "lastModified", omitted, &a.LastModified, timestamp)
	})
}

// timestamp reads or writes a time; "" is the zero time.
func timestamp(n node, t *time.Time) {
	modified := content.Annotations{LastModified: *t}.Modified()
	if text(n, &modified); !n.reading || modified == "" {
		return
	}
	var err error
	if *t, err = time.Parse(time.RFC3339, modified); err != nil {
		n.fail("", expected("a time in RFC 3339", shorten(modified)))
	}
}

// ReadBlocks parses the output of a tool, and never fails (JP RFD 058, Response format and Malformed content
// blocks). Data that is not a JSON object with an array "content" becomes one text block, without a warning.
// Otherwise blocks that are malformed or of an unknown type are omitted, and so are malformed parts outside
// the content; each causes one warning, which starts with the field's name. Unknown fields are ignored. The
// resource may contain the annotations too (JP RFD 065).
//
// The document contains nothing that [AppendBlocks] would refuse, and shares no memory with data.
func ReadBlocks(data []byte) (Document, []error) {
	var d Document
	n := node{walk: &walk{reading: true}, in: data}
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
