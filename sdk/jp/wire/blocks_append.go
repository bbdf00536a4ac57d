package wire

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"time"
)

// AppendBlocks appends d as one JSON object without newline. What says nothing is left out, save
// the content, which is never null; a block opens with its type. Text that is not UTF-8 is repaired
// with U+FFFD. A block of an unknown type or without its part, a resource with text and blob or
// without a URI, a question without an id or whose schema is no JSON object, annotations out of
// their bounds and an unknown status are refused: JP skips such a block, and what it says is lost.
// Then dst comes back as it was given, and the error is an [*Error] that names the field, as
// "content.1.resource.uri".
func AppendBlocks(dst []byte, d Document) ([]byte, error) {
	start := len(dst)
	dst = append(dst, `{"content":[`...)
	for i, b := range d.Content {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendBlock(dst, b, "content."+strconv.Itoa(i)); err != nil {
			return dst[:start], err
		}
	}
	dst = append(dst, ']')
	if d.IsError {
		dst = append(dst, `,"isError":true`...)
	}
	if err := d.Status.check(MetaStatus); err != nil {
		return dst[:start], err
	}
	if d.Error != nil || d.Status != "" {
		meta := fieldWriter{append(dst, `,"_meta":{`...)}
		if d.Error != nil {
			meta.name(MetaError)
			meta.dst = appendErrorMeta(meta.dst, *d.Error)
		}
		meta.text(MetaStatus, string(d.Status))
		dst = append(meta.dst, '}')
	}
	return append(dst, '}'), nil
}

func appendErrorMeta(dst []byte, e ErrorMeta) []byte {
	w := fieldWriter{append(dst, '{')}
	if e.Code != "" {
		w.text("code", e.Code)
		w.name("recoverable")
		w.dst = appendBool(w.dst, e.Recoverable)
	}
	w.name("transient")
	w.dst = appendBool(w.dst, e.Transient)
	w.name("trace")
	return append(appendStrings(w.dst, e.Trace), '}')
}

func appendBlock(dst []byte, b Block, key string) ([]byte, error) {
	w := fieldWriter{append(dst, '{')}
	w.text("type", string(b.Type))
	var err error
	switch b.Type {
	case BlockText:
		w.name("text")
		w.dst = appendString(w.dst, b.Text)
		w.text("mimeType", b.MIMEType)
	case BlockResource:
		if b.Resource == nil {
			return dst, &Error{Code: CodeMissing, Key: join(key, "resource"), Want: "a resource"}
		}
		w.name("resource")
		if w.dst, err = appendResource(w.dst, *b.Resource, join(key, "resource")); err != nil {
			return dst, err
		}
		w.text("formatted", b.Formatted)
	case BlockQuestion:
		if b.Question == nil {
			return dst, &Error{Code: CodeMissing, Key: join(key, "question"), Want: "a question"}
		}
		w.name("question")
		w.dst, err = appendInputRequest(w.dst, *b.Question, join(key, "question"))
		return append(w.dst, '}'), err
	default:
		return dst, &Error{Code: CodeVariant, Key: join(key, "type"), Want: blockTypes, Got: shorten(string(b.Type))}
	}
	if b.Annotations != nil {
		if err := b.Annotations.check(join(key, "annotations")); err != nil {
			return dst, err
		}
		w.name("annotations")
		w.dst = appendAnnotations(w.dst, *b.Annotations)
	}
	return append(w.dst, '}'), nil
}

func appendResource(dst []byte, r Resource, key string) ([]byte, error) {
	if err := r.check(key); err != nil {
		return dst, err
	}
	w := fieldWriter{append(dst, '{')}
	w.text("uri", r.URI)
	w.text("mimeType", r.MIMEType)
	if r.Blob == nil {
		w.name("text")
		w.dst = appendString(w.dst, r.Text)
	} else {
		w.name("blob")
		w.dst = append(base64.StdEncoding.AppendEncode(append(w.dst, '"'), r.Blob), '"')
	}
	w.text("name", r.Name)
	w.text("title", r.Title)
	w.text("description", r.Description)
	return append(w.dst, '}'), nil
}

func appendInputRequest(dst []byte, q InputRequest, key string) ([]byte, error) {
	if q.ID == "" {
		return dst, &Error{Code: CodeMissing, Key: join(key, "id"), Want: "a name for the answer"}
	}
	w := fieldWriter{append(dst, '{')}
	w.text("id", q.ID)
	w.name("text")
	w.dst = appendString(w.dst, q.Text)
	schema, err := nested(q.Schema, join(key, "schema"))
	if err != nil {
		return dst, err
	}
	if schema.kind() != '{' {
		return dst, schema.wrongType(join(key, "schema"), "an object")
	}
	w.name("schema")
	w.dst = appendCanonical(w.dst, schema)
	if q.Default != nil {
		def, err := nested(q.Default, join(key, "default"))
		if err != nil {
			return dst, err
		}
		w.name("default")
		w.dst = appendCanonical(w.dst, def)
	}
	return append(w.dst, '}'), nil
}

// nested checks JSON that stands in a question: below the document, its content and the block.
func nested(raw json.RawMessage, key string) (value, error) {
	if err := check(raw, MaxDepth-4); err != nil {
		return nil, within(err, key)
	}
	return value(raw), nil
}

func appendAnnotations(dst []byte, a Annotations) []byte {
	w := fieldWriter{append(dst, '{')}
	if len(a.Audience) > 0 {
		w.name("audience")
		w.dst = appendStrings(w.dst, a.Audience)
	}
	if a.Priority != nil {
		w.name("priority")
		w.dst = appendFloat(w.dst, *a.Priority)
	}
	if !a.LastModified.IsZero() {
		w.text("lastModified", a.LastModified.UTC().Format(time.RFC3339Nano))
	}
	return append(w.dst, '}')
}

// fieldWriter writes the fields of an object, of which any may be left out.
type fieldWriter struct{ dst []byte }

// name begins a field.
func (w *fieldWriter) name(name string) {
	if w.dst[len(w.dst)-1] != '{' {
		w.dst = append(w.dst, ',')
	}
	w.dst = append(appendString(w.dst, name), ':')
}

// text writes a field unless it is empty.
func (w *fieldWriter) text(name, text string) {
	if text != "" {
		w.name(name)
		w.dst = appendString(w.dst, text)
	}
}
