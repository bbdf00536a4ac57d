package tool

import (
	"fmt"
	"strings"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool/internal/callstate"
)

// A Cursor is an argument that says where a page of a list begins. For the handler, it is the position
// that [Page.After] returned for the last item of the previous page, and "" for the first page.
// Callers see an encrypted string that is bound to the tool and its other arguments.
type Cursor string

// Fields is an argument in which the caller names the members that it wants from each item, for tools
// that return a list of structs or a [Page] of structs. The names are checked before the handler runs.
// The handler may use them to do less work, and the runtime omits the other members. Several such
// arguments are combined. Without names, all members are sent.
type Fields []string

// A Page is the result of a tool that takes a [Cursor]: a part of a long list. If the page is over
// the budget of the tool, items at its end are left for the next page. The runtime sets NextCursor,
// and the text of a page says how to request the next one. If items are [Texter] values, the text
// consists of their texts.
//
// A page begins after an item, not at an index. If positions are keys of items, in the order of the
// list, no item is skipped or repeated when items are added or removed between two calls. If
// positions are offsets, this holds only for lists that do not change.
type Page[T any] struct {
	// Items of this page.
	Items []T `json:"items"`
	// Whether there are more items after these.
	HasMore bool `json:"has_more"`
	// Cursor argument of the next page.
	NextCursor Cursor `json:"next_cursor,omitempty"`
	// Number of items on all pages, if it is known.
	Total int `json:"total,omitempty"`
	// After returns the position of Items[index]. If it is the last item of the page, the handler
	// receives this position as the cursor of the next page.
	After func(index int) string `json:"-"`
}

// PageOf returns the Page that a result is or embeds, or false. result is a pointer. PageOf is for the
// runtime only.
func PageOf(result any) (callstate.Page, bool) {
	p, ok := result.(interface{ page() callstate.Page })
	if !ok {
		return callstate.Page{}, false
	}
	return p.page(), true
}

func (p *Page[T]) page() callstate.Page { return callstate.Page{Cuts: p.cuts, Text: p.text} }

func (p *Page[T]) cuts() (int, func(int, string, func(string) string) string, error) {
	all, more := p.Items, p.HasMore
	if more && len(all) == 0 {
		return 0, nil, fault.New(fault.Internal, "the tool returned an empty page with HasMore set; return at least one item, or set HasMore to false")
	}
	if p.After == nil && len(all) > 0 {
		return 0, nil, fault.New(fault.Internal, "the tool returned a page with a nil After function; set After to a function that returns the position of an item")
	}
	return len(all), func(n int, argument string, seal func(string) string) string {
		p.Items, p.HasMore, p.NextCursor = all[:n:n], more || n < len(all), ""
		if p.HasMore {
			p.NextCursor = Cursor(seal(p.After(n - 1)))
		}
		if p.NextCursor == "" {
			return ""
		}
		of := fmt.Sprintf("%d items, and there are more.", n)
		if p.Total > 0 {
			of = fmt.Sprintf("%d of %d items.", n, p.Total)
		}
		return fmt.Sprintf("[%s For the next page, call again with the same arguments and %s %q.]", of, argument, string(p.NextCursor))
	}, nil
}

func (p *Page[T]) text() (string, bool) {
	texts, between := make([]string, len(p.Items)), "\n"
	for i := range p.Items {
		own, ok := any(&p.Items[i]).(Texter)
		if !ok {
			return "", false
		}
		texts[i] = own.Text()
		if strings.Contains(texts[i], "\n") {
			between = "\n\n"
		}
	}
	return strings.Join(texts, between), len(texts) > 0
}
