package peer

import (
	"context"
	"fmt"
	"maps"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Tool is one as the server lists it (MCP 2025-11-25, Tools).
type Tool struct {
	Name         string         `json:"name"`
	Title        string         `json:"title"`
	Description  string         `json:"description"`
	InputSchema  jsontext.Value `json:"inputSchema"`
	OutputSchema jsontext.Value `json:"outputSchema"`
	Annotations  struct {
		Title       string `json:"title"`
		ReadOnly    *bool  `json:"readOnlyHint"`
		Destructive *bool  `json:"destructiveHint"`
		Idempotent  *bool  `json:"idempotentHint"`
		OpenWorld   *bool  `json:"openWorldHint"`
	} `json:"annotations"`
	// Invalid says why the tool must not be called; nil if it may be.
	Invalid error `json:"-"`
}

// A Resource is one as the server lists it, or a template of them, which has a URITemplate instead of
// a URI (MCP 2025-11-25, Resources).
type Resource struct {
	URI         string `json:"uri,omitempty"`
	URITemplate string `json:"uriTemplate,omitempty"`
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	MIMEType    string `json:"mimeType,omitempty"`
}

// A Prompt is one as the server lists it (MCP 2025-11-25, Prompts).
type Prompt struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Arguments   []struct {
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
		Required    bool   `json:"required,omitempty"`
	} `json:"arguments,omitempty"`
}

// metaContract asks a server made by jptool for its contract beside the list of its tools.
const metaContract = "computer.jp/contract"

// Tools returns all tools, in the order of the server, and the contract as it came along with them,
// nil if the server has none.
func (s *Session) Tools(ctx context.Context) ([]Tool, jsontext.Value, error) {
	var contract jsontext.Value
	tools, err := list[Tool](ctx, s, "tools", map[string]any{metaContract: true}, func(meta map[string]jsontext.Value) {
		contract = meta[metaContract]
	})
	s.annotated = map[string][]annotation{}
	if s.transport.isHTTP() && s.version == Rounds {
		for i := range tools {
			t := &tools[i]
			s.annotated[t.Name], t.Invalid = annotations(t.InputSchema)
		}
	}
	return tools, contract, err
}

// Resources returns all resources; none if the server did not say that it has any.
func (s *Session) Resources(ctx context.Context) ([]Resource, error) {
	return listIf[Resource](ctx, s, "resources", "resources")
}

// Templates returns all templates of resources.
func (s *Session) Templates(ctx context.Context) ([]Resource, error) {
	return listIf[Resource](ctx, s, "resources", "resourceTemplates")
}

// Prompts returns all prompts.
func (s *Session) Prompts(ctx context.Context) ([]Prompt, error) {
	return listIf[Prompt](ctx, s, "prompts", "prompts")
}

func listIf[T any](ctx context.Context, s *Session, capability, what string) ([]T, error) {
	if _, has := s.server.Capabilities[capability]; !has {
		return nil, nil
	}
	return list[T](ctx, s, what, nil, nil)
}

// methodOf returns the method that lists things of a kind.
func methodOf(what string) string {
	if what == "resourceTemplates" {
		return "resources/templates/list"
	}
	return what + "/list"
}

// list follows the pages of a list. The first page is asked for with meta, and first sees its _meta.
func list[T any](ctx context.Context, s *Session, what string, meta map[string]any, first func(map[string]jsontext.Value)) ([]T, error) {
	var all []T
	method, l := methodOf(what), s.options.Limits
	left := l.Exchange
	p := params{Meta: maps.Clone(meta)}
	for range l.Pages {
		result, err := s.request(ctx, method, p, l.Silence)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		if left -= len(result); left < 0 {
			return nil, fmt.Errorf("%s: %w: more than %s in one list", method, ErrTooMuch, size(l.Exchange))
		}
		var page map[string]jsontext.Value
		var items []T
		if err := json.Unmarshal(result, &page); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", method, ErrMalformed, err)
		}
		if page[what].Kind() != '[' {
			return nil, fmt.Errorf("%s: %w: it has no list %q", method, ErrMalformed, what)
		}
		if err := json.Unmarshal(page[what], &items); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", method, ErrMalformed, err)
		}
		if first != nil {
			var came map[string]jsontext.Value
			if json.Unmarshal(page["_meta"], &came) == nil {
				first(came)
			}
			first = nil
		}
		if all = append(all, items...); len(all) > l.Items {
			return nil, fmt.Errorf("%s: %w: more than %d", method, ErrTooMuch, l.Items)
		}
		var cursor string
		if page["nextCursor"] == nil || json.Unmarshal(page["nextCursor"], &cursor) != nil || cursor == "" {
			return all, nil
		}
		if cursor == p.Cursor {
			return nil, fmt.Errorf("%s: %w: a page is followed by itself", method, ErrMalformed)
		}
		p = params{Cursor: cursor}
	}
	return nil, fmt.Errorf("%s: %w: more than %d pages", method, ErrTooMuch, l.Pages)
}
