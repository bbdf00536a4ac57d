package tool

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
)

// A Cursor is an argument that says where a page of a list begins. For the handler it is the
// position that [Page.After] returned for the last item of the previous page, and "" for the first
// page. Callers see an encrypted string that is bound to the tool and its other arguments.
type Cursor string

// Fields is an argument in which the caller names the members that it wants of each item, for tools
// that return a list of structs or a [Page] of structs. The names are checked before the handler
// runs. The handler may use them to do less work, and the runtime leaves out the other members.
// Several such arguments are combined. Without names, all members are sent.
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

type pager interface { // a *Page of any items
	// cuts returns the number of items, and a function that reduces the page to its first items,
	// sets its cursor and returns the note about the next page, or "" for the last page.
	cuts() (count int, first func(n int, argument string, seal func(position string) string) string, err error)
	// text returns the text of the items, or false if they have no Text method.
	text() (string, bool)
}

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

// A listing is a page that is rendered when it is known how many items fit.
type listing struct {
	pager
	render func() (Result, error)
	note   string // about the next page; it becomes the last block, after any truncation
}

// renderPage renders a page with as many items as fit. It returns false if not even one item fits.
func (c *Call) renderPage(l *listing, warnings []string) (r Result, fits bool, err error) {
	count, first, err := l.cuts()
	if err != nil {
		return r, false, err
	}
	try := func(n int) bool {
		l.note = first(n, c.of.cursor().name, c.seal)
		if r, err = l.render(); err != nil {
			return false
		}
		r = c.choose(r)
		r.Warnings, r.page = warnings, l
		return c.holds(r)
	}
	if fits = try(count); fits || err != nil || count <= 1 {
		return r, fits, err
	}
	size := max(blocksSize(r.Blocks), len(r.Structured))
	// fitting is the largest number of items that fit, at least one. If the published schema requires
	// more items, rendering fails.
	fitting := sort.Search(count-2, func(i int) bool { return !try(i+2) && err == nil }) + 1
	if fits = try(fitting); err != nil {
		err = c.refuse(size)
	}
	return r, fits, err
}

// choose removes members that the caller did not request from the items of the list.
func (c *Call) choose(r Result) Result {
	if len(c.fields) == 0 || r.Structured == "" {
		return r
	}
	object := jsontext.Value(r.Structured)
	list := rawjson.Get(object, c.of.list)
	if list.Kind() != '[' {
		return r
	}
	items := rawjson.Parts(list)
	other := func(m rawjson.Member) bool { return !slices.Contains(c.fields, m.Name) }
	for i, item := range items {
		if item.Value.Kind() != '{' {
			return r
		}
		items[i].Value = rawjson.Object(slices.DeleteFunc(rawjson.Parts(item.Value), other))
	}
	r.Structured = string(rawjson.Replace(object, c.of.list, rawjson.Array(items)))
	return r.deriveFirst()
}

func (c *Call) seal(position string) string {
	if c.request.Cursors == nil {
		return position
	}
	return c.request.Cursors.SealCursor(c.query(), position)
}

// query returns the request without its cursor. Cursors are bound to it.
func (c *Call) query() Request {
	r := c.request
	var arguments map[string]json.RawMessage
	if json.Unmarshal(rawjson.Unpacked(jsontext.Value(r.Arguments)), &arguments) != nil {
		return r
	}
	maps.DeleteFunc(arguments, func(name string, value json.RawMessage) bool {
		return name == c.of.cursor().name || string(value) == "null"
	})
	r.Arguments, _ = json.Marshal(arguments) // raw JSON that has been decoded
	return r
}

// open replaces the cursor in the arguments with its position, and reads the requested fields.
func (c *Call) open(input any) error {
	for _, f := range c.of.choices {
		if names, ok := f.in(input); ok {
			c.fields = append(c.fields, names.Interface().(Fields)...)
		}
	}
	cursor, ok := c.of.cursor().in(input)
	if !ok || c.request.Cursors == nil || cursor.String() == "" { // "" is the first page
		return nil
	}
	position, ok := c.request.Cursors.OpenCursor(c.query(), cursor.String())
	if !ok {
		return fault.New(fault.InvalidInput, "%s %.40q is not a cursor for these arguments; send the same arguments as for the previous page, "+
			"or leave %s out for the first page", c.of.cursor().name, cursor.String(), c.of.cursor().name)
	}
	cursor.SetString(position)
	return nil
}

type field struct {
	name  string
	index []int
}

// fieldsOf returns the fields of type F in the arguments.
func fieldsOf[F any](input reflect.Type) (fields []field) {
	if input.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(input) {
		if f.Type == reflect.TypeFor[F]() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			fields = append(fields, field{name, f.Index})
		}
	}
	return fields
}

// in returns the value of the field, or false if it is behind a nil pointer or f is the zero field.
func (f field) in(input any) (reflect.Value, bool) {
	if f.index == nil {
		return reflect.Value{}, false
	}
	v, err := reflect.ValueOf(input).Elem().FieldByIndexErr(f.index)
	return v, err == nil
}
