package peer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// A Tool is an entry in a server's list of tools (MCP 2025-11-25, Tools).
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
	// Raw is the entry as the server sent it.
	Raw jsontext.Value `json:"-"`
	// Invalid is the reason why the tool must not be called, or nil if it can be called.
	Invalid error `json:"-"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Tool) UnmarshalJSON(data []byte) error {
	type plain Tool
	t.Raw = bytes.Clone(data)
	if len(data) > longestTool {
		t.Invalid = fmt.Errorf("it has more than %s", size(longestTool))
	}
	return json.Unmarshal(data, (*plain)(t))
}

// labelOf returns the name of an entry, or the URI of a resource.
func labelOf(entry any) string {
	switch e := entry.(type) {
	case *Tool:
		return e.Name
	case *Resource:
		return e.URI + e.URITemplate
	case *Prompt:
		return e.Name
	}
	return ""
}

// longestTool is the maximum size of an entry in a list of tools, in bytes.
const longestTool = 1 << 20

// A Resource is a listed resource, or a resource template, which has a URITemplate instead of a URI (MCP
// 2025-11-25, Resources).
type Resource struct {
	URI         string `json:"uri,omitempty"`
	URITemplate string `json:"uriTemplate,omitempty"`
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	MIMEType    string `json:"mimeType,omitempty"`
	// Other holds the other members as a JSON object, or nil. It leaves out what describes the content and not the
	// resource: the size and the time of the last change.
	Other jsontext.Value `json:"-"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Resource) UnmarshalJSON(data []byte) error {
	type plain Resource
	r.Other = Others(data, "uri", "uriTemplate", "name", "title", "description", "mimeType", "size")
	if a := rawjson.Get(r.Other, "annotations"); a.Kind() == '{' {
		rest := Others(a, "lastModified")
		r.Other = Others(r.Other, "annotations")
		if rest != nil {
			r.Other = rawjson.Object(append(rawjson.Parts(r.Other), rawjson.Member{Name: "annotations", Value: rest}))
		}
	}
	return json.Unmarshal(data, (*plain)(r))
}

// Others returns the members of an object except those with the given names, or nil if no members are left.
func Others(object jsontext.Value, known ...string) jsontext.Value {
	left := slices.DeleteFunc(rawjson.Parts(object), func(m rawjson.Member) bool { return slices.Contains(known, m.Name) })
	if len(left) == 0 || object.Kind() != '{' {
		return nil
	}
	others := rawjson.Object(left)
	_ = others.Compact() // cannot fail: the object is valid JSON
	return others
}

// A Prompt is a listed prompt (MCP 2025-11-25, Prompts).
type Prompt struct {
	Name        string           `json:"name"`
	Title       string           `json:"title,omitempty"`
	Description string           `json:"description,omitempty"`
	Arguments   []PromptArgument `json:"arguments,omitempty"`
	// Other holds the other members as a JSON object, or nil.
	Other jsontext.Value `json:"-"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *Prompt) UnmarshalJSON(data []byte) error {
	type plain Prompt
	p.Other = Others(data, "name", "title", "description", "arguments")
	return json.Unmarshal(data, (*plain)(p))
}

// A PromptArgument is an argument of a listed prompt.
type PromptArgument struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required,omitempty"`
	// Other holds the other members as a JSON object, or nil.
	Other jsontext.Value `json:"-"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (a *PromptArgument) UnmarshalJSON(data []byte) error {
	type plain PromptArgument
	a.Other = Others(data, "name", "description", "required")
	return json.Unmarshal(data, (*plain)(a))
}

// metaContract makes a request for the list of tools also return the contract of a server that was built with jptool.
const metaContract = "computer.jp/contract"

// Tools returns all tools in the server's order, and the server's contract, or nil if the server has none.
func (s *Session) Tools(ctx context.Context) ([]Tool, jsontext.Value, error) {
	var contract jsontext.Value
	tools, err := list[Tool](ctx, s, "tools", map[string]any{metaContract: true}, func(meta map[string]jsontext.Value) {
		contract = meta[metaContract]
	})
	s.annotated = map[string][]annotation{}
	if s.transport.isHTTP() && s.version == Rounds {
		for i := range tools {
			if t := &tools[i]; t.Invalid == nil {
				s.annotated[t.Name], t.Invalid = annotations(t.InputSchema)
			}
		}
	}
	return tools, contract, err
}

// Resources returns all resources, or none if the server does not declare the capability.
func (s *Session) Resources(ctx context.Context) ([]Resource, error) {
	return listIf[Resource](ctx, s, "resources", "resources")
}

// Templates returns all resource templates.
func (s *Session) Templates(ctx context.Context) ([]Resource, error) {
	return listIf[Resource](ctx, s, "resources", "resourceTemplates")
}

// Prompts returns all prompts.
func (s *Session) Prompts(ctx context.Context) ([]Prompt, error) {
	return listIf[Prompt](ctx, s, "prompts", "prompts")
}

func listIf[T Entry](ctx context.Context, s *Session, capability, what string) ([]T, error) {
	if _, has := s.server.Capabilities[capability]; !has {
		return nil, nil
	}
	return list[T](ctx, s, what, nil, nil)
}

// methodOf returns the method that lists items of a kind.
func methodOf(what string) string {
	if what == "resourceTemplates" {
		return "resources/templates/list"
	}
	return what + "/list"
}

// list reads all pages of a list. It sends meta with the first request, and passes the _meta of the first page
// to first.
func list[T Entry](ctx context.Context, s *Session, what string, meta map[string]any, first func(map[string]jsontext.Value)) ([]T, error) {
	var all []T
	method, l := methodOf(what), s.options.Limits
	total, end := 0, time.Now().Add(l.Silence)
	p := params{Meta: maps.Clone(meta)}
	for range l.Pages {
		result, err := s.request(ctx, method, p, time.Until(end))
		if silent, ok := errors.AsType[*silentError](err); ok {
			silent.after = l.Silence
		}
		if err == nil {
			total += len(result)
			err = s.store(method, total)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		var page map[string]jsontext.Value
		if err := json.Unmarshal(result, &page); err != nil {
			return nil, malformed(method, err)
		}
		items, notes, err := Entries[T](what, page[what])
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %w", method, ErrMalformed, err)
		}
		for _, note := range notes {
			s.note("%s: %s", method, note)
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
		cursor, last := s.nextPage(method, page["nextCursor"], p.Cursor)
		if last {
			return all, nil
		}
		if p.Cursor != nil && *cursor == *p.Cursor {
			return nil, fmt.Errorf("%s: %w: the cursor of the next page is the same as that of the current page", method, ErrMalformed)
		}
		p = params{Cursor: cursor}
	}
	return nil, fmt.Errorf("%s: %w: more than %d pages", method, ErrTooMuch, l.Pages)
}

// nextPage returns the cursor of the next page, or reports that there is none. In version [Rounds], "" is a cursor
// like any other (MCP 2026-07-28, Pagination). Servers of older versions send it with the last page.
func (s *Session) nextPage(method string, value jsontext.Value, current *string) (cursor *string, last bool) {
	switch value.Kind() {
	case '"':
		text := rawjson.Text(value)
		return &text, text == "" && (s.version != Rounds || current != nil && *current == "")
	case 0, 'n':
	default:
		s.note("%s: the list may be incomplete, because nextCursor is %s, not a string", method, noun(value.Kind()))
	}
	return nil, true
}

// An Entry is an entry of a list.
type Entry interface{ Tool | Resource | Prompt }

// Entries returns the entries of a list, which is the member with the given name. It leaves out entries that cannot be
// used, and parts of entries. The notes say why.
func Entries[T Entry](name string, list jsontext.Value) (all []T, notes []string, err error) {
	switch kind := list.Kind(); {
	case list == nil:
		return nil, nil, fmt.Errorf("it has no list %q", name)
	case kind == '{' && len(rawjson.Parts(list)) == 0: // Lua does not distinguish empty lists and objects
	case kind != '[':
		return nil, nil, fmt.Errorf("%q is %s, not a list", name, noun(kind))
	}
	for i, part := range rawjson.Parts(list) {
		item, text, ignored, err := loosely[T](part.Value, true)
		which := fmt.Sprintf("entry %d", i+1)
		if label := labelOf(&item); label != "" {
			which = fmt.Sprintf("%.60q", label)
		}
		for _, reason := range ignored {
			notes = append(notes, which+": "+reason)
		}
		switch {
		case err != nil:
			notes = append(notes, which+" was skipped: "+reasonOf(err))
			continue
		case labelOf(&item) == "":
			notes = append(notes, which+" was skipped: it has no name")
			continue
		}
		if t, ok := any(&item).(*Tool); ok {
			t.Raw = bytes.Clone(text)
		}
		all = append(all, item)
	}
	if more := len(notes) - maxNotes; more > 0 {
		notes = append(notes[:maxNotes], fmt.Sprintf("%d more notes like these were omitted", more))
	}
	return all, notes, nil
}

// maxNotes is the maximum number of notes about one page of a list.
const maxNotes = 10
