package mcpbridge

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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

// encode returns the tools as the members of a list, without its brackets. Schemas
// are JSON already, and only lose the blanks that made them readable.
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
	w.buf = appendCompact(w.buf, t.input)
	if t.output != nil {
		w.name("outputSchema")
		w.buf = appendCompact(w.buf, t.output)
	}
	if t.hints != (hints{}) {
		w.name("annotations")
		w.value(t.hints)
	}
	if t.version != "" {
		w.name("_meta")
		w.value(map[string]string{wire.MetaVersion: t.version})
	}
	w.buf = append(w.buf, '}')
}

// appendCompact appends well-formed JSON without the blanks outside its strings.
func appendCompact(dst, text []byte) []byte {
	inString := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			dst = append(dst, c, text[i+1])
			i++
			continue
		case c == '"':
			inString = !inString
		case !inString && (c == ' ' || c == '\n' || c == '\t' || c == '\r'):
			continue
		}
		dst = append(dst, text[i])
	}
	return dst
}

type hints struct {
	Title       string `json:"title,omitempty"`
	ReadOnly    *bool  `json:"readOnlyHint,omitempty"`
	Destructive *bool  `json:"destructiveHint,omitempty"`
	Idempotent  *bool  `json:"idempotentHint,omitempty"`
	OpenWorld   *bool  `json:"openWorldHint,omitempty"`
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
	return handOver(req.Extra, out)
}

// MarshalJSON returns the page.
func (r *listResult) MarshalJSON() ([]byte, error) {
	w := writer{buf: make([]byte, 0, len(r.ours)+256)}
	w.buf = append(w.buf, '{')
	if r.kind != "" {
		w.name("resultType")
		w.string(r.kind)
	}
	w.name("tools")
	w.buf = append(append(w.buf, '['), r.ours...)
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
	return append(w.buf, '}'), w.err
}
