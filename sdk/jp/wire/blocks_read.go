package wire

import (
	"encoding/base64"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// ReadBlocks reads what a tool wrote, and never fails (JP RFD 058, Response format and Malformed
// content blocks). Data that is not a JSON object with an array "content" is one block of text as
// it stands, which is no misuse. Otherwise a block that is malformed or of an unknown type is left
// out, and so is any part beside the content that is; each gives one warning, which names the
// field. Unknown fields are ignored. Annotations may stand in the resource too (JP RFD 065).
//
// The document holds nothing that [AppendBlocks] would refuse, and shares no memory with data.
func ReadBlocks(data []byte) (Document, []*Error) {
	v, err := parse(data)
	if err != nil || v.kind() != '{' {
		return plainText(data), nil
	}
	fields := map[string]value{}
	for _, m := range v.members() {
		fields[m.name] = m.value
	}
	if fields["content"].kind() != '[' {
		return plainText(data), nil
	}
	var (
		d        = Document{Content: []Block{}}
		warnings []*Error
	)
	warn := func(err error) {
		if e, ok := errors.AsType[*Error](err); ok {
			warnings = append(warnings, e)
		}
	}
	for i, item := range fields["content"].elements() {
		b, err := readBlock(item, "content."+strconv.Itoa(i))
		if err != nil {
			warn(err)
			continue
		}
		d.Content = append(d.Content, b)
	}
	if flag := fields["isError"]; !flag.absent() && !flag.null() {
		d.IsError, err = flag.asBool("isError")
		warn(err)
	}
	if meta := fields["_meta"]; !meta.absent() && !meta.null() {
		// Each is read on its own, so that one that is malformed does not cost the other.
		r := layout{fields: []string{MetaError}}.readObject(meta, "_meta")
		d.Error = opt(r, MetaError, readErrorMeta)
		warn(r.err)
		if meta.kind() == '{' {
			r = layout{fields: []string{MetaStatus}}.readObject(meta, "_meta")
			d.Status = orZero(opt(r, MetaStatus, readStatus))
			warn(r.err)
		}
	}
	return d, warnings
}

func plainText(data []byte) Document {
	return Document{Content: []Block{TextBlock(strings.ToValidUTF8(string(data), "\uFFFD"))}}
}

// readObject is read without the positional form: the blocks are MCP's, and MCP knows no such form.
func (l layout) readObject(v value, key string) *record {
	if v.kind() != '{' {
		return &record{err: v.wrongType(key, "an object")}
	}
	return l.fromObject(v.members(), key)
}

func readBlock(v value, key string) (Block, error) {
	r := exactly("type", "text", "mimeType", "resource", "formatted", "question", "annotations").readObject(v, key)
	b := Block{Type: BlockType(r.str("type"))}
	switch b.Type {
	case BlockText:
		b.Text, b.MIMEType = r.str("text"), orZero(r.optString("mimeType"))
		b.Annotations = opt(r, "annotations", readAnnotations)
	case BlockResource:
		b.Annotations = opt(r, "annotations", readAnnotations)
		b.Resource = ptr(get(r, "resource", func(v value, key string) (Resource, error) {
			return readResource(v, key, &b.Annotations)
		}))
		b.Formatted = orZero(r.optString("formatted"))
	case BlockQuestion:
		b.Question = ptr(get(r, "question", readInputRequest))
	default:
		if r.err == nil {
			return Block{}, unknownKind(join(key, "type"), blockTypes, string(b.Type))
		}
	}
	return b, r.err
}

func ptr[T any](v T) *T { return &v }

// readResource sets the annotations of its block if that has none.
func readResource(v value, key string, outer **Annotations) (Resource, error) {
	if v.absent() {
		return Resource{}, &Error{Code: CodeMissing, Key: key, Want: "an object"}
	}
	r := exactly("uri", "mimeType", "text", "blob", "name", "title", "description", "annotations").readObject(v, key)
	res := Resource{URI: r.str("uri"), MIMEType: orZero(r.optString("mimeType")),
		Name: orZero(r.optString("name")), Title: orZero(r.optString("title")), Description: orZero(r.optString("description"))}
	text, blob := r.optString("text"), opt(r, "blob", asBase64)
	if inner := opt(r, "annotations", readAnnotations); *outer == nil {
		*outer = inner
	}
	switch {
	case r.err != nil:
		return res, r.err
	case text == nil && blob == nil:
		return res, &Error{Code: CodeMissing, Key: key, Want: "text or blob"}
	case text != nil && blob != nil:
		return res, &Error{Code: CodeVariant, Key: key, Want: "text or blob", Got: "both"}
	case blob != nil:
		res.Blob = *blob
	default:
		res.Text = *text
	}
	return res, res.check(key)
}

// asBase64 returns bytes that are not nil.
func asBase64(v value, key string) ([]byte, error) {
	text, err := v.asString(key)
	if err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.Strict().AppendDecode([]byte{}, []byte(text))
	if err != nil {
		return nil, &Error{Code: CodeVariant, Key: key, Want: "base64"}
	}
	return data, nil
}

func readInputRequest(v value, key string) (InputRequest, error) {
	if v.absent() {
		return InputRequest{}, &Error{Code: CodeMissing, Key: key, Want: "an object"}
	}
	r := exactly("id", "text", "schema", "default").readObject(v, key)
	q := InputRequest{ID: r.str("id"), Text: r.str("text")}
	q.Schema = get(r, "schema", func(v value, key string) ([]byte, error) {
		if v.absent() {
			return nil, &Error{Code: CodeMissing, Key: key, Want: "an object"}
		}
		return asObject(v, key)
	})
	if d := opt(r, "default", canonical); d != nil {
		q.Default = *d
	}
	if r.err == nil && q.ID == "" {
		return q, &Error{Code: CodeMissing, Key: join(key, "id"), Want: "a name for the answer"}
	}
	return q, r.err
}

func readAnnotations(v value, key string) (Annotations, error) {
	r := exactly("audience", "priority", "lastModified").readObject(v, key)
	a := Annotations{
		Audience: orZero(opt(r, "audience", value.asStrings)),
		Priority: opt(r, "priority", asFloat),
	}
	a.LastModified = orZero(opt(r, "lastModified", func(v value, key string) (time.Time, error) {
		text, err := v.asString(key)
		if err != nil {
			return time.Time{}, err
		}
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return t, &Error{Code: CodeVariant, Key: key, Want: timeWanted, Got: shorten(text)}
		}
		return t, nil
	}))
	if r.err != nil {
		return a, r.err
	}
	return a, a.check(key)
}

func asFloat(v value, key string) (float64, error) {
	if v.kind() != '0' {
		return 0, v.wrongType(key, "a number")
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(string(v)), 64)
	if err != nil {
		return math.NaN(), &Error{Code: CodeNumber, Key: key, Want: "a number"}
	}
	return f, nil
}

func readErrorMeta(v value, key string) (ErrorMeta, error) {
	r := exactly("code", "recoverable", "transient", "trace").readObject(v, key)
	e := ErrorMeta{
		Code:        orZero(r.optString("code")),
		Recoverable: orZero(r.optBool("recoverable")),
		Transient:   orZero(r.optBool("transient")),
		Trace:       orZero(opt(r, "trace", value.asStrings)),
	}
	return e, r.err
}

func readStatus(v value, key string) (Status, error) {
	text, err := v.asString(key)
	if err != nil {
		return "", err
	}
	if err := Status(text).check(key); err != nil || text == "" {
		return "", &Error{Code: CodeVariant, Key: key, Want: `"running", "waiting" or "stopped"`, Got: shorten(text)}
	}
	return Status(text), nil
}
