package wires

import (
	"strconv"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A Freshness says how long caches may keep a result (MCP 2026-07-28, Caching).
type Freshness struct {
	TTL     int  // in milliseconds
	Private bool // only caches of the caller may keep it
}

// AppendTo appends the members of a result.
func (f Freshness) AppendTo(w *rpc.Writer) {
	scope := "public"
	if f.Private {
		scope = "private"
	}
	w.Name("ttlMs").Raw(strconv.Itoa(f.TTL))
	w.Name("cacheScope").String(scope)
}

// renderOffer appends the content of a resource, or the messages of a prompt.
func (c *Call) renderOffer(w *rpc.Writer, r handler.Result) {
	c.Open(w, Complete)
	switch {
	case c.Offer.Action == handler.Complete:
		completion(w, r.Completions())
	case c.Offer.Kind == handler.Prompt:
		w.Member("description", c.Contract.Description)
		c.messages(w, r.Messages)
	default:
		w.Name("contents").Begin('[')
		for _, b := range r.Blocks {
			appendContents(w, b.(content.Resource)) // other blocks have been converted
		}
		w.End(']')
		if c.Has(Stateless) {
			c.Fresh.AppendTo(w)
		}
	}
	var own func(*rpc.Writer)
	if len(r.Warnings) > 0 {
		own = func(w *rpc.Writer) { w.Name(wire.MetaWarnings).Value(r.Warnings) }
	}
	c.Meta(w, c.set.Info, own)
	w.End('}')
}

// maxValues is the maximum number of values of a completion (MCP, Completion).
const maxValues = 100

// completion appends the values of a completion.
func completion(w *rpc.Writer, c tool.Completions) {
	total, more := max(c.Total, len(c.Values)), c.HasMore || len(c.Values) > maxValues || c.Total > len(c.Values)
	w.Name("completion").Begin('{')
	w.Name("values").Value(append([]string{}, c.Values[:min(len(c.Values), maxValues)]...))
	if c.Total > 0 || !c.HasMore { // otherwise, the number is unknown
		w.Name("total").Raw(strconv.Itoa(total))
	}
	w.Name("hasMore").Value(more)
	w.End('}')
}

// messages appends the messages of a prompt.
func (c *Call) messages(w *rpc.Writer, all content.Messages) {
	w.Name("messages").Begin('[')
	for _, m := range all {
		w.Begin('{').Name("role").String(string(m.Role))
		w.Name("content")
		if _, ok := c.block(w, m.Block); !ok { // a status
			c.appendText(w, "", content.Annotations{})
		}
		w.End('}')
	}
	w.End(']')
}

// appendContents appends a part of a resource. MCP has no field for its annotations.
func appendContents(w *rpc.Writer, r content.Resource) {
	w.Begin('{').Name("uri").String(r.URI)
	w.Member("mimeType", r.MIMEType)
	if r.Blob != nil {
		w.Name("blob").Base64(r.Blob)
	} else {
		w.Name("text").String(r.Text)
	}
	w.End('}')
}

// codeNotFound is the code for a resource that does not exist in versions before 2026-07-28 (MCP 2025-11-25, Resources,
// Error Handling).
const codeNotFound = -32002

// Failure returns the protocol error for a fault of a request for a resource or a prompt.
func (c *Call) Failure(f *fault.Error) *rpc.Error {
	err := &rpc.Error{Code: rpc.CodeInternal, Message: f.Message}
	reads := c.Offer != nil && c.Offer.Kind == handler.Resource && c.Offer.Action == handler.Read
	switch {
	case f.Code == fault.NotFound && reads && !c.Has(Stateless):
		err.Code = codeNotFound
	case f.Code == fault.NotFound && (c.Offer == nil || c.Offer.Action != handler.List),
		f.Code == fault.InvalidInput, f.Code == fault.InvalidAnswer:
		err.Code = rpc.CodeInvalidParams
	}
	err.Data, _ = rpc.Encoded(rpc.AppenderFunc(func(w *rpc.Writer) { // cannot fail: details that cannot be encoded are omitted
		w.Begin('{')
		if reads {
			w.Name("uri").String(c.Offer.URI)
		}
		faultMembers(w, f, false)
		w.End('}')
	}))
	return err
}
