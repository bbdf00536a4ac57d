package mcpbridge

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jptool/jptool/sdk/manifest"
)

// structuredSince is the version that brought titles, output schemas and
// structured content (MCP 2025-06-18, changelog).
const structuredSince = "2025-06-18"

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
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i, t := range l.contracts {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := e.Encode(face(t)); err != nil {
			return nil, fmt.Errorf("listing tool %q: %w", t.Name, err)
		}
		b.Truncate(b.Len() - 1) // the newline that Encode adds
	}
	return b.Bytes(), nil
}

// A listed tool is one as tools/list shows it.
type listed struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"inputSchema"`
	Output      json.RawMessage `json:"outputSchema,omitempty"`
	Annotations *hints          `json:"annotations,omitempty"`
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
	out.Title, out.Output = t.Title, json.RawMessage(t.Output)
	return out
}

// publishedBefore returns it for the versions before.
func publishedBefore(t *manifest.Tool) listed {
	out := listed{Name: t.Name, Description: t.Description, Input: json.RawMessage(t.Input)}
	a := hints{t.Title, t.Annotations.ReadOnly, t.Annotations.Destructive, t.Annotations.Idempotent, t.Annotations.OpenWorld}
	if a != (hints{}) {
		out.Annotations = &a
	}
	return out
}

// A listResult is a page of tools: those of the contract, and after them those that
// a program added to go-sdk's server itself.
type listResult struct {
	*mcp.ListToolsResult
	ours []byte
	kind string
}

// list answers tools/list: the contract's tools on the first page.
func (b *bridge) list(ctx context.Context, next mcp.MethodHandler, method string, req *mcp.ListToolsRequest) (mcp.Result, error) {
	res, err := next(ctx, method, req)
	theirs, ok := res.(*mcp.ListToolsResult)
	if err != nil || !ok {
		return res, err
	}
	out := &listResult{ListToolsResult: theirs}
	if req.Params == nil || req.Params.Cursor == "" {
		encode := b.listing.full
		if req.ProtocolVersion() < structuredSince {
			encode = b.listing.old
		}
		if out.ours, err = encode(); err != nil {
			return nil, err
		}
	}
	if req.Params != nil {
		if own, _ := req.Params.Meta[mcp.MetaKeyProtocolVersion].(string); own >= roundsSince {
			out.kind = resultComplete
		}
	}
	return out, nil
}

// MarshalJSON returns the page.
func (r *listResult) MarshalJSON() ([]byte, error) {
	theirs, err := json.Marshal(r.Tools)
	if err != nil {
		return nil, err
	}
	list := append(append([]byte{'['}, r.ours...), ']')
	if len(r.Tools) > 0 {
		if len(r.ours) > 0 {
			list[len(list)-1] = ','
			list = append(list, theirs[1:]...)
		} else {
			list = theirs
		}
	}
	return json.Marshal(struct {
		Kind       string          `json:"resultType,omitempty"`
		Tools      json.RawMessage `json:"tools"`
		NextCursor string          `json:"nextCursor,omitempty"`
		TTL        int             `json:"ttlMs"`
		CacheScope string          `json:"cacheScope"`
		Meta       map[string]any  `json:"_meta,omitempty"`
	}{r.kind, list, r.NextCursor, r.TTLMs, cmp.Or(r.CacheScope, "public"), r.GetMeta()})
}
