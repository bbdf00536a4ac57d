package mcpbridge

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/internal/stdio"
	"github.com/jptool/jptool/sdk/manifest"
	"github.com/jptool/jptool/sdk/wire"
)

// structuredSince is the version that brought titles, output schemas and
// structured content (MCP 2025-06-18, changelog).
const structuredSince = "2025-06-18"

// metaContract, set to true in the _meta of a first page's request, asks for the whole
// contract in the _meta of the result: questions, options and codes, of which MCP's
// list of tools has no place.
const metaContract = "computer.jp/contract"

// A listing is what tools/list says of a server's tools. It is made once: go-sdk
// would encode every schema anew for each request, and publish hints that nobody
// declared.
type listing struct {
	contracts []*manifest.Tool
	full, old func() ([]byte, error)
}

func newListing(contracts []*manifest.Tool) *listing {
	l := &listing{contracts: contracts}
	l.full = sync.OnceValues(func() ([]byte, error) { return l.encode(published) })
	l.old = sync.OnceValues(func() ([]byte, error) { return l.encode(publishedBefore) })
	return l
}

// encode returns the tools as the members of a list, without its brackets.
func (l *listing) encode(face func(*manifest.Tool) listed) ([]byte, error) {
	size := 0
	for _, t := range l.contracts {
		size += len(t.Input) + len(t.Output) + len(t.Description) + 200
	}
	w := writer{buf: make([]byte, 0, size)}
	for i, t := range l.contracts {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		face(t).append(&w)
	}
	return w.buf, w.err
}

// A listed tool is one as tools/list shows it.
type listed struct {
	name, title, description string
	input, output            []byte
	hints                    hints
	version                  string
}

func (t listed) append(w *writer) {
	w.buf = append(w.buf, '{')
	w.name("name")
	w.string(t.name)
	if t.title != "" {
		w.name("title")
		w.string(t.title)
	}
	w.name("description")
	w.string(t.description)
	w.name("inputSchema")
	w.buf = append(w.buf, t.input...)
	if t.output != nil {
		w.name("outputSchema")
		w.buf = append(w.buf, t.output...)
	}
	if t.hints != (hints{}) {
		w.name("annotations")
		t.hints.append(w)
	}
	if t.version != "" {
		w.name("_meta")
		w.value(map[string]string{wire.MetaVersion: t.version})
	}
	w.buf = append(w.buf, '}')
}

// hints are MCP's annotations of a tool; nil ones are not told.
type hints struct {
	title                                        string
	readOnly, destructive, idempotent, openWorld *bool
}

func (h hints) append(w *writer) {
	w.buf = append(w.buf, '{')
	if h.title != "" {
		w.name("title")
		w.string(h.title)
	}
	w.hint("readOnlyHint", h.readOnly)
	w.hint("destructiveHint", h.destructive)
	w.hint("idempotentHint", h.idempotent)
	w.hint("openWorldHint", h.openWorld)
	w.buf = append(w.buf, '}')
}

func (w *writer) hint(name string, set *bool) {
	if set != nil {
		w.name(name)
		w.buf = strconv.AppendBool(w.buf, *set)
	}
}

// published returns the contract of a tool for the versions since [structuredSince].
func published(t *manifest.Tool) listed {
	out := publishedBefore(t)
	out.title, out.output, out.version = t.Title, t.Output, t.Version
	return out
}

// publishedBefore returns it for the versions before.
func publishedBefore(t *manifest.Tool) listed {
	return listed{name: t.Name, description: t.Description, input: t.Input, hints: hints{
		t.Title, t.Annotations.ReadOnly, t.Annotations.Destructive, t.Annotations.Idempotent, t.Annotations.OpenWorld,
	}}
}

// A listResult is a page of tools: those of the contract, and after them those that
// a program added to go-sdk's server itself.
type listResult struct {
	*mcp.ListToolsResult
	ours []byte
	kind string
}

// list answers tools/list: the contract's tools on the first page.
func (b *Bridge) list(ctx context.Context, next mcp.MethodHandler, method string, req *mcp.ListToolsRequest) (mcp.Result, error) {
	res, err := next(ctx, method, req)
	theirs, ok := res.(*mcp.ListToolsResult)
	if err != nil || !ok {
		return res, err
	}
	out := &listResult{ListToolsResult: theirs}
	meta := map[string]any{}
	if req.Params == nil || req.Params.Cursor == "" {
		encode := b.listing.full
		if req.ProtocolVersion() < structuredSince {
			encode = b.listing.old
		}
		if out.ours, err = encode(); err != nil {
			return nil, err
		}
		if req.Params != nil && req.Params.Meta[metaContract] == true && b.Contract != "" {
			meta[metaContract] = json.RawMessage(b.Contract)
		}
	}
	if req.Params != nil {
		if own, _ := req.Params.Meta[mcp.MetaKeyProtocolVersion].(string); own >= roundsSince {
			out.kind = resultComplete
			meta[mcp.MetaKeyServerInfo] = b.info
		}
	}
	if len(meta) > 0 {
		out.SetMeta(meta)
	}
	parts, err := out.parts()
	if err != nil {
		return nil, fmt.Errorf("encoding the list: %w", err)
	}
	if stdio.HandOver(req.Extra, parts) {
		return new(handed), nil
	}
	return out, nil
}

// A handed result has gone past go-sdk by [stdio.HandOver].
type handed struct{ mcp.ResultBase }

// MarshalJSON returns the page.
func (r *listResult) MarshalJSON() ([]byte, error) {
	parts, err := r.parts()
	return bytes.Join(parts, nil), err
}

// parts returns the page in pieces, since the list can be long and need not be copied.
func (r *listResult) parts() ([][]byte, error) {
	head := writer{buf: []byte{'{'}}
	if r.kind != "" {
		head.name("resultType")
		head.string(r.kind)
	}
	head.name("tools")
	head.buf = append(head.buf, '[')
	var w writer
	for i, t := range r.Tools {
		if i > 0 || len(r.ours) > 0 {
			w.buf = append(w.buf, ',')
		}
		w.value(t)
	}
	w.buf = append(w.buf, ']')
	if r.NextCursor != "" {
		w.name("nextCursor")
		w.string(r.NextCursor)
	}
	w.name("ttlMs")
	w.value(r.TTLMs)
	w.name("cacheScope")
	w.string(cmp.Or(r.CacheScope, "public"))
	if meta := r.GetMeta(); len(meta) > 0 {
		w.name("_meta")
		w.value(meta)
	}
	return [][]byte{head.buf, r.ours, append(w.buf, '}')}, w.err
}
