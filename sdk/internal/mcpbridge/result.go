package mcpbridge

import (
	"encoding/json"
	"maps"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/wire"
)

const (
	resultComplete      = "complete"
	resultInputRequired = "input_required"
)

// A result is that of a call, as it goes out. go-sdk's own decides by the session
// what kind of result it is; this one knows its request.
type result struct {
	mcp.ResultBase
	body *mcp.CallToolResult
	kind string
	info json.RawMessage // how the server introduces itself; nil where it does not
}

// finish returns r as the result of c, a call of e.
func (b *Bridge) finish(c *call, e Entry, r *mcp.CallToolResult) result {
	if e.old != nil {
		meta := map[string]any{wire.MetaDeprecated: deprecation{Name: e.Contract.Name, Until: e.old.Until}}
		maps.Copy(meta, r.GetMeta())
		r.SetMeta(meta)
	}
	out := result{body: r}
	out.SetMeta(r.GetMeta())
	if c.rounds {
		out.kind, out.info = resultComplete, b.info
		if r.InputRequests != nil {
			out.kind = resultInputRequired
		}
	}
	return out
}

// A deprecation tells a caller of a former name the name of today.
type deprecation struct {
	Name  string `json:"name"`
	Until string `json:"until"`
}

// MarshalJSON returns the result.
func (r *result) MarshalJSON() ([]byte, error) { return r.append(make([]byte, 0, 1024)) }

// append appends the result, with its content in any case but one that asks.
func (r *result) append(dst []byte) ([]byte, error) {
	w := writer{buf: append(dst, '{')}
	if r.kind != "" {
		w.name("resultType")
		w.string(r.kind)
	}
	if r.kind != resultInputRequired {
		w.name("content")
		w.content(r.body.Content)
	}
	if structured, ok := r.body.StructuredContent.(json.RawMessage); ok && structured != nil {
		w.name("structuredContent")
		w.buf = append(w.buf, structured...)
	}
	if r.body.IsError {
		w.name("isError")
		w.buf = append(w.buf, "true"...)
	}
	if r.body.InputRequests != nil {
		w.name("inputRequests")
		w.value(r.body.InputRequests)
		w.name("requestState")
		w.string(r.body.RequestState)
	}
	switch meta := r.GetMeta(); {
	case len(meta) > 0:
		if _, ok := meta[mcp.MetaKeyServerInfo]; !ok && r.info != nil {
			meta = maps.Clone(meta)
			meta[mcp.MetaKeyServerInfo] = r.info
		}
		w.name("_meta")
		w.value(meta)
	case r.info != nil:
		w.name("_meta")
		w.buf = append(w.buf, '{')
		w.name(mcp.MetaKeyServerInfo)
		w.buf = append(append(w.buf, r.info...), '}')
	}
	return append(w.buf, '}'), w.err
}

// A writer appends JSON, and keeps the first error.
type writer struct {
	buf []byte
	err error
}

func (w *writer) name(name string) {
	if w.buf[len(w.buf)-1] != '{' {
		w.buf = append(w.buf, ',')
	}
	w.string(name)
	w.buf = append(w.buf, ':')
}

// string appends a string without escaping what only HTML would have escaped.
func (w *writer) string(text string) {
	// AppendQuote replaces what is not UTF-8, and reports that as an error.
	w.buf, _ = jsontext.AppendQuote(w.buf, text)
}

func (w *writer) value(v any) {
	data, err := json.Marshal(v)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.buf = append(w.buf, data...)
}

// content appends blocks. Most results are plain text.
func (w *writer) content(blocks []mcp.Content) {
	w.buf = append(w.buf, '[')
	for i, block := range blocks {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		if text, ok := block.(*mcp.TextContent); ok && text.Annotations == nil && len(text.Meta) == 0 {
			w.buf = append(w.buf, `{"type":"text","text":`...)
			w.string(text.Text)
			w.buf = append(w.buf, '}')
			continue
		}
		w.value(block)
	}
	w.buf = append(w.buf, ']')
}
